package zarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// NewHTTP returns a store of the keys below a URL, such as http://127.0.0.1:8000 or
// https://host/data.zarr. The client decides about time-outs, proxies and connections; nil is
// http.DefaultClient. HTTP has no listing, so List yields errors.ErrUnsupported.
func NewHTTP(base string, client *http.Client) (Store, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fault.Errorf("zarr", "%w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fault.Errorf("zarr", "%s: expected a URL that begins with http:// or https://", base)
	}
	if client == nil {
		client = http.DefaultClient
	}
	return &httpStore{u, client}, nil
}

type httpStore struct {
	base   *url.URL
	client *http.Client
}

// Open implements Store.
func (s *httpStore) Open(ctx context.Context, key string) (Value, error) {
	response, err := s.request(ctx, http.MethodHead, key, Range{})
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	if response.ContentLength < 0 {
		return nil, fault.Errorf("zarr", "%s: the response has no Content-Length", s.url(key))
	}
	return &httpValue{s, key, Info{response.ContentLength, response.Header.Get("ETag")}}, nil
}

// An httpValue is a value on a server.
type httpValue struct {
	store *httpStore
	key   string
	info  Info
}

// Info implements Value.
func (v *httpValue) Info() Info { return v.info }

// Read implements Value. A value that changed after it was opened is an error.
func (v *httpValue) Read(ctx context.Context, r Range) (io.ReadCloser, error) {
	body, info, err := v.store.Get(ctx, v.key, r)
	if err == nil && info != v.info {
		body.Close()
		return nil, fault.Errorf("zarr", "%s: changed from %d bytes %s to %d bytes %s while it was read",
			v.store.url(v.key), v.info.Size, v.info.ETag, info.Size, info.ETag)
	}
	return body, err
}

// Close implements Value.
func (v *httpValue) Close() error { return nil }

// Get implements Getter: it opens a part of a value with one request. A server that answers a range with the whole value
// costs time, not correctness.
func (s *httpStore) Get(ctx context.Context, key string, r Range) (io.ReadCloser, Info, error) {
	response, err := s.request(ctx, http.MethodGet, key, r)
	if err != nil {
		return nil, Info{}, err
	}
	body, info, err := s.body(response, r)
	if err != nil {
		response.Body.Close()
		return nil, Info{}, fault.Errorf("zarr", "%s: %w", s.url(key), err)
	}
	return &bodyReader{body, response.Body}, info, nil
}

// A bodyReader reads a part of a response and closes all of it.
type bodyReader struct {
	io.Reader
	io.Closer
}

// body is the part of a response that r selects.
func (s *httpStore) body(response *http.Response, r Range) (io.Reader, Info, error) {
	info := Info{response.ContentLength, response.Header.Get("ETag")}
	if response.StatusCode == http.StatusPartialContent {
		return partialBody(response, r, info)
	}
	if info.Size < 0 {
		return nil, info, errors.New("the server does not say how long it is")
	}
	offset, length, err := r.Resolve(info.Size)
	if err != nil {
		return nil, info, err
	}
	if _, err := io.CopyN(io.Discard, response.Body, offset); err != nil {
		return nil, info, err
	}
	return &exactReader{response.Body, length}, info, nil
}

// partialBody checks that the server sends the range it was asked for.
func partialBody(response *http.Response, r Range, info Info) (io.Reader, Info, error) {
	header := response.Header.Get("Content-Range")
	var first, last, size int64
	if _, err := fmt.Sscanf(header, "bytes %d-%d/%d", &first, &last, &size); err != nil {
		return nil, info, fmt.Errorf("content range is %q, expected bytes FIRST-LAST/SIZE", header)
	}
	info.Size = size
	offset, length, err := r.Resolve(size)
	if err != nil {
		return nil, info, err
	}
	if first != offset || last != offset+length-1 {
		return nil, info, fmt.Errorf("content range is %q, expected bytes %d-%d", header, offset, offset+length-1)
	}
	return &exactReader{response.Body, length}, info, nil
}

// An exactReader yields exactly n bytes of r, or fails.
type exactReader struct {
	r io.Reader
	n int64
}

func (e *exactReader) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.n)])
	if e.n -= int64(n); err == io.EOF && e.n > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// url is the address of a key, which stands in it escaped.
func (s *httpStore) url(key string) string {
	u := *s.base
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+"/"+key, ""
	return u.String()
}

// request sends a request; only 200 and 206 are no errors.
func (s *httpStore) request(ctx context.Context, method, key string, r Range) (*http.Response, error) {
	if !ValidKey(key) {
		return nil, KeyNotFound(key)
	}
	address := s.url(key)
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, fault.Errorf("zarr", "%w", err)
	}
	// Without this the transport undoes gzip by itself, and sizes and ranges are of other bytes.
	request.Header.Set("Accept-Encoding", "identity")
	if !r.Whole() {
		request.Header.Set("Range", "bytes="+r.String())
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, fault.Errorf("zarr", "%w", err)
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return response, nil
	}
	defer response.Body.Close()
	message, _ := io.ReadAll(io.LimitReader(response.Body, 300)) // the status says enough if this fails
	switch response.StatusCode {
	case http.StatusNotFound:
		return nil, fault.Errorf("zarr", "%s: %w", address, ErrNotFound)
	case http.StatusGone:
		return nil, fault.Errorf("zarr", "%s: %w", address, ErrGone)
	case http.StatusRequestedRangeNotSatisfiable:
		return nil, fault.Errorf("zarr", "%s: %w: %s", address, ErrRange, r)
	}
	return nil, fault.Errorf("zarr", "%s: status %d: %s", address, response.StatusCode, strconv.Quote(strings.TrimSpace(string(message))))
}

// List implements Store.
func (s *httpStore) List(context.Context, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		yield("", fault.Errorf("zarr", "%s: listing over HTTP: %w", s.base, errors.ErrUnsupported))
	}
}
