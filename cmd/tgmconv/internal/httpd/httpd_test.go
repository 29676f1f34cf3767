package httpd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

// start serves h and returns its address, and a function that ends it and returns the error of Serve.
func start(t *testing.T, opts Options, h http.Handler) (url string, stop func() error) {
	t.Helper()
	opts.Addr = "127.0.0.1:0"
	s, err := Listen(opts)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Loopback() {
		t.Error("127.0.0.1 is not loopback")
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, h) }()
	t.Cleanup(cancel)
	return s.URL(), func() error { cancel(); return <-done }
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestServeLogsAndCounts(t *testing.T) {
	var log bytes.Buffer
	url, stop := start(t, Options{Metrics: true, Log: slog.New(slog.NewTextHandler(&log, nil))}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "hello")
	}))
	if got := fetch(t, url+"/a"); got != "hello" {
		t.Errorf("body %q", got)
	}
	metrics := fetch(t, url+"/metrics")
	for _, want := range []string{`tgmconv_http_requests_total{method="GET",status="200"} 1`, "tgmconv_http_sent_bytes_total 5"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
	if err := stop(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if !strings.Contains(log.String(), "method=GET path=/a") || !strings.Contains(log.String(), "status=200 bytes=5") {
		t.Errorf("log: %s", &log)
	}
}

func TestServeEndsAfterTheRequestsUnderWay(t *testing.T) {
	entered := make(chan struct{})
	url, stop := start(t, Options{Grace: 5 * time.Second}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		time.Sleep(200 * time.Millisecond)
		fmt.Fprint(w, "whole")
	}))
	body := make(chan string, 1)
	go func() { body <- fetch(t, url) }()
	<-entered
	if err := stop(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := <-body; got != "whole" {
		t.Errorf("body %q", got)
	}
}

func TestListenErrors(t *testing.T) {
	for _, opts := range []Options{
		{Addr: "127.0.0.1:0", CertFile: "only"},
		{Addr: "127.0.0.1:0", CertFile: "none.pem", KeyFile: "none.pem"},
		{Addr: "8080"},
	} {
		if s, err := Listen(opts); err == nil {
			s.Close()
			t.Errorf("%+v was accepted", opts)
		}
	}
}
