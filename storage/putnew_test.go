package storage_test

import (
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tgmconv/tgmconv/internal/fakestore"
	"github.com/tgmconv/tgmconv/storage"
)

func TestPutNew(t *testing.T) {
	store := fakestore.New()
	server := httptest.NewServer(store)
	defer server.Close()
	for name, value := range fakestore.Environment(server.URL) {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	for _, location := range []string{filepath.Join(dir, "new", "a"), "s3://bucket/a", "gs://bucket/b", "az://bucket/c"} {
		client := new(storage.Client)
		var put atomic.Int32
		var running sync.WaitGroup
		for n := range 8 { // of which two have the same bytes
			running.Go(func() {
				switch err := client.PutNew(t.Context(), location, []byte{byte(n / 2)}); {
				case err == nil:
					put.Add(1)
				case !errors.Is(err, fs.ErrExist):
					t.Errorf("%s: %v", location, err)
				}
			})
		}
		running.Wait()
		got, err := client.ReadSmall(t.Context(), location, 1)
		if err != nil || len(got) != 1 || got[0] > 3 || put.Load() != 2 {
			t.Errorf("%s: %v and %v after %d of 8 puts, expected 2", location, got, err, put.Load())
		}
		if err := client.PutNew(t.Context(), location, got); err != nil {
			t.Errorf("%s: the same again: %v", location, err)
		}
		if _, err := client.ReadSmall(t.Context(), location, 0); err == nil {
			t.Errorf("%s: a byte is read where none is allowed", location)
		}
		client.Close()
	}
	entries, err := os.ReadDir(filepath.Join(dir, "new"))
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files, expected 1: %v", len(entries), err)
	}
	if err := new(storage.Client).PutNew(t.Context(), server.URL+"/x", nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a web server: %v", err)
	}
}

func TestReplace(t *testing.T) {
	store := fakestore.New()
	server := httptest.NewServer(store)
	defer server.Close()
	for name, value := range fakestore.Environment(server.URL) {
		t.Setenv(name, value)
	}
	for _, location := range []string{filepath.Join(t.TempDir(), "a"), "s3://bucket/a", "gs://bucket/b", "az://bucket/c"} {
		client := new(storage.Client)
		etag := func() string {
			blob, err := client.Open(t.Context(), location)
			if err != nil {
				t.Fatal(err)
			}
			defer blob.Close()
			return blob.ETag()
		}
		if err := client.Replace(t.Context(), location, []byte("1"), ""); err != nil {
			t.Errorf("%s: a new one: %v", location, err)
		}
		first := etag()
		for _, step := range []struct {
			data, etag string
			want       error
		}{{"2", "", storage.ErrChanged}, {"1", "", nil}, {"three", first, nil}, {"4", first, storage.ErrChanged}, {"three", first, nil}} {
			if err := client.Replace(t.Context(), location, []byte(step.data), step.etag); !errors.Is(err, step.want) {
				t.Errorf("%s: %q in place of %q: %v, expected %v", location, step.data, step.etag, err, step.want)
			}
		}
		if got, err := client.ReadSmall(t.Context(), location, 5); err != nil || string(got) != "three" {
			t.Errorf("%s: %q, %v", location, got, err)
		}
		client.Close()
	}
}
