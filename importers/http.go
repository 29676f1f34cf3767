package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

func isURL(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

const (
	httpBlock    = 64 << 10 // small reads fetch blocks of this size
	httpBlocks   = 64       // of which so many are kept
	httpAttempts = 4        // for each request, when the server or the network fails in a way that may pass
	httpPause    = 200 * time.Millisecond
	httpPatience = 30 * time.Second // for an answer to begin, and for more of it to come
)

// openURL opens a file on a web server by range requests.
func (o *Opener) openURL(ctx context.Context, address string) (*InputFile, error) {
	r := &httpReader{ctx: ctx, url: address, client: newHTTPClient(), patience: httpPatience, blocks: make(map[int64][]byte)}
	if o.patience > 0 {
		r.patience = o.patience
	}
	resp, err := r.request(0, 1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		// The server knows no ranges and sends the whole file.
		return o.spool(ctx, address, resp.Body, nil)
	}
	if r.size, err = rangeSize(resp); err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	r.etag = resp.Header.Get("ETag")
	if strings.HasPrefix(r.etag, "W/") {
		r.etag = ""
	}
	idle := func() error { r.client.CloseIdleConnections(); return nil }
	return &InputFile{ReaderAt: r, Name: address, Size: r.size, closer: idle}, nil
}

// newHTTPClient is a client whose idle connections can be closed without closing those of others.
func newHTTPClient() *http.Client {
	return &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
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

// httpReader reads a remote file. Blocks for small reads are kept for the next ones near them; long
// reads go straight to their place. Its errors do not name the file: who reads it does. It may be
// used by several goroutines.
type httpReader struct {
	ctx      context.Context
	url      string
	client   *http.Client
	patience time.Duration
	size     int64
	etag     string // of the file when it was opened; empty when the server gives none

	mu     sync.Mutex
	blocks map[int64][]byte
	recent []int64 // keys of blocks, oldest first
}

// ReadAt implements io.ReaderAt.
func (h *httpReader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("negative offset %d", off)
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
		return &httpError{resp.Status, "206 for a range of the file"}
	}
	if etag := resp.Header.Get("ETag"); h.etag != "" && etag != "" && etag != h.etag {
		return errChanged // of a server that does not heed If-Match
	}
	want := fmt.Sprintf("bytes %d-%d/", off, off+int64(len(p))-1)
	if got := resp.Header.Get("Content-Range"); !strings.HasPrefix(got, want) {
		return &httpError{"Content-Range " + got, want}
	}
	if _, err := io.ReadFull(resp.Body, p); err != nil {
		return fmt.Errorf("reading %d bytes at byte %d: %w", len(p), off, err)
	}
	return nil
}

// request asks for n bytes at off. It gives back answers that are not errors, 416 among them.
func (h *httpReader) request(off, n int64) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		resp, err := h.ask(off, n)
		passing := err != nil && h.ctx.Err() == nil
		if err == nil {
			switch {
			case resp.StatusCode < 300 || resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
				return resp, nil
			case resp.StatusCode == http.StatusPreconditionFailed:
				err = errChanged
			default:
				passing = resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests
				err = &httpError{resp.Status, "the file"}
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

// ask sends one request. Neither it nor reading the answer's body lasts longer than the server has
// something to say.
func (h *httpReader) ask(off, n int64) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(h.ctx)
	silence := &httpSilence{h.patience}
	timer := time.AfterFunc(h.patience, func() { cancel(silence) })
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url, nil)
	if err == nil {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
		req.Header.Set("Accept-Encoding", "identity")
		if h.etag != "" {
			req.Header.Set("If-Match", h.etag)
		}
		var resp *http.Response
		if resp, err = h.client.Do(req); err == nil {
			resp.Body = &patientBody{resp.Body, ctx, cancel, timer, h.patience}
			return resp, nil
		}
	}
	timer.Stop()
	err = cause(ctx, err)
	cancel(nil)
	return nil, err
}

// cause says why a request ended when ctx has: the user wanted it, or the server was silent. It
// drops the address from errors of the network, which the caller adds.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

// patientBody is the body of an answer that is given up when nothing comes for long.
type patientBody struct {
	io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	patience time.Duration
}

func (b *patientBody) Read(p []byte) (int, error) {
	b.timer.Reset(b.patience)
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop() // what the caller does meanwhile may take its time
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

func (b *patientBody) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
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
type httpError struct{ found, expected string }

var errChanged = &httpError{"a changed file", "the one that was opened"}

func (e *httpError) Error() string {
	return fmt.Sprintf("the server answered %s, expected %s", e.found, e.expected)
}

// An httpSilence is an answer that does not come, or does not go on.
type httpSilence struct{ lasted time.Duration }

func (e *httpSilence) Error() string {
	return fmt.Sprintf("the server has sent nothing for %v", e.lasted)
}
