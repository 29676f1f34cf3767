package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/fakestore"
	"github.com/tgmconv/tgmconv/storage"
)

// A machine is the world in which lines run, one after the other: a folder, a web server and an object
// store.
type machine struct {
	dir      string
	inputs   map[string][]byte
	store    *fakestore.Store
	plan     atomic.Pointer[plan]
	listener *memoryListener
	server   *http.Server
	expected map[place]*result
	counts   faultCounts
}

// Hosts of the world.
const (
	filesHost = "files.test"
	storeHost = "store.test"
)

func newMachine(t *testing.T, dir string) *machine {
	t.Helper()
	m := &machine{
		dir: filepath.Join(dir, "w"), store: fakestore.New(), expected: make(map[place]*result),
		listener: &memoryListener{conns: make(chan net.Conn), closed: make(chan struct{})},
		counts:   faultCounts{lines: make(map[string]int), kinds: make(map[string]int)},
	}
	for name, value := range fakestore.Environment("http://" + storeHost) {
		t.Setenv(name, value)
	}
	t.Setenv("TMPDIR", m.path("tmp"))
	t.Setenv("XDG_CACHE_HOME", m.path("cache"))
	transport := http.DefaultTransport.(*http.Transport)
	transport.Proxy = nil
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(addr); host != filesHost && host != storeHost {
			return dial(ctx, network, addr)
		}
		return m.listener.dial(ctx)
	}
	m.plan.Store(newPlan(nil, calls{}))
	m.server = &http.Server{Handler: m}
	go m.server.Serve(m.listener)
	time.Sleep(10 * 365 * 24 * time.Hour) // so that seconds since 1970 have as many digits in all runs
	m.begin(t, place{line: &faultLine{}}, false)
	m.inputs = faultInputs(t, filepath.Join(dir, "made"))
	return m
}

func (m *machine) close() { m.server.Close() }

// path is the path of a folder of the world, or of a file in it.
func (m *machine) path(name ...string) string {
	return filepath.Join(append([]string{m.dir}, name...)...)
}

// A place is a line, and where its inputs and outputs lie.
type place struct {
	line    *faultLine
	in, out string // file, server (of inputs), pipe (of inputs) or store
}

func (p place) String() string {
	return fmt.Sprintf("%s (inputs on %s, outputs on %s)", p.line.args, p.in, p.out)
}

// location is where a file lies.
func (m *machine) location(place, folder, name string) string {
	switch place {
	case "server":
		return "http://" + filesHost + "/" + name
	case "pipe":
		_, member, ok := strings.Cut(name, "::")
		if ok {
			return storage.Stdin + "::" + member
		}
		return storage.Stdin
	case "store":
		return "s3://" + folder + "/" + name
	}
	path := m.path(folder, name)
	if strings.HasSuffix(name, "/") {
		path += "/"
	}
	return path
}

// args are the arguments of the command: @ begins an input, % an input that is always a file, OUT
// an output.
func (m *machine) args(p place) (args []string) {
	for _, word := range strings.Fields(p.line.args) {
		switch {
		case strings.HasPrefix(word, "@"):
			word = m.location(p.in, "input", word[1:])
		case strings.HasPrefix(word, "%"):
			word = m.location("file", "input", word[1:])
		case strings.HasPrefix(word, "OUT"):
			word = m.location(p.out, "output", "out"+word[len("OUT"):])
		}
		args = append(args, word)
	}
	return args
}

// formerContent is the earlier file under the name of the output in some runs.
const formerContent = "former content"

// begin makes the world of a run. With former there is something under the name of the output.
func (m *machine) begin(t *testing.T, p place, former bool) {
	t.Helper()
	m.store.Clear()
	err := os.RemoveAll(m.dir)
	for _, folder := range []string{"input", "output", "tmp", "cache"} {
		err = errors.Join(err, os.MkdirAll(m.path(folder), 0o777))
	}
	for name, content := range m.used(p) {
		path := m.path("input", name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666), os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)))
		m.store.Put("input/"+name, content)
	}
	if content := m.former(p, former); content != nil {
		if name := p.line.output(); p.out == "store" {
			m.store.Put("output/"+name, content)
		} else {
			err = errors.Join(err, os.WriteFile(m.path("output", name), content, 0o666))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// former is the file under the name of the output before a run.
func (m *machine) former(p place, former bool) []byte {
	switch {
	case p.line.appends != "":
		return m.inputs[p.line.appends]
	case former && p.line.output() != "":
		return []byte(formerContent)
	}
	return nil
}

// used are the inputs of a line.
func (m *machine) used(p place) map[string][]byte {
	used := make(map[string][]byte)
	for name, content := range m.inputs {
		for _, word := range strings.Fields(p.line.args + " " + p.line.beside) {
			if at := strings.TrimLeft(word, "@%"); at != word && (at == name || strings.HasPrefix(at, name+"::") || strings.HasPrefix(name, at+"/")) {
				used[name] = content
			}
		}
	}
	return used
}

// outputs are the files among the outputs by name. Random parts of names are removed.
func (m *machine) outputs(t *testing.T, p place) map[string]string {
	t.Helper()
	files := m.below(t, "output")
	for name, content := range m.store.Objects() {
		if out, ok := strings.CutPrefix(name, "output/"); ok {
			files[out] = string(content)
		}
	}
	if p.line.content != nil {
		for name, text := range files {
			if text != formerContent {
				files[name] = p.line.content(t, text)
			}
		}
	}
	return files
}

// below are the files in a folder of the world.
func (m *machine) below(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(m.path(folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, relErr := filepath.Rel(m.path(folder), path)
		files[filepath.ToSlash(rel)] = string(b)
		return errors.Join(err, relErr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// leftovers are files that a run has left beside its outputs.
func (m *machine) leftovers(t *testing.T) (left []string) {
	t.Helper()
	for name := range m.below(t, "tmp") {
		left = append(left, "tmp/"+name)
	}
	for name := range m.below(t, "cache") {
		if !strings.HasPrefix(name, "tgmconv/") || strings.Contains(name, ".tmp") || strings.Contains(name, "lock") {
			left = append(left, "cache/"+name)
		}
	}
	return left
}

// ServeHTTP answers as the server of files or the object store, or fails.
func (m *machine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body) // a server that has not read it does not see that the client has gone
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	p := m.plan.Load()
	var real http.Handler = m.store
	if r.Host == filesHost {
		real = http.HandlerFunc(m.serveFile)
	}
	if p.next(r.Method, r.URL.Path, 1, r.Header.Get("Range")) {
		p.kind.do(m, w, r, real)
		return
	}
	real.ServeHTTP(w, r)
}

// serveFile answers as a server of files.
func (m *machine) serveFile(w http.ResponseWriter, r *http.Request) {
	content, ok := m.inputs[strings.TrimPrefix(r.URL.Path, "/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if m.plan.Load().replaced.Load() {
		content = otherContent(content)
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%08x"`, crc32.ChecksumIEEE(content)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// otherContent is the content that replaces a file: of the same length, and of the same kind at its
// beginning.
func otherContent(content []byte) []byte {
	other := bytes.Clone(content)
	for i := len(other) / 4; i < len(other); i++ {
		other[i] ^= 0x55
	}
	return other
}

// replace has another content under the name of each file from now on.
func (m *machine) replace() {
	m.plan.Load().replaced.Store(true)
	for name, content := range m.store.Objects() {
		if strings.HasPrefix(name, "input/") {
			m.store.Put(name, otherContent(content))
		}
	}
}

// A memoryListener takes connections that are pipes in memory.
type memoryListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *memoryListener) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
