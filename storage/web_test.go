package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// rangeServer serves content by ranges, failing the first requests, and counts the bytes it sends.
type rangeServer struct {
	content  []byte
	failures atomic.Int32
	delay    time.Duration
	sent     atomic.Int64
	requests atomic.Int32
	inFlight atomic.Int32
	peak     atomic.Int32
	etag     atomic.Value
	seen     atomic.Pointer[http.Request]
	rest     atomic.Int64 // where not 0, the bytes after which an answer is cut off, once
}

func newRangeServer(t *testing.T, size int) (*rangeServer, string) {
	s := &rangeServer{content: make([]byte, size)}
	for i := range s.content {
		s.content[i] = byte(i * 7 >> 3)
	}
	s.etag.Store(`"1"`)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func (s *rangeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	s.seen.Store(r)
	s.peak.Store(max(s.peak.Load(), s.inFlight.Add(1)))
	defer s.inFlight.Add(-1)
	time.Sleep(s.delay)
	if s.failures.Add(-1) >= 0 {
		w.Header().Set("Retry-After", "0")
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("ETag", s.etag.Load().(string))
	if n := s.rest.Swap(0); n > 0 {
		w = &cutResponse{w, n}
	}
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

// A cutResponse ends the connection after some bytes.
type cutResponse struct {
	http.ResponseWriter
	left int64
}

func (c *cutResponse) Write(p []byte) (int, error) {
	if c.left -= int64(len(p)); c.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return c.ResponseWriter.Write(p)
}

func open(t *testing.T, c *Client, location string) Blob {
	t.Helper()
	b, err := c.Open(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(); c.Close() })
	return b
}

func TestWebReadsOnlyWhatIsAskedFor(t *testing.T) {
	s, url := newRangeServer(t, 40<<20)
	s.failures.Store(2)
	b := open(t, new(Client), url)
	if b.Size() != int64(len(s.content)) || b.ETag() != "1" {
		t.Fatalf("size %d, entity tag %s", b.Size(), b.ETag())
	}
	for _, c := range []struct{ off, n int }{{0, 16}, {10, 100}, {blockSize - 5, 10}, {1 << 20, 3 * blockSize}, {30 << 20, 600 << 10}, {len(s.content) - 4, 4}} {
		p := make([]byte, c.n)
		if _, err := b.ReadAt(t.Context(), p, int64(c.off)); err != nil || !bytes.Equal(p, s.content[c.off:c.off+c.n]) {
			t.Errorf("%d bytes at %d: error %v or wrong bytes", c.n, c.off, err)
		}
	}
	if sent := s.sent.Load(); sent > 18*blockSize {
		t.Errorf("%d bytes were fetched", sent)
	}
	p := make([]byte, 10)
	if n, err := b.ReadAt(t.Context(), p, b.Size()-3); n != 3 || err != io.EOF {
		t.Errorf("read %d bytes at the end, error %v, want 3 and EOF", n, err)
	}
	if n, err := b.ReadAt(t.Context(), p, b.Size()); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes after the end, error %v, want EOF", n, err)
	}
	s.etag.Store(`"2"`)
	if _, err := b.ReadAt(t.Context(), p, 20<<20); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v when the file has changed", err)
	}
}

// Readers in order, each at its pace, cause every byte to be fetched once. There are few requests,
// several of them at a time.
func TestWebFetchesNoByteTwice(t *testing.T) {
	for _, size := range []int{1, blockSize, 300_000, 4 << 20, 20<<20 + 17} {
		s, url := newRangeServer(t, size)
		c := new(Client)
		var readers sync.WaitGroup
		for range 3 {
			b := open(t, c, url)
			readers.Go(func() {
				p := make([]byte, 10_000)
				for off := 0; off < size; {
					n, err := b.ReadAt(t.Context(), p[:1+rand.IntN(len(p))], int64(off))
					if err != nil && err != io.EOF || !bytes.Equal(p[:n], s.content[off:off+n]) {
						t.Errorf("byte %d: %v, or wrong bytes", off, err)
						return
					}
					off += n
				}
			})
		}
		readers.Wait()
		for s.inFlight.Load() > 0 { // the last answer may have come before the server has counted it
			time.Sleep(time.Millisecond)
		}
		if sent := s.sent.Load(); sent != int64(size) {
			t.Errorf("%d bytes were sent of a file of %d", sent, size)
		}
		if n := s.requests.Load(); int(n) > 6+size/shortRange {
			t.Errorf("%d requests for %d bytes", n, size)
		}
		if peak := s.peak.Load(); peak > rangesInFlight {
			t.Errorf("%d requests at a time, expected at most %d", peak, rangesInFlight)
		}
	}
}

