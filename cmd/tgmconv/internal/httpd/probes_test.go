package httpd

import (
	"context"
	"io"
	"net/http"
	"testing"
)

func TestProbes(t *testing.T) {
	server, err := Listen(Options{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gate, done := NewGate(), make(chan error, 1)
	go func() { done <- server.Serve(ctx, gate) }()
	get := func(method, path string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL()+path, nil)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		req.Host = "pod.example.org" // a probe does not know the name
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(body)
	}
	expect := func(method, path string, code int) {
		t.Helper()
		if got, body := get(method, path); got != code {
			t.Errorf("%s %s: %d %q, expected %d", method, path, got, body, code)
		}
	}
	expect("GET", "/healthz", 200)
	expect("GET", "/readyz", 503)
	expect("POST", "/healthz", 405)
	waited := make(chan string, 1)
	go func() {
		_, body := get("GET", "/data")
		waited <- body
	}()
	gate.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "here is "+r.URL.Path) }))
	if body := <-waited; body != "here is /data" {
		t.Errorf("what waited got %q", body)
	}
	expect("GET", "/readyz", 200)
	expect("HEAD", "/readyz", 200)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
