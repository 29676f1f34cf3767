package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// gsBucket is a bucket of Google Cloud Storage. Objects are read through the XML interface, which
// heeds If-Match; lists and resumable uploads use the JSON interface.
type gsBucket struct {
	c      *Client
	name   string
	host   string             // "https://storage.googleapis.com"
	tokens oauth2.TokenSource // nil: requests carry no credentials
}

const gsScope = "https://www.googleapis.com/auth/devstorage.read_write"

// newGSBucket finds the application default credentials: GOOGLE_APPLICATION_CREDENTIALS, gcloud's
// file, the machine's account. Where it finds no credentials, requests are sent without, which is
// enough for public buckets. STORAGE_EMULATOR_HOST names another server, which needs no
// credentials.
func newGSBucket(c *Client, name string) (*gsBucket, error) {
	b := &gsBucket{c: c, name: name, host: "https://storage.googleapis.com"}
	if host := os.Getenv("STORAGE_EMULATOR_HOST"); host != "" {
		if !strings.Contains(host, "://") {
			host = "http://" + host
		}
		b.host = strings.TrimRight(host, "/")
		return b, nil
	}
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, c.web.client)
	found, err := google.FindDefaultCredentials(ctx, gsScope)
	switch {
	case err == nil:
		b.tokens = found.TokenSource
	case os.Getenv("GOOGLE_APPLICATION_CREDENTIALS") != "":
		return nil, err
	}
	return b, nil
}

func (b *gsBucket) location(name string) string { return "gs://" + b.name + "/" + name }

// sign adds credentials to a request.
func (b *gsBucket) sign(req *http.Request) error {
	if b.tokens == nil {
		return nil
	}
	t, err := b.tokens.Token()
	if err != nil {
		return fmt.Errorf("credentials of Google Cloud: %w", err)
	}
	t.SetAuthHeader(req)
	return nil
}

// Open implements Bucket.
func (b *gsBucket) Open(ctx context.Context, name string) (Blob, error) {
	return b.c.objects.get(b.location(name), func() (Blob, bool, error) {
		u, err := url.Parse(b.host)
		if err != nil {
			return nil, false, err
		}
		u = u.JoinPath(b.name)
		u.Path, u.RawPath = u.Path+"/"+name, u.EscapedPath()+"/"+escapeKey(name)
		blob, err := openRanges(ctx, b.c, &webFile{web: b.c.web, address: u, sign: b.sign})
		return blob, false, err
	})
}

// escapeKey escapes an object's name as the path of an address.
func escapeKey(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// send sends a request and judges its status; statuses in allowed are no errors. The error text
// names the expected answer.
func (b *gsBucket) send(ctx context.Context, method, address string, body []byte, header http.Header, expected string, allowed ...int) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, cause(ctx, err)
	}
	if len(body) == 0 {
		req.Body, req.GetBody = http.NoBody, nil
	}
	for key, values := range header {
		req.Header[key] = values
	}
	if err := b.sign(req); err != nil {
		return nil, err
	}
	resp, err := b.c.web.client.Do(req)
	if err != nil {
		return nil, cause(ctx, err)
	}
	if err := statusError(resp, expected); err != nil && !slices.Contains(allowed, resp.StatusCode) {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// List implements Bucket.
func (b *gsBucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		query := url.Values{"prefix": {prefix}, "fields": {"nextPageToken,items(name,size,updated,etag)"}}
		for {
			page, err := b.page(ctx, query)
			if err != nil {
				yield(Entry{}, located(b.location(prefix), err))
				return
			}
			for _, o := range page.Items {
				size, _ := strconv.ParseInt(o.Size, 10, 64)
				if !yield(Entry{o.Name, size, o.Updated, o.ETag}, nil) {
					return
				}
			}
			if page.NextPageToken == "" {
				return
			}
			query.Set("pageToken", page.NextPageToken)
		}
	}
}

type gsPage struct {
	NextPageToken string
	Items         []struct {
		Name, Size, ETag string
		Updated          time.Time
	}
}

func (b *gsBucket) page(ctx context.Context, query url.Values) (*gsPage, error) {
	resp, err := b.send(ctx, http.MethodGet, b.host+"/storage/v1/b/"+url.PathEscape(b.name)+"/o?"+query.Encode(), nil, nil, "a list")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	page := new(gsPage)
	if err := json.NewDecoder(resp.Body).Decode(page); err != nil {
		return nil, fmt.Errorf("the list of objects: %w", err)
	}
	return page, nil
}

