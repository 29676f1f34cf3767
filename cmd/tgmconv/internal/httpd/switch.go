package httpd

import (
	"net/http"
	"sync"
)

// A Switch answers with a handler that can be replaced while requests are under way. The zero value
// has no handler, and answers 503.
type Switch struct {
	mu      sync.Mutex
	current *switched
}

// A switched handler counts the requests that it is answering.
type switched struct {
	http.Handler
	users int
	done  func() // called once it is replaced and answers nothing any more; nil before that
}

// Set makes h the handler of the requests to come. done, which may be nil, is called after h was
// replaced and its last request was answered.
func (s *Switch) Set(h http.Handler, done func()) {
	if done == nil {
		done = func() {}
	}
	next := &switched{Handler: h, users: 1, done: done} // the switch is a user
	s.mu.Lock()
	before := s.current
	s.current = next
	s.mu.Unlock()
	if before != nil {
		s.leave(before)
	}
}

// Close removes the handler: further requests are answered with 503.
func (s *Switch) Close() {
	s.Set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the server is ending", http.StatusServiceUnavailable)
	}), nil)
}

func (s *Switch) leave(h *switched) {
	s.mu.Lock()
	h.users--
	last := h.users == 0
	s.mu.Unlock()
	if last {
		h.done()
	}
}

// ServeHTTP implements http.Handler.
func (s *Switch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	h := s.current
	if h != nil {
		h.users++
	}
	s.mu.Unlock()
	if h == nil {
		http.Error(w, "the server is not ready", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(h)
	h.ServeHTTP(w, r)
}
