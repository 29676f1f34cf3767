// Package quick answers plain GET requests on connections of net/http with less work than net/http,
// which gets all other requests.
//
// For an answer of some kilobytes net/http takes about as much processor time for its own work as the
// system takes for reading the file and sending it: a goroutine for each request that waits for the
// client to go away, headers that are parsed each time although a client repeats them, and several
// writes.
//
// A connection of this package is between the network and net/http. When net/http reads its next
// request and that is a plain one, the connection has it answered by the handler at once, and goes on
// to the next; net/http does not see it. All other requests it hands over as they are. Requests are
// parsed by net/http's own parser, and a connection is left to net/http for good after anything that
// is not one whole request without a body.
package quick

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Server answers the plain requests of an http.Server. The handler must not use a response writer
// for more than headers, a body and the write deadline of http.ResponseController, and must leave the
// headers of requests as they are.
type Server struct {
	// Handler answers. It should be that of the http.Server.
	Handler http.Handler
	// Takes reports whether a path is one to be answered here.
	Takes func(path string) bool
	// HeaderTimeout and IdleTimeout are those of the http.Server.
	HeaderTimeout, IdleTimeout time.Duration

	mu     sync.Mutex
	conns  map[*conn]struct{}
	ending bool
	ended  chan struct{} // closed when there are no connections; nil before Shutdown
}

// Listener returns l with connections that answer plain requests.
func (s *Server) Listener(l net.Listener) net.Listener { return &listener{l, s} }

// ConnState must be the http.Server's.
func (s *Server) ConnState(c net.Conn, state http.ConnState) {
	if c, ok := c.(*conn); ok && state == http.StateIdle {
		c.setState(waiting)
	}
}

// Shutdown closes connections on which nothing is under way, and those on which an answer of this
// package is after it. It must be called before http.Server.Shutdown, which does the same for
// requests that net/http has.
func (s *Server) Shutdown() {
	s.mu.Lock()
	s.ending = true
	var all []*conn
	for c := range s.conns {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		c.shutdown()
	}
}

// Wait waits until all connections are closed, or ctx is done. It is called after Shutdown.
func (s *Server) Wait(ctx context.Context) {
	s.mu.Lock()
	if len(s.conns) == 0 {
		s.mu.Unlock()
		return
	}
	ended := make(chan struct{})
	s.ended = ended
	s.mu.Unlock()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// add notes a connection. It reports false if the server is ending.
func (s *Server) add(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		s.conns = make(map[*conn]struct{})
	}
	s.conns[c] = struct{}{}
	return !s.ending
}

func (s *Server) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if len(s.conns) == 0 && s.ended != nil {
		close(s.ended)
		s.ended = nil
	}
}

type listener struct {
	net.Listener
	server *Server
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	tcp, ok := accepted.(*net.TCPConn)
	if !ok || err != nil {
		return accepted, err
	}
	c := &conn{TCPConn: tcp, server: l.server, remote: tcp.RemoteAddr().String()}
	if !l.server.add(c) {
		c.shutdown()
	}
	return c, nil
}

// mostHead bounds the request line and headers of a plain request.
const mostHead = 4 << 10

// A conn is a connection. Its reader is the goroutine of net/http that reads requests.
type conn struct {
	*net.TCPConn
	server *Server
	remote string

	// Used by the reader.
	in       [mostHead]byte
	ahead    int    // bytes at the beginning of in that were read while an answer was made
	kept     []byte // the part of in that net/http has not taken yet
	plain    bool   // all further requests are for net/http
	deadline time.Time
	requests requestReader
	answer   answer

	mu     sync.Mutex
	state  connState
	ending bool // to be closed when it waits
}

// A connState says who has a connection.
type connState uint8

const (
	waiting   connState = iota // for a request
	answering                  // this package
	away                       // net/http has a request
)

// setState notes who has the connection from now on. It reports whether it is to be closed.
func (c *conn) setState(state connState) (ending bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = state
	return c.ending && state == waiting
}

