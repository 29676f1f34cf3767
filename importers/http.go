package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

const (
	httpBlock    = 64 << 10 // small reads fetch blocks of this size
	httpBlocks   = 64       // of which so many are kept
	httpAttempts = 4        // for each request, when the server or the network fails in a way that may pass
	httpPause    = 200 * time.Millisecond
	httpPatience = 30 * time.Second // for an answer to begin
)

// openURL opens a file on a web server by range requests.
func (o *Opener) openURL(ctx context.Context, url string) (*InputFile, error) {
	r := &httpReader{ctx: ctx, url: url, client: newHTTPClient(), blocks: make(map[int64][]byte)}
	resp, err := r.request(0, 1)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		// The server knows no ranges and sends the whole file.
		return o.spool(ctx, url, resp.Body, nil)
	}
	if r.size, err = rangeSize(resp); err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	r.etag = resp.Header.Get("ETag")
	if strings.HasPrefix(r.etag, "W/") {
		r.etag = ""
	}
	idle := func() error { r.client.CloseIdleConnections(); return nil }
	return &InputFile{ReaderAt: r, Name: url, Size: r.size, closer: idle}, nil
}

// newHTTPClient gives up on servers that accept a request and never answer it.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = httpPatience
	return &http.Client{Transport: transport}
}

// rangeSize is the size of the whole file, from the answer to a range request.
func rangeSize(resp *http.Response) (int64, error) {
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return 0, nil // not even a first byte
	}
	r := resp.Header.Get("Content-Range")
	_, total, ok := strings.Cut(r, "/")
	size, err := strconv.ParseInt(total, 10, 64)
	if !ok || err != nil || size < 0 {
		return 0, fmt.Errorf("the server's Content-Range is %q, expected bytes 0-0/SIZE", r)
	}
	return size, nil
}

// httpReader reads a remote file. Blocks for small reads are kept for the next ones near them; long reads go straight to
// their place. It may be used by several goroutines.
type httpReader struct {
	ctx    context.Context
	url    string
	client *http.Client
	size   int64
	etag   string // of the file when it was opened; empty when the server gives none

	mu     sync.Mutex
	blocks map[int64][]byte
	recent []int64 // keys of blocks, oldest first
}

// ReadAt implements io.ReaderAt.
func (h *httpReader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: negative offset %d", h.url, off)
	}
	want := len(p)
	if off >= h.size {
		return 0, io.EOF
	}
	p = p[:min(int64(want), h.size-off)]
	var err error
	if len(p) >= httpBlock {
		err = h.fetch(p, off)
	} else {
		err = h.readBlocks(p, off)
	}
	if err != nil {
		return 0, err
	}
	if len(p) < want {
		return len(p), io.EOF
	}
	return len(p), nil
}

func (h *httpReader) readBlocks(p []byte, off int64) error {
	for len(p) > 0 {
		n := off / httpBlock
		block, err := h.block(n)
		if err != nil {
			return err
		}
		copied := copy(p, block[off-n*httpBlock:])
		p, off = p[copied:], off+int64(copied)
	}
	return nil
}

func (h *httpReader) block(n int64) ([]byte, error) {
	h.mu.Lock()
	block := h.blocks[n]
	h.mu.Unlock()
	if block != nil {
		return block, nil
	}
	block = make([]byte, min(httpBlock, h.size-n*httpBlock))
	if err := h.fetch(block, n*httpBlock); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.blocks[n] == nil {
		if len(h.recent) == httpBlocks {
			delete(h.blocks, h.recent[0])
			h.recent = h.recent[1:]
		}
		h.blocks[n] = block
		h.recent = append(h.recent, n)
	}
	return block, nil
}

// fetch fills p with the bytes at off, in one request.
func (h *httpReader) fetch(p []byte, off int64) error {
	for attempt := 1; ; attempt++ {
		err := h.fetchOnce(p, off)
		var final *httpError
		if err == nil || attempt == httpAttempts || h.ctx.Err() != nil || errors.As(err, &final) {
			return err
		}
		if err := h.pause(attempt); err != nil {
			return err
		}
	}
}

func (h *httpReader) fetchOnce(p []byte, off int64) error {
	resp, err := h.request(off, int64(len(p)))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		return &httpError{h.url, resp.Status, "206 for a range of the file"}
	}
	want := fmt.Sprintf("bytes %d-%d/", off, off+int64(len(p))-1)
	if got := resp.Header.Get("Content-Range"); !strings.HasPrefix(got, want) {
		return &httpError{h.url, "Content-Range " + got, want}
	}
	if _, err := io.ReadFull(resp.Body, p); err != nil {
		return fmt.Errorf("%s: reading %d bytes at byte %d: %w", h.url, len(p), off, err)
	}
	return nil
}

// request asks for n bytes at off. It gives back answers that are not errors, 416 among them.
func (h *httpReader) request(off, n int64) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		req, err := http.NewRequestWithContext(h.ctx, http.MethodGet, h.url, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.url, err)
		}
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
		req.Header.Set("Accept-Encoding", "identity")
		if h.etag != "" {
			req.Header.Set("If-Match", h.etag)
		}
		resp, err := h.client.Do(req)
		passing := err != nil && h.ctx.Err() == nil
		if err == nil {
			switch {
			case resp.StatusCode < 300 || resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
				return resp, nil
			case resp.StatusCode == http.StatusPreconditionFailed:
				err = &httpError{h.url, "a changed file", "the one that was opened"}
			default:
				passing = resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests
				err = &httpError{h.url, resp.Status, "the file"}
			}
			resp.Body.Close()
		}
		if !passing || attempt == httpAttempts {
			return nil, err
		}
		if err := h.pause(attempt); err != nil {
			return nil, err
		}
	}
}

// pause waits before the next attempt, twice as long each time.
func (h *httpReader) pause(attempt int) error {
	timer := time.NewTimer(httpPause << (attempt - 1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-h.ctx.Done():
		return h.ctx.Err()
	}
}

// An httpError is an answer that asking again does not change.
type httpError struct{ url, found, expected string }

func (e *httpError) Error() string {
	return fmt.Sprintf("%s: the server answered %s, expected %s", e.url, e.found, e.expected)
}