// Create implements Bucket.
func (b *gsBucket) Create(ctx context.Context, name string) (Writer, error) {
	if name == "" {
		return nil, fmt.Errorf("%s: no object is named", b.location(name))
	}
	return newUpload(ctx, b.c, b.location(name), &gsUpload{bucket: b, name: name}), nil
}

// Remove implements Remover.
func (b *gsBucket) Remove(ctx context.Context, name string) error {
	defer b.c.objects.forget(b.location(name))
	address := b.host + "/storage/v1/b/" + url.PathEscape(b.name) + "/o/" + url.PathEscape(name)
	err := again(ctx, func() error {
		resp, err := b.send(ctx, http.MethodDelete, address, nil, nil, "to remove the object", http.StatusNoContent, http.StatusNotFound)
		return drained(resp, err)
	})
	if err != nil {
		return located(b.location(name), err)
	}
	return nil
}

// gsUpload stores an object by a resumable upload. Its parts go one after the other, each a
// multiple of 256 KiB except for the last.
type gsUpload struct {
	bucket  *gsBucket
	name    string
	session string
	off     int64
	held    []byte // the newest part: only Commit knows whether it is the last
}

func (u *gsUpload) parallel() int { return 1 }

func (u *gsUpload) address(kind string) string {
	query := url.Values{"uploadType": {kind}, "name": {u.name}}
	return u.bucket.host + "/upload/storage/v1/b/" + url.PathEscape(u.bucket.name) + "/o?" + query.Encode()
}

var octetHeader = http.Header{"Content-Type": {"application/octet-stream"}}

func (u *gsUpload) whole(ctx context.Context, b []byte) error {
	return again(ctx, func() error {
		resp, err := u.bucket.send(ctx, http.MethodPost, u.address("media"), b, octetHeader, "to store the object")
		return drained(resp, err)
	})
}

func (u *gsUpload) begin(ctx context.Context) error {
	return again(ctx, func() error {
		resp, err := u.bucket.send(ctx, http.MethodPost, u.address("resumable"), nil, http.Header{"X-Upload-Content-Type": octetHeader["Content-Type"]}, "to store the object")
		if err != nil {
			return err
		}
		u.session = resp.Header.Get("Location")
		if err := drained(resp, nil); err != nil || u.session != "" {
			return err
		}
		return &StatusError{Found: "without an address for the upload", Expected: "one"}
	})
}

func (u *gsUpload) part(ctx context.Context, _ int, b []byte) error {
	if err := u.put(ctx, "*"); err != nil {
		return err
	}
	u.held = append(u.held[:0], b...)
	return nil
}

func (u *gsUpload) complete(ctx context.Context, _ int) error {
	return u.put(ctx, strconv.FormatInt(u.off+int64(len(u.held)), 10))
}

// put stores the part that is held. total is the size of the object, * while it is not known.
func (u *gsUpload) put(ctx context.Context, total string) error {
	if len(u.held) == 0 {
		return nil
	}
	end := u.off + int64(len(u.held))
	header := http.Header{"Content-Range": {fmt.Sprintf("bytes %d-%d/%s", u.off, end-1, total)}}
	err := again(ctx, func() error {
		resp, err := u.bucket.send(ctx, http.MethodPut, u.session, u.held, header, "to store the object", http.StatusPermanentRedirect)
		return drained(resp, err)
	})
	u.off = end
	return err
}

func (u *gsUpload) abort(ctx context.Context) error {
	resp, err := u.bucket.send(ctx, http.MethodDelete, u.session, nil, nil, "to end the upload", 499, http.StatusNoContent)
	return drained(resp, err)
}

// drained closes an answer whose body does not matter.
func drained(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	return resp.Body.Close()
}

// again tries a request with a body, which the transport sends once, again while its failure may
// pass.
func again(ctx context.Context, try func() error) error {
	for attempt := 1; ; attempt++ {
		err := try()
		if err == nil || attempt == attempts || ctx.Err() != nil {
			return err
		}
		if status, ok := err.(*StatusError); ok && !strings.HasPrefix(status.Found, "5") && !strings.HasPrefix(status.Found, "429") {
			return err
		}
		if err := pause(ctx, firstPause<<(attempt-1)); err != nil {
			return err
		}
	}
}
