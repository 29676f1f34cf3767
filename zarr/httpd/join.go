package httpd

import (
	"context"
	"net"
	"net/http"
)

// headBuffer is the size of the buffer that net/http writes a connection through: what stands
// before it is full, the header and the beginning of a body, is one write, the rest of the body
// another.
const headBuffer = 4 << 10

// A joiningConn sends the beginning of an answer together with what follows: for bodies of some
// kilobytes a system call, and a client that wakes up for a part of the answer, are a fifth of the
// cost. It is used by one goroutine, that of the request.
type joiningConn struct {
	*net.TCPConn
	joins bool   // the next write may wait for the one after it
	held  []byte // waits
}

// Write implements net.Conn.
func (c *joiningConn) Write(p []byte) (int, error) {
	switch {
	case len(c.held) > 0:
		both := net.Buffers{c.held, p}
		held := int64(len(c.held))
		n, err := both.WriteTo(c.TCPConn)
		c.held, c.joins = c.held[:0], false
		return int(max(0, n-held)), err
	case c.joins && len(p) == headBuffer: // neither the end of an answer nor a flush
		c.held = append(c.held, p...)
		return len(p), nil
	}
	c.joins = false
	return c.TCPConn.Write(p)
}

// end sends what is held. An error is left to the next write.
func (c *joiningConn) end() {
	c.joins = false
	if len(c.held) > 0 {
		_, _ = c.TCPConn.Write(c.held)
		c.held = c.held[:0]
	}
}

// A joiningListener accepts connections that join writes.
type joiningListener struct{ net.Listener }

// Accept implements net.Listener.
func (l joiningListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok && err == nil {
		return &joiningConn{TCPConn: tcp}, nil
	}
	return c, err
}

// A connKey is for the connection of a request.
type connKey struct{}

// keepConn is http.Server.ConnContext.
func keepConn(ctx context.Context, c net.Conn) context.Context {
	if joining, ok := c.(*joiningConn); ok {
		return context.WithValue(ctx, connKey{}, joining)
	}
	return ctx
}

// withJoining lets the first writes of each answer be joined.
func withJoining(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*joiningConn); ok {
			c.joins = true
			defer c.end()
		}
		h.ServeHTTP(w, r)
	})
}
