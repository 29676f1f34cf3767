package importers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, f *InputFile) string {
	t.Helper()
	b := make([]byte, f.Size)
	if n, err := f.ReadAt(b, 0); n < len(b) {
		t.Fatalf("%s: read %d of %d bytes: %v", f.Name, n, len(b), err)
	}
	return string(b)
}

func TestFindInputsWalksFoldersInOrder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/2", "b/1", "a/x", ".hidden/y", "c/.hidden", "z"} {
		write(t, filepath.Join(dir, name), name)
	}
	if err := os.Symlink(filepath.Join(dir, "z"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	found, err := FindInputs([]string{filepath.Join(dir, "z"), dir, "-", "https://example.org/x"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range found {
		name := strings.TrimPrefix(in.Name, dir+"/")
		if in.FromFolder {
			name = "*" + name
		}
		names = append(names, name)
	}
	if want := []string{"z", "*a/x", "*b/1", "*b/2", "*link", "*z", "-", "https://example.org/x"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	if _, err := FindInputs([]string{filepath.Join(dir, "nothing")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := FindInputs([]string{t.TempDir()}); err == nil {
		t.Error("an empty folder is accepted")
	}
	if found, err := FindInputs([]string{"HTTPS://example.org/x"}); err != nil || len(found) != 1 {
		t.Errorf("HTTPS://: %v, error %v", found, err)
	}
	if _, err := FindInputs([]string{"s3://bucket/x"}); err == nil || !strings.Contains(err.Error(), "s3 addresses") {
		t.Errorf("s3://: error %v", err)
	}
}

func TestOpenerReadsPipesAndFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	write(t, path, "0123456789")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(3, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin io.Reader
		want  string
	}{{strings.NewReader("piped"), "piped"}, {file, "3456789"}, {strings.NewReader(""), ""}} {
		o := &Opener{Stdin: c.stdin, TempDir: dir}
		f, done, err := o.Peek(t.Context(), Input{Name: Stdin})
		if err != nil {
			t.Fatal(err)
		}
		done()
		again, err := o.Open(t.Context(), Input{Name: Stdin})
		if err != nil || again != f {
			t.Fatalf("after a look at standard input Open gives another file, error %v", err)
		}
		if got := contents(t, again); got != c.want {
			t.Errorf("standard input is %q, want %q", got, c.want)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("temporary files are left: %v", entries)
	}
	if _, err := new(Opener).Open(t.Context(), Input{Name: Stdin}); err == nil {
		t.Error("standard input is read where there is none")
	}
}

func TestOpenerDoesNotWaitForAPipeWhenCancelled(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	o := &Opener{Stdin: r, TempDir: t.TempDir()}
	if _, err := o.Open(ctx, Input{Name: Stdin}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}

// rangeServer serves content by ranges, failing the first requests, and counts what it sends.
type rangeServer struct {
	content  []byte
	failures atomic.Int32
	sent     atomic.Int64
	etag     atomic.Value
}

func (s *rangeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.failures.Add(-1) >= 0 {
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("ETag", s.etag.Load().(string))
	http.ServeContent(&countingResponse{w, &s.sent}, r, "", time.Time{}, bytes.NewReader(s.content))
}

type countingResponse struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *countingResponse) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.n.Add(int64(n))
	return n, err
}

func TestHTTPReadsOnlyWhatIsAskedFor(t *testing.T) {
	s := &rangeServer{content: make([]byte, 4<<20)}
	for i := range s.content {
		s.content[i] = byte(i * 7 >> 3)
	}
	s.etag.Store(`"1"`)
	s.failures.Store(2)
	server := httptest.NewServer(s)
	defer server.Close()
	f, err := new(Opener).Open(t.Context(), Input{Name: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size != int64(len(s.content)) {
		t.Fatalf("size %d, want %d", f.Size, len(s.content))
	}
	for _, c := range []struct{ off, n int }{{0, 16}, {10, 100}, {httpBlock - 5, 10}, {1 << 20, 3 * httpBlock}, {len(s.content) - 4, 4}} {
		b := make([]byte, c.n)
		if _, err := f.ReadAt(b, int64(c.off)); err != nil || !bytes.Equal(b, s.content[c.off:c.off+c.n]) {
			t.Errorf("%d bytes at %d: error %v or wrong bytes", c.n, c.off, err)
		}
	}
	if sent := s.sent.Load(); sent > 8*httpBlock {
		t.Errorf("%d bytes were fetched", sent)
	}
	b := make([]byte, 10)
	if n, err := f.ReadAt(b, f.Size-3); n != 3 || err != io.EOF {
		t.Errorf("read %d bytes at the end, error %v, want 3 and EOF", n, err)
	}
	s.etag.Store(`"2"`)
	if _, err := f.ReadAt(b, 2<<20); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("error %v when the file has changed", err)
	}
}

func TestHTTPWithoutRanges(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "the whole file")
	}))
	defer server.Close()
	f, err := new(Opener).Open(t.Context(), Input{Name: server.URL + "/x"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := contents(t, f); got != "the whole file" {
		t.Errorf("read %q", got)
	}
	if _, err := new(Opener).Open(t.Context(), Input{Name: server.URL + "/y"}); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v for a file that is not there", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(Opener).Open(ctx, Input{Name: server.URL + "/x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A server that stops in the middle of an answer is given up, and asked again before.
func TestHTTPGivesUpOnSilence(t *testing.T) {
	over := make(chan struct{})
	var silent atomic.Int32
	content := make([]byte, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if silent.Add(-1) >= 0 {
			w.Header().Set("Content-Length", "1000")
			w.Header().Set("Content-Range", "bytes 0-999/1000")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(content[:10])
			w.(http.Flusher).Flush()
			<-over
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	defer close(over)
	o := &Opener{patience: 50 * time.Millisecond}
	f, err := o.Open(t.Context(), Input{Name: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	silent.Store(1)
	if _, err := f.ReadAt(make([]byte, 1000), 0); err != nil {
		t.Errorf("one silence: %v", err)
	}
	if f, err = o.Open(t.Context(), Input{Name: server.URL}); err != nil {
		t.Fatal(err)
	}
	silent.Store(100)
	var silence *httpSilence
	if _, err := f.ReadAt(make([]byte, 1000), 0); !errors.As(err, &silence) {
		t.Errorf("error %v, want that of a silent server", err)
	}
}

// A server that does not heed If-Match tells by its ETag that the file is another.
func TestHTTPNoticesAChangedETag(t *testing.T) {
	var etag atomic.Value
	etag.Store(`"1"`)
	content := make([]byte, 3*httpBlock)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-Match")
		w.Header().Set("ETag", etag.Load().(string))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	f, err := new(Opener).Open(t.Context(), Input{Name: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	etag.Store(`"2"`)
	if _, err := f.ReadAt(make([]byte, 10), 0); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("error %v for a changed file", err)
	}
}

func TestHTTPErrorsNameTheAddressOnce(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := new(Opener).Open(t.Context(), Input{Name: server.URL})
	if err == nil || strings.Count(err.Error(), server.URL) != 1 || !strings.HasPrefix(err.Error(), server.URL+": ") {
		t.Errorf("error %v", err)
	}
}

func TestOutputKeepsPermissionsAndName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.tgm")
	write(t, path, "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	o, err := CreateOutput(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, error %v, want what the file had", st.Mode(), err)
	}

	o, err = CreateOutput(path)
	if err != nil {
		t.Fatal(err)
	}
	o.f.Close()
	var pe *fs.PathError
	if _, err := o.Write([]byte("x")); !errors.As(err, &pe) || pe.Path != path {
		t.Errorf("error %v does not name %s", err, path)
	}
	o.Abort()

	link := filepath.Join(t.TempDir(), "link")
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if o, err = CreateOutput(link); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(target); err != nil {
		t.Errorf("a link to a file that is not there yet: %v", err)
	}
}

func TestDetectFormat(t *testing.T) {
	for _, c := range []struct {
		content string
		want    Format
	}{
		{"", FormatEmpty}, {"GRIB", FormatGRIB}, {"some header\r\nGRIB....", FormatGRIB}, {"CDF\x01....", FormatNetCDF},
		{"CDF\x05....", FormatNetCDF}, {"\x89HDF\r\n\x1a\n", FormatNetCDF}, {strings.Repeat("x", 2048) + "\x89HDF\r\n\x1a\n", FormatNetCDF},
		{"TENSOGRM", FormatTensogram}, {"hello", FormatUnknown}, {"CDFx", FormatUnknown},
		{"\x1f\x8b\x08\x08....GRIB", FormatGzip}, {"BZh91AY&SY", FormatBzip2}, {"BZh9GRIB....", FormatGRIB},
		{"\x28\xb5\x2f\xfd", FormatZstd}, {"\xfd7zXZ\x00", FormatXz},
	} {
		got, err := DetectFormat(strings.NewReader(c.content), int64(len(c.content)))
		if err != nil || got != c.want {
			t.Errorf("%.20q is %q (error %v), want %q", c.content, got, err, c.want)
		}
	}
}

func TestOutputAppearsWhenComplete(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.tgm")
	begin := func() *Output {
		o, err := CreateOutput(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(o, "new"); err != nil {
			t.Fatal(err)
		}
		return o
	}
	entries := func() int {
		e, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(e)
	}
	begin().Abort()
	if n := entries(); n != 0 {
		t.Errorf("%d files are left after Abort", n)
	}
	o := begin()
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	o.Abort()
	if b, err := os.ReadFile(path); err != nil || string(b) != "new" || entries() != 1 {
		t.Errorf("the file holds %q, error %v", b, err)
	}
	write(t, path, "old")
	begin().Abort()
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("after Abort the file holds %q, want what it held before", b)
	}

	// A link's target is replaced, not the link.
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	path = link
	if err := begin().Commit(); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}

	path = os.DevNull
	if err := begin().Commit(); err != nil {
		t.Error(err)
	}
	if _, err := CreateOutput(dir); err == nil {
		t.Error("a folder is accepted as output")
	}
	if _, err := CreateOutput(filepath.Join(dir, "none", "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
}
