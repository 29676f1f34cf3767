package fromzarr_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/storage"
)

// TestChunkTakesOneRequest reads an array of a store at an address: a small chunk comes with the request that opens it.
func TestChunkTakesOneRequest(t *testing.T) {
	folder, chunk := t.TempDir(), make([]byte, 400_000)
	document := fmt.Sprintf(`{"zarr_format":3,"node_type":"array","shape":[%d],"data_type":"uint8","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[%d]}},
		"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":["bytes"]}`, 2*len(chunk), len(chunk))
	for name, data := range map[string][]byte{"zarr.json": []byte(document), "c/0": chunk, "c/1": chunk} {
		path := filepath.Join(folder, "a.zarr", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	chunks := 0
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if strings.Contains(r.URL.Path, "/c/") {
			chunks++
		}
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	location := server.URL + "/a.zarr"
	blob, err := new(storage.Client).Open(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	f, err := fromzarr.Open(t.Context(), blob, location)
	if err != nil {
		t.Fatal(err)
	}
	v := f.Root().Vars[0]
	if err := v.Read(t.Context(), make([]byte, v.Size()), nil, nil); err != nil {
		t.Fatal(err)
	}
	if mu.Lock(); chunks != 2 {
		t.Errorf("%d requests for 2 chunks", chunks)
	}
	mu.Unlock()
}