// isAway reports whether net/http has a request.
func (c *conn) isAway() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state == away
}

// shutdown closes the connection when nothing is under way. What net/http has is left to it.
func (c *conn) shutdown() {
	c.mu.Lock()
	c.ending = true
	waits := c.state == waiting
	c.mu.Unlock()
	if waits {
		_ = c.Close() // it may be closed
	}
}

// Close implements net.Conn. An answer that is on its way is ended first.
func (c *conn) Close() error {
	c.mu.Lock()
	if c.state == answering {
		c.ending = true
		c.mu.Unlock()
		return nil
	}
	c.mu.Unlock()
	c.server.remove(c)
	return c.TCPConn.Close()
}

// Read implements net.Conn. It returns what is for net/http.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.kept) > 0 {
		n := copy(p, c.kept)
		c.kept = c.kept[n:]
		return n, nil
	}
	switch {
	case c.plain:
		return c.TCPConn.Read(p)
	case c.isAway():
		return c.watch(p)
	}
	for {
		n := c.ahead
		c.ahead = 0
		if n == 0 {
			var err error
			if n, err = c.TCPConn.Read(c.in[:]); n == 0 {
				return 0, err // an error that comes with bytes comes again
			}
		}
		ctx := &requestContext{Context: context.Background(), conn: c}
		r := c.requests.read(ctx, c.in[:n])
		if r == nil || !c.takes(r) {
			if r == nil {
				c.plain = true
				if !c.deadline.IsZero() { // net/http has not seen that requests came
					_ = c.SetReadDeadline(time.Now().Add(c.server.HeaderTimeout))
				}
			}
			c.deadline = time.Time{} // it sets its own
			c.setState(away)
			k := copy(p, c.in[:n])
			c.kept = c.in[k:n]
			return k, nil
		}
		if !c.serve(ctx, r) {
			_ = c.Close() // it may be closed
			return 0, io.EOF
		}
	}
}

// watch is a read while net/http has a request, which has no body: it reads a byte to see whether the
// client goes away. The byte would be one of the next request, which is kept from net/http until it
// asks for that.
func (c *conn) watch(p []byte) (int, error) {
	if len(p) > 1 { // no such read: net/http has its reasons
		n := c.ahead
		if c.ahead, c.plain = 0, true; n == 0 {
			return c.TCPConn.Read(p)
		}
		k := copy(p, c.in[:n])
		c.kept = c.in[k:n]
		return k, nil
	}
	if c.ahead > 0 {
		return 0, nil
	}
	n, err := c.TCPConn.Read(c.in[:])
	if n > 0 {
		c.ahead, err = n, nil
	}
	return 0, err
}

// takes reports whether a request is answered here: a GET that asks for nothing beside the answer.
func (c *conn) takes(r *http.Request) bool {
	if r.Method != http.MethodGet || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.Close || r.URL.Host != "" || r.URL.RawQuery != "" || !c.server.Takes(r.URL.Path) {
		return false
	}
	for _, key := range []string{"Expect", "Upgrade", "Trailer", "Te"} {
		if r.Header[key] != nil {
			return false
		}
	}
	connection := r.Header.Get("Connection")
	return connection == "" || connection == "keep-alive" || connection == "Keep-Alive"
}

// serve answers a request. It reports whether the connection can be used for another one.
func (c *conn) serve(ctx *requestContext, r *http.Request) (again bool) {
	c.setState(answering)
	defer func() { // also after a panic, which net/http reports
		alive := ctx.end()
		again = !c.setState(waiting) && alive && again
	}()
	r.RemoteAddr = c.remote
	c.answer.begin(c.TCPConn)
	c.server.Handler.ServeHTTP(&c.answer, r)
	if !c.answer.finish() {
		return false
	}
	// A deadline costs as much as finding a chunk: it is not set for each request.
	if now := time.Now(); c.deadline.Sub(now) < c.server.IdleTimeout*7/8 {
		c.deadline = now.Add(c.server.IdleTimeout)
		return c.SetReadDeadline(c.deadline) == nil
	}
	return true
}
