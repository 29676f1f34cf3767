package storage

import (
	"context"
	"net/http"
	"os"
	"time"
)

// SameFile reports whether two locations are the same regular file, or the same object.
func SameFile(a, b string) bool {
	if IsRemote(a) || IsRemote(b) {
		return a == b
	}
	in, err := os.Stat(LocalPath(a))
	if err != nil {
		return false
	}
	out, err := os.Stat(LocalPath(b))
	return err == nil && out.Mode().IsRegular() && os.SameFile(in, out)
}

// Newer reports whether a file or object was written after all of others. It is false if that is
// not known, because a file does not exist or a server does not give times.
func (c *Client) Newer(ctx context.Context, location string, others ...string) bool {
	written, ok := c.modified(ctx, location)
	if !ok {
		return false
	}
	for _, other := range others {
		if changed, ok := c.modified(ctx, other); !ok || !changed.Before(written) {
			return false
		}
	}
	return true
}

// modified is the time when a file or object was last written. Servers give it in whole seconds.
func (c *Client) modified(ctx context.Context, location string) (time.Time, bool) {
	if !IsRemote(location) {
		st, err := os.Stat(LocalPath(location))
		if err != nil {
			return time.Time{}, false
		}
		return st.ModTime(), true
	}
	b, name, err := c.Resolve(location)
	if err != nil {
		return time.Time{}, false
	}
	blob, err := b.Open(ctx, name)
	if err != nil {
		return time.Time{}, false
	}
	defer blob.Close()
	for {
		if r, ok := blob.(*remoteBlob); ok {
			t, err := http.ParseTime(r.version.modified)
			return t, err == nil
		}
		wrapped, ok := blob.(interface{ Unwrap() Blob })
		if !ok {
			return time.Time{}, false
		}
		blob = wrapped.Unwrap()
	}
}
