// Package httpd runs the HTTP server around a handler of package serve: listening, TLS, an access log,
// metrics, and a shutdown that lets requests under way finish. It uses the connections of net/http.
package httpd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 10 * time.Second // for the headers of a request
	idleTimeout   = 2 * time.Minute  // between requests
)

// Options configure a [Server].
type Options struct {
	// Addr is the address and port to listen on; port 0 takes a free one.
	Addr string
	// CertFile and KeyFile are the PEM files of a TLS certificate and its key. Both or neither must
	// be set.
	CertFile, KeyFile string
	// Log, if not nil, gets a record for each request.
	Log *slog.Logger
	// Metrics serves /metrics in the text format of Prometheus.
	Metrics bool
	// Grace is the time for requests under way after the context of Serve has ended. 0 means 5 seconds.
	Grace time.Duration
}

// A Server listens on an address. It answers requests once [Server.Serve] is called.
type Server struct {
	opts     Options
	listener net.Listener
	tls      *tls.Config
}

// Listen begins to listen on opts.Addr.
func Listen(opts Options) (*Server, error) {
	s := &Server{opts: opts}
	if opts.Grace <= 0 {
		s.opts.Grace = 5 * time.Second
	}
	if (opts.CertFile == "") != (opts.KeyFile == "") {
		return nil, errors.New("a certificate needs a key, and a key a certificate")
	}
	if opts.CertFile != "" {
		certificate, err := tls.LoadX509KeyPair(opts.CertFile, opts.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("certificate %s with key %s: %w", opts.CertFile, opts.KeyFile, err)
		}
		s.tls = &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}}
	}
	listener, err := net.Listen("tcp", opts.Addr)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		var addr *net.AddrError
		if errors.As(err, &addr) {
			err = errors.New(addr.Err) // which names the address too
		}
		return nil, fmt.Errorf("cannot listen on %s: %w", opts.Addr, err)
	}
	s.listener = listener
	return s, nil
}

// Loopback reports whether only programs on this machine can reach the server.
func (s *Server) Loopback() bool {
	addr, ok := s.listener.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// LoopbackHosts returns the names that this machine has in the Host headers of local clients.
func LoopbackHosts() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// URL returns the address of the server for a client on this machine: for a server on all addresses, the
// loopback interface.
func (s *Server) URL() string {
	scheme := "http"
	if s.tls != nil {
		scheme = "https"
	}
	addr := s.listener.Addr().String()
	if tcp, ok := s.listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = fmt.Sprintf("127.0.0.1:%d", tcp.Port)
	}
	return scheme + "://" + addr
}

// Serve answers requests with h until ctx ends. It then waits for the requests under way, at most
// for Options.Grace. It returns nil if it ended because of ctx.
func (s *Server) Serve(ctx context.Context, h http.Handler) error {
	h = withProbes(h)
	if s.opts.Metrics {
		h = withMetrics(h)
	}
	if s.opts.Log != nil {
		h = withLog(h, s.opts.Log)
	}
	server := &http.Server{
		Handler:           h,
		TLSConfig:         s.tls,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	served := make(chan error, 1)
	go func() {
		if s.tls != nil {
			served <- server.ServeTLS(s.listener, "", "")
			return
		}
		served <- server.Serve(s.listener)
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Grace)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close stops listening, for a server that does not serve. A serving one ends with its context.
func (s *Server) Close() error { return s.listener.Close() }
