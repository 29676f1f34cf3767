package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/jdx/go-netrc"
)

// web is shared by all requests of a client: its connections, extra header and passwords.
type web struct {
	client *http.Client // steady; for callers who judge the answer themselves
	base   *http.Transport
	header http.Header
	netrc  func() *netrc.Netrc
}

func newWeb(c *Client) *web {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConnsPerHost = rangesInFlight + sparseReads
	return &web{
		client: &http.Client{Transport: &steady{base, c.patience}},
		base:   base, header: c.Header, netrc: sync.OnceValue(readNetrc),
	}
}

// readNetrc reads the user's file of passwords: $NETRC, or .netrc (_netrc on Windows) in the home
// folder. A file that cannot be read counts as absent.
func readNetrc() *netrc.Netrc {
	names := []string{os.Getenv("NETRC")}
	if names[0] == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		names = []string{filepath.Join(home, ".netrc"), filepath.Join(home, "_netrc")}
	}
	for _, name := range names {
		if list, err := netrc.Parse(name); err == nil {
			return list
		}
	}
	return nil
}

// authorise adds the user's header and password to a request. They are added only for the host
// that they are for.
func (w *web) authorise(req *http.Request, host string) {
	same := req.URL.Host == host
	for name, values := range w.header {
		switch name {
		case "Authorization", "Cookie", "Proxy-Authorization":
			if !same {
				continue
			}
		case "Host":
			req.Host = values[0]
			continue
		}
		req.Header[name] = values
	}
	if req.URL.User != nil || req.Header.Get("Authorization") != "" {
		return
	}
	if list := w.netrc(); list != nil {
		if m := list.Machine(req.URL.Hostname()); m != nil && !m.IsDefault {
			req.SetBasicAuth(m.Get("login"), m.Get("password"))
		}
	}
}

// webBucket is the files on web servers, by their addresses.
type webBucket struct{ c *Client }

// Open implements Bucket. A server that does not know ranges sends the whole file, which is kept in
// a temporary file.
func (b webBucket) Open(ctx context.Context, address string) (Blob, error) {
	return b.c.objects.get(address, func() (Blob, bool, error) {
		u, err := url.Parse(address)
		if err != nil {
			var ue *url.Error
			if errors.As(err, &ue) {
				err = ue.Err
			}
			return nil, false, err
		}
		blob, err := openRanges(ctx, b.c, &webFile{web: b.c.web, address: u})
		return blob, false, err
	})
}

// List implements Bucket: the web has no lists.
func (webBucket) List(context.Context, string) iter.Seq2[Entry, error] { return noList("a web server") }

// Create implements Bucket: web servers are not written to.
func (webBucket) Create(_ context.Context, address string) (Writer, error) {
	return nil, fmt.Errorf("%s: web servers are read only, expected a local path or s3, gs or az", Display(address))
}

// webFile reads a file on a web server.
type webFile struct {
	web     *web
	address *url.URL
	sign    func(*http.Request) error // adds credentials, if not nil

	mu    sync.Mutex
	moved *url.URL // where it was found last, when the server had redirected
}

// get implements ranged.
func (f *webFile) get(ctx context.Context, off, n int64, v version) (*answer, error) {
	f.mu.Lock()
	at := f.moved
	f.mu.Unlock()
	if at == nil {
		at = f.address
	}
	resp, err := f.ask(ctx, at, off, n, v)
	if err == nil && at != f.address && resp.StatusCode >= 400 && resp.StatusCode < 500 && resp.StatusCode != http.StatusPreconditionFailed {
		// Where a redirect leads may be valid for some time only.
		resp.Body.Close()
		resp, err = f.ask(ctx, f.address, off, n, v)
	}
	if err != nil {
		return nil, err
	}
	a, err := answerOf(resp, off, n, v)
	if err != nil {
		resp.Body.Close()
		return nil, err
	}
	if final := resp.Request.URL; final != nil && final.String() != at.String() {
		f.mu.Lock()
		f.moved = final
		f.mu.Unlock()
	}
	return a, nil
}

func (f *webFile) ask(ctx context.Context, at *url.URL, off, n int64, v version) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, cause(ctx, err)
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	req.Header.Set("Accept-Encoding", "identity")
	if v.etag != "" {
		req.Header.Set("If-Match", v.etag)
	} else if v.modified != "" {
		req.Header.Set("If-Unmodified-Since", v.modified)
	}
	f.web.authorise(req, f.address.Host)
	if f.sign != nil {
		if err := f.sign(req); err != nil {
			return nil, err
		}
	}
	resp, err := f.web.client.Do(req)
	if err != nil {
		return nil, cause(ctx, err)
	}
	return resp, nil
}

// answerOf judges the answer to a request for n bytes at off of version v.
func answerOf(resp *http.Response, off, n int64, v version) (*answer, error) {
	a := &answer{body: resp.Body, version: versionOf(resp.Header), size: -1}
	switch resp.StatusCode {
	case http.StatusPreconditionFailed:
		return nil, errChanged
	case http.StatusRequestedRangeNotSatisfiable:
		if off > 0 {
			return nil, errChanged // the object has become shorter
		}
		a.size = 0
		return a, nil
	case http.StatusOK:
		a.whole = true
		return a, nil
	case http.StatusPartialContent:
	default:
		return nil, statusError(resp, "the file")
	}
	if v.differs(a.version) {
		return nil, errChanged // from a server that does not heed If-Match
	}
	got := resp.Header.Get("Content-Range")
	var first, last int64
	bounds, total, ok := strings.Cut(strings.TrimPrefix(got, "bytes "), "/")
	_, scanErr := fmt.Sscanf(bounds, "%d-%d", &first, &last)
	size, err := strconv.ParseInt(total, 10, 64)
	if !ok || err != nil || scanErr != nil || size < 0 {
		return nil, fmt.Errorf("the server's Content-Range is %q, expected bytes FIRST-LAST/SIZE", got)
	}
	if want := min(off+n, size) - 1; first != off || last != want {
		return nil, &StatusError{"Content-Range " + got, fmt.Sprintf("bytes %d-%d/%d", off, want, size), nil}
	}
	a.size = size
	return a, nil
}

// statusError is the error that an answer's status means, nil for success.
func statusError(resp *http.Response, expected string) error {
	e := &StatusError{Found: resp.Status, Expected: expected}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return nil
	case http.StatusNotFound, http.StatusGone:
		e.Err = fs.ErrNotExist
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Err = fs.ErrPermission
	}
	return e
}

// versionOf is the version that an answer's header names. Weak entity tags do not identify bytes.
func versionOf(h http.Header) version {
	v := version{etag: h.Get("ETag"), modified: h.Get("Last-Modified")}
	if strings.HasPrefix(v.etag, "W/") {
		v.etag = ""
	}
	return v
}

// A StatusError reports an unexpected answer of a server that a further attempt would not change.
type StatusError struct {
	Found, Expected string
	Err             error // its meaning, if not nil
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the server answered %s, expected %s", e.Found, e.Expected)
}

// Unwrap returns the meaning of the status.
func (e *StatusError) Unwrap() error { return e.Err }

var errChanged = &StatusError{"a changed file", "the one that was opened", ErrChanged}