// A file that is read in order takes about as long as a plain download.
func TestWebHidesDelays(t *testing.T) {
	s, url := newRangeServer(t, 4<<20)
	s.delay = 50 * time.Millisecond
	b := open(t, new(Client), url)
	p := make([]byte, 10_000)
	for off := int64(0); off < b.Size(); off += int64(len(p)) {
		if _, err := b.ReadAt(t.Context(), p, off); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	// One request to open, and a few in a row before the rest is fetched at once. It must not be
	// a request for each block.
	if n := s.requests.Load(); n > 12 {
		t.Errorf("%d requests", n)
	}
}

// An object that is opened to be read as a whole comes at once, in any order of reading.
func TestWebWhole(t *testing.T) {
	s, url := newRangeServer(t, 4<<20)
	b, err := new(Client).Open(Whole(t.Context()), url)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p := make([]byte, 100)
	for off := b.Size() - 100; off >= 0; off -= 100_000 {
		if _, err := b.ReadAt(t.Context(), p, off); err != nil || !bytes.Equal(p, s.content[off:off+100]) {
			t.Fatalf("byte %d: error %v or wrong bytes", off, err)
		}
	}
	fetched(t, &s.sent, int64(len(s.content)))
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests, expected 1", n)
	}
}

// An object whose first answer is cut off goes on with another request. An object longer than is
// fetched at once goes on ahead of its reader.
func TestWebWholeGoesOn(t *testing.T) {
	s, url := newRangeServer(t, 12<<20)
	s.rest.Store(3 << 20)
	b, err := new(Client).Open(Whole(t.Context()), url)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p := make([]byte, b.Size())
	if _, err := b.ReadAt(t.Context(), p, 0); err != nil || !bytes.Equal(p, s.content) {
		t.Errorf("error %v or wrong bytes", err)
	}
}

func TestWebWithoutRanges(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "the whole file")
	}))
	defer server.Close()
	if got := contents(t, open(t, new(Client), server.URL+"/x")); got != "the whole file" {
		t.Errorf("read %q", got)
	}
	if _, err := new(Client).Open(t.Context(), server.URL+"/y"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v for a file that is not there", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(Client).Open(ctx, server.URL+"/x"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// A server that stops in the middle of an answer is asked again, and given up after a while.
func TestWebGivesUpOnSilence(t *testing.T) {
	over := make(chan struct{})
	var silent atomic.Int32
	content := make([]byte, 4*blockSize)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if silent.Add(-1) >= 0 {
			w.Header().Set("Content-Length", fmt.Sprint(2*blockSize))
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", 2*blockSize, 4*blockSize-1, 4*blockSize))
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
	const patience = 1500 * time.Millisecond // long enough for a busy machine to answer in a third of it
	b := open(t, &Client{patience: patience}, server.URL)
	silent.Store(1)
	if _, err := b.ReadAt(t.Context(), make([]byte, 2*blockSize), 2*blockSize); err != nil {
		t.Errorf("one silence: %v", err)
	}
	b = open(t, &Client{patience: patience}, server.URL)
	silent.Store(100)
	var silence *SilenceError
	if _, err := b.ReadAt(t.Context(), make([]byte, 2*blockSize), 2*blockSize); !errors.As(err, &silence) || silence.Lasted != patience {
		t.Errorf("error %v, want that of a server that was silent for %v", err, patience)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.ReadAt(ctx, make([]byte, 2*blockSize), 2*blockSize); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}

// A server without ranges that stops in the middle is asked three times.
func TestWebGivesUpOnSilenceWithoutRanges(t *testing.T) {
	over := make(chan struct{})
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Length", "1000")
		w.Write(make([]byte, 10))
		w.(http.Flusher).Flush()
		<-over
	}))
	defer server.Close()
	defer close(over)
	const patience = 1500 * time.Millisecond // long enough for a busy machine to answer in a third of it
	var silence *SilenceError
	_, err := (&Client{patience: patience}).Open(t.Context(), server.URL)
	if !errors.As(err, &silence) || silence.Lasted != patience || requests.Load() != stalls {
		t.Errorf("error %v after %d requests, want that of a server that was silent for %v", err, requests.Load(), patience)
	}
}

// A server that does not heed If-Match shows by its ETag, or by the date, that the file is another.
func TestWebNoticesAChangedFile(t *testing.T) {
	for _, header := range []string{"ETag", "Last-Modified"} {
		var value atomic.Value
		value.Store(map[string]string{"ETag": `"1"`, "Last-Modified": "Tue, 15 Nov 1994 12:45:26 GMT"}[header])
		content := make([]byte, 3*blockSize)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("If-Match")
			r.Header.Del("If-Unmodified-Since")
			w.Header().Set(header, value.Load().(string))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		}))
		b := open(t, new(Client), server.URL)
		value.Store(map[string]string{"ETag": `"2"`, "Last-Modified": "Tue, 15 Nov 1994 12:45:27 GMT"}[header])
		if _, err := b.ReadAt(t.Context(), make([]byte, 10), 2*blockSize); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v for a changed file", header, err)
		}
		server.Close()
	}
}

func TestWebErrorsNameTheAddressOnce(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, err := new(Client).Open(t.Context(), server.URL)
	if err == nil || strings.Count(err.Error(), server.URL) != 1 || !strings.HasPrefix(err.Error(), server.URL+": ") {
		t.Errorf("error %v", err)
	}
	secret := strings.Replace(server.URL, "http://", "http://me:hushhush@", 1)
	if _, err = new(Client).Open(t.Context(), secret); err == nil || strings.Contains(err.Error(), "hushhush") {
		t.Errorf("error %v", err)
	}
}

