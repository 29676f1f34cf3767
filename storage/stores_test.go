package storage

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"
)

var schemes = []string{"s3", "gs", "az"}

func store(t *testing.T, c *Client, location string, b []byte) error {
	t.Helper()
	w, err := c.Create(t.Context(), location)
	if err != nil {
		return err
	}
	defer w.Abort()
	for len(b) > 0 {
		n, err := w.Write(b[:min(len(b), 1<<20+7)])
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return w.Commit()
}

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 ^ i>>11)
	}
	return b
}

func TestStoresWriteListAndRead(t *testing.T) {
	for _, scheme := range schemes {
		s := newFakeStore(t)
		c := new(Client)
		defer c.Close()
		for name, size := range map[string]int{"x/empty": 0, "x/small": 1000, "x/y/large é": 2*firstPart + 12345, "z": 1, "x/.hidden": 1} {
			location, want := scheme+"://bucket/"+name, pattern(size)
			if err := store(t, c, location, want); err != nil {
				t.Fatalf("%s: %v", location, err)
			}
			if got, ok := s.Get("bucket/" + name); !ok || !bytes.Equal(got, want) {
				t.Fatalf("%s: %d bytes were stored, of %d", location, len(got), size)
			}
			b, err := c.Open(t.Context(), location)
			if err != nil {
				t.Fatalf("%s: %v", location, err)
			}
			if got := contents(t, b); got != string(want) {
				t.Errorf("%s: other bytes are read than were written", location)
			}
			b.Close()
		}
		for l, want := range map[string][]string{"x/": {"x/empty", "x/small", "x/y/large é"}, "x/s*": {"x/small"}, "**/l*": {"x/y/large é"}, "x/small": {"x/small"}} {
			found, err := c.Find(t.Context(), scheme+"://bucket/"+l)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, in := range found {
				names = append(names, strings.TrimPrefix(in.Name, scheme+"://bucket/"))
			}
			if !slices.Equal(names, want) {
				t.Errorf("%s: %s is %v, expected %v", scheme, l, names, want)
			}
		}
	}
}

// A blob that is not committed does not appear, and its parts are dropped.
func TestStoresAbort(t *testing.T) {
	for _, scheme := range schemes {
		s := newFakeStore(t)
		c := new(Client)
		defer c.Close()
		for _, size := range []int{10, 2*firstPart + 10} {
			w, err := c.Create(t.Context(), scheme+"://bucket/x")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(pattern(size)); err != nil {
				t.Fatal(err)
			}
			w.Abort()
		}
		ctx, cancel := context.WithCancel(t.Context())
		w, err := c.Create(ctx, scheme+"://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(pattern(firstPart)); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := w.Commit(); err == nil {
			t.Errorf("%s: committed after the context had ended", scheme)
		}
		if len(s.Objects()) > 0 || scheme != "az" && s.Uploads() > 0 {
			t.Errorf("%s: %d objects and %d uploads are left", scheme, len(s.Objects()), s.Uploads())
		}
	}
}

// A server that is busy for a while is asked again. A server that stays busy leaves nothing.
func TestStoresThatAreBusy(t *testing.T) {
	for _, scheme := range schemes {
		s := newFakeStore(t)
		c := new(Client)
		defer c.Close()
		writes := func(r *http.Request) bool { return r.Method == http.MethodPut }
		s.Fail(2, writes)
		location, want := scheme+"://bucket/x", pattern(2*firstPart)
		if err := store(t, c, location, want); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
		s.Fail(2, nil)
		b, err := c.Open(t.Context(), location)
		if err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		if got := contents(t, b); got != string(want) {
			t.Errorf("%s: other bytes are read than were written", scheme)
		}
		b.Close()
		if scheme != "gs" {
			continue // their libraries give up late
		}
		s.Fail(1<<30, writes)
		var status *StatusError
		if err := store(t, c, scheme+"://bucket/y", want); !errors.As(err, &status) || !strings.HasPrefix(err.Error(), scheme+"://bucket/y: writing: ") {
			t.Errorf("%s: error %v", scheme, err)
		}
		if _, ok := s.Get("bucket/y"); ok {
			t.Errorf("%s: something was stored", scheme)
		}
	}
}

func TestStoresThatChange(t *testing.T) {
	for _, scheme := range schemes {
		s := newFakeStore(t)
		c := new(Client)
		defer c.Close()
		s.Put("bucket/x", pattern(1<<20))
		b, err := c.Open(t.Context(), scheme+"://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		s.Put("bucket/x", pattern(1<<20))
		if _, err := b.ReadAt(t.Context(), make([]byte, 10), 900_000); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v, want %v", scheme, err, ErrChanged)
		}
		if _, err := c.Open(t.Context(), scheme+"://bucket/none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v, want %v", scheme, err, fs.ErrNotExist)
		}
	}
}

// An invalid endpoint, and locations without a bucket or a name, give errors that say so.
func TestStoresThatAreMisnamed(t *testing.T) {
	newFakeStore(t)
	c := new(Client)
	for _, scheme := range schemes {
		if _, err := c.Open(t.Context(), scheme+"://"); err == nil {
			t.Errorf("%s:// is accepted", scheme)
		}
		if _, err := c.Create(t.Context(), scheme+"://bucket/"); err == nil {
			t.Errorf("%s://bucket/ is accepted as output", scheme)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL", "127.0.0.1:9000")
	if _, err := c.Open(t.Context(), "s3://another/x"); err == nil || !strings.Contains(err.Error(), "expected http://HOST") {
		t.Errorf("error %v", err)
	}
}

// An object that has become shorter has changed, too.
func TestStoresThatShrink(t *testing.T) {
	for _, scheme := range schemes {
		s := newFakeStore(t)
		c := new(Client)
		defer c.Close()
		s.Put("bucket/x", pattern(1<<20))
		b, err := c.Open(t.Context(), scheme+"://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		s.PutSilently("bucket/x", pattern(1000))
		if _, err := b.ReadAt(t.Context(), make([]byte, 10), 900_000); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: error %v, want %v", scheme, err, ErrChanged)
		}
	}
}
