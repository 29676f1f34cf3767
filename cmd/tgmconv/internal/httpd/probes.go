package httpd

import (
	"io"
	"net/http"
	"sync"
)

// A Gate answers with a handler that is there later: requests wait for it.
type Gate struct {
	once  sync.Once
	ready chan struct{} // closed when handler is set
	h     http.Handler
}

// NewGate returns a gate that is closed.
func NewGate() *Gate { return &Gate{ready: make(chan struct{})} }

// Open has requests answered by h, also waiting ones. Only the first call has an effect.
func (g *Gate) Open(h http.Handler) {
	g.once.Do(func() {
		g.h = h
		close(g.ready)
	})
}

// Ready reports whether the gate is open.
func (g *Gate) Ready() bool {
	select {
	case <-g.ready:
		return true
	default:
		return false
	}
}

// ServeHTTP implements http.Handler.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-g.ready:
		g.h.ServeHTTP(w, r)
	case <-r.Context().Done():
	}
}

// withProbes answers the probes of service managers, whatever name they call the server by: /healthz
// is 200 while the server runs, and /readyz once it has something to serve, before that 503.
func withProbes(h http.Handler) http.Handler {
	gate, _ := h.(*Gate)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "expected GET or HEAD", http.StatusMethodNotAllowed)
		case r.URL.Path == "/readyz" && gate != nil && !gate.Ready():
			http.Error(w, "the inputs are being opened", http.StatusServiceUnavailable)
		default:
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = io.WriteString(w, "ok\n") // or nobody waits for it
		}
	})
}
