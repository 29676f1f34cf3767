//go:build interop

package storage

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program finds a server that interop/setup.sh has installed, or that is on the path.
func program(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{"../../.interop/go/bin/" + name, "../../.interop/node/node_modules/.bin/" + name} {
		if full, err := filepath.Abs(path); err == nil {
			if _, err := os.Stat(full); err == nil {
				return full
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// start runs a server until the test ends, and waits for its port.
func start(t *testing.T, address string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = append(os.Environ(), env...), t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not answer", name)
}

// freeAddress is a free port of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// proxy stands before a server. It counts requests, and can trouble them.
type proxy struct {
	*httptest.Server
	to *httputil.ReverseProxy

	mu       sync.Mutex
	requests int
	trouble  func(n int, w http.ResponseWriter, r *http.Request) bool // reports whether it has answered
}

func newProxy(t *testing.T, address string) *proxy {
	p := &proxy{to: httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})}
	p.to.ErrorLog = nil
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests++
	n, trouble := p.requests, p.trouble
	p.mu.Unlock()
	if trouble != nil && trouble(n, w, r) {
		io.Copy(io.Discard, r.Body)
		return
	}
	p.to.ServeHTTP(w, r) // with the client's Host, which is part of the signed text
}

// counted returns how many requests there were since it was called last, and sets the trouble to
// come.
func (p *proxy) counted(trouble func(n int, w http.ResponseWriter, r *http.Request) bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.requests
	p.requests, p.trouble = 0, trouble
	return n
}

// A server is one object store with an empty bucket named data.
type server struct {
	scheme string
	proxy  *proxy
	env    []string
	put    func(t *testing.T, name string, b []byte) // stores an object, past the proxy
	folder string                                    // where the objects lie as files; empty if they do not
}

func s3Server(t *testing.T) *server {
	versitygw := program(t, "versitygw")
	root, address := t.TempDir(), freeAddress(t)
	if err := os.Mkdir(filepath.Join(root, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	start(t, address, []string{"ROOT_ACCESS_KEY=user", "ROOT_SECRET_KEY=password0"}, versitygw, "--port", address, "posix", root)
	p := newProxy(t, address)
	return &server{"s3", p, []string{"AWS_ACCESS_KEY_ID=user", "AWS_SECRET_ACCESS_KEY=password0", "AWS_ENDPOINT_URL=" + p.URL}, func(t *testing.T, name string, b []byte) {
		path := filepath.Join(root, "data", name)
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}, filepath.Join(root, "data")}
}

func gsServer(t *testing.T) *server {
	fake := program(t, "fake-gcs-server")
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	p := newProxy(t, address)
	start(t, address, nil, fake, "-scheme", "http", "-host", host, "-port", port, "-backend", "memory", "-public-host", strings.TrimPrefix(p.URL, "http://"), "-external-url", p.URL)
	post(t, "http://"+address+"/storage/v1/b?project=p", "application/json", `{"name":"data"}`)
	return &server{"gs", p, []string{"STORAGE_EMULATOR_HOST=" + p.URL}, func(t *testing.T, name string, b []byte) {
		post(t, "http://"+address+"/upload/storage/v1/b/data/o?uploadType=media&name="+url.QueryEscape(name), "application/octet-stream", string(b))
	}, ""}
}

func post(t *testing.T, address, kind, body string) {
	t.Helper()
	resp, err := http.Post(address, kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode >= 300 {
		t.Fatalf("%s: %s", address, resp.Status)
	}
}

// azuriteKey is the key that every Azurite has.
const azuriteKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

func azServer(t *testing.T) *server {
	azurite := program(t, "azurite-blob")
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	start(t, address, nil, azurite, "--blobHost", host, "--blobPort", port, "--inMemoryPersistence", "--skipApiVersionCheck")
	p := newProxy(t, address)
	c := newAzurite(t, "http://"+address+"/devstoreaccount1/data")
	text := fmt.Sprintf("AccountName=devstoreaccount1;AccountKey=%s;BlobEndpoint=%s/devstoreaccount1", azuriteKey, p.URL)
	return &server{"az", p, []string{"AZURE_STORAGE_CONNECTION_STRING=" + text}, c.put, ""}
}
