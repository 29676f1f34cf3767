package httpd

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestSwitch(t *testing.T) {
	var s Switch
	status := func() int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w.Code
	}
	if got := status(); got != http.StatusServiceUnavailable {
		t.Errorf("status %d without a handler", got)
	}
	entered, leave, ended := make(chan bool), make(chan bool), make(chan bool)
	closed := make(chan bool, 1)
	s.Set(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { entered <- true; <-leave }), func() { closed <- true })
	go func() { status(); ended <- true }()
	<-entered
	s.Set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }), nil)
	if got := status(); got != http.StatusTeapot {
		t.Errorf("status %d of the second handler", got)
	}
	if len(closed) > 0 {
		t.Error("the first handler was closed while it answered")
	}
	leave <- true
	<-ended
	<-closed
}