func TestWebPasswordsAndHeaders(t *testing.T) {
	s, url := newRangeServer(t, 10)
	netrcFile := t.TempDir() + "/netrc"
	write(t, netrcFile, "machine 127.0.0.1 login me password hush\n")
	t.Setenv("NETRC", netrcFile)
	open(t, &Client{Header: http.Header{"X-Api-Key": {"k"}}}, url)
	if user, pass, _ := s.seen.Load().BasicAuth(); user != "me" || pass != "hush" || s.seen.Load().Header.Get("X-Api-Key") != "k" {
		t.Errorf("user %s, password %s, header %v", user, pass, s.seen.Load().Header)
	}
	open(t, new(Client), strings.Replace(url, "http://", "http://you:pw@", 1))
	if user, pass, _ := s.seen.Load().BasicAuth(); user != "you" || pass != "pw" {
		t.Errorf("user %s, password %s", user, pass)
	}
	open(t, &Client{Header: http.Header{"Authorization": {"Bearer t"}}}, url)
	if got := s.seen.Load().Header.Get("Authorization"); got != "Bearer t" {
		t.Errorf("Authorization %s", got)
	}
}

// Where a redirect leads is remembered, until it leads nowhere; secrets do not follow it to another
// host.
func TestWebRemembersRedirects(t *testing.T) {
	s, _ := newRangeServer(t, 8*blockSize)
	var redirects, gone atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Add(-1) >= 0 {
			http.Error(w, "expired", http.StatusForbidden)
			return
		}
		s.ServeHTTP(w, r)
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		redirects.Add(1)
		http.Redirect(w, r, elsewhere.URL+"/signed", http.StatusFound)
	}))
	defer server.Close()
	b := open(t, &Client{Header: http.Header{"Authorization": {"Bearer t"}}}, server.URL)
	read := func(block int64) {
		t.Helper()
		if _, err := b.ReadAt(t.Context(), make([]byte, 1), block*blockSize); err != nil {
			t.Error(err)
		}
	}
	read(2)
	read(4)
	if n := redirects.Load(); n != 1 {
		t.Errorf("%d redirects, expected one", n)
	}
	gone.Store(1)
	read(7)
	if n := redirects.Load(); n != 2 {
		t.Errorf("%d redirects after the address had expired, expected two", n)
	}
}

// A server that always fails is given up after some attempts. A server that asks to wait is waited
// for.
func TestWebRetries(t *testing.T) {
	s, url := newRangeServer(t, 10)
	s.failures.Store(1000)
	var status *StatusError
	if _, err := new(Client).Open(t.Context(), url); !errors.As(err, &status) || s.requests.Load() != attempts {
		t.Errorf("error %v after %d requests", err, s.requests.Load())
	}
	if wait := retryAfter("7"); wait != 7*time.Second {
		t.Errorf("Retry-After: 7 is %v", wait)
	}
	if wait := retryAfter(time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)); wait < 59*time.Minute || wait > time.Hour {
		t.Errorf("Retry-After with a date is %v", wait)
	}
}

// An answer that is cut off goes on where it was.
func TestWebGoesOnAfterACut(t *testing.T) {
	content := make([]byte, 6*blockSize)
	for i := range content {
		content[i] = byte(i >> 9)
	}
	var sent atomic.Int64
	var cut atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "bytes=0-65535" && cut.CompareAndSwap(false, true) {
			w.Header().Set("Content-Length", fmt.Sprint(4*blockSize))
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", blockSize, 5*blockSize-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
			n, _ := w.Write(content[blockSize : 3*blockSize+100])
			sent.Add(int64(n))
			return
		}
		http.ServeContent(&countingResponse{w, &sent}, r, "", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	b := open(t, new(Client), server.URL)
	p := make([]byte, 4*blockSize)
	if _, err := b.ReadAt(t.Context(), p, blockSize); err != nil || !bytes.Equal(p, content[blockSize:5*blockSize]) {
		t.Errorf("error %v, or wrong bytes", err)
	}
	if n := sent.Load(); n > 5*blockSize+100 || !cut.Load() {
		t.Errorf("%d bytes sent", n)
	}
}

// TestReadAroundBlocksThatAreThere reads several blocks at once. First a block in between is
// there, then the blocks at the sides.
func TestReadAroundBlocksThatAreThere(t *testing.T) {
	s, url := newRangeServer(t, 4<<20)
	c := new(Client)
	b, err := c.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	defer b.Close()
	for _, read := range [][2]int{{31 * blockSize, 1}, {34 * blockSize, 1}, {30 * blockSize, 6 * blockSize}} {
		p := make([]byte, read[1])
		if _, err := b.ReadAt(t.Context(), p, int64(read[0])); err != nil || !bytes.Equal(p, s.content[read[0]:read[0]+read[1]]) {
			t.Errorf("%d bytes at %d: error %v or wrong bytes", read[1], read[0], err)
		}
	}
}
