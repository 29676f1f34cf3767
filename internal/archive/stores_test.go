package archive_test

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/fakestore"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// TestStoreChunks holds that the chunks of a store are where the layout says, as any client decodes them.
func TestStoreChunks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s.zarr")
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	document := func(codecs string) string {
		return `{"zarr_format":3,"node_type":"array","shape":[5,3],"data_type":"int16","fill_value":7,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,4]}},
"chunk_key_encoding":{"name":"default"},"dimension_names":["y","x"],"attributes":{},"codecs":[` + codecs + `]}`
	}
	little := `{"name":"bytes","configuration":{"endian":"little"}}`
	sharded := `{"name":"sharding_indexed","configuration":{"chunk_shape":[2,2],"codecs":[` + little + `,{"name":"crc32c"}],"index_codecs":[` + little + `],"index_location":"end"}}`
	write("zarr.json", `{"zarr_format":3,"node_type":"group","attributes":{}}`)
	write("plain/zarr.json", document(little))
	write("sharded/zarr.json", document(sharded))
	write("turned/zarr.json", document(`{"name":"transpose","configuration":{"order":[1,0]}},`+little))
	values := make([]byte, 32)
	for i := range 16 {
		values[2*i] = byte(i + 1)
	}
	write("plain/c/0/0", string(values))
	index := bytes.Repeat([]byte{0xff}, 64)
	copy(index[16:], []byte{3, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0})
	write("sharded/c/0/0", "abc"+"\x01\x00\x02\x00\x03\x00\x04\x00....."[:12]+string(index))
	a := open(t, archive.Options{Client: unpack.NewClient(new(storage.Client)), Index: archive.IndexNone}, dir)
	for name, want := range map[string]struct {
		chunk  uint64
		index  []uint64
		offset int64
		length int64
	}{"plain": {4, []uint64{0, 0}, 0, 32}, "sharded": {2, []uint64{0, 1}, 3, 12}} {
		l, err := a.Layout(t.Context(), int(a.Set.Variable(name).Refs()[0]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e, ok, err := l.Extent(want.index)
		if err != nil || !ok || l.Chunk[0] != want.chunk || e.Offset != want.offset || e.Length != want.length || l.Fill[0] != 7 {
			t.Fatalf("%s: %v, %v, %v in chunks of %v among %v", name, e, ok, err, l.Chunk, l.Fill)
		}
		whole, err := os.ReadFile(e.File.Location)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, e.Length)
		if _, err := e.File.ReadAt(got, e.Offset); err != nil || !bytes.Equal(got, whole[e.Offset:][:e.Length]) {
			t.Errorf("%s: %v, or other bytes than those in %s", name, err, e.File.Location)
		}
		if _, ok, err := l.Extent([]uint64{1, 0}); ok || err != nil {
			t.Errorf("%s: a chunk that is not stored: %v, %v", name, ok, err)
		}
	}
	if l, err := a.Layout(t.Context(), int(a.Set.Variable("turned").Refs()[0])); err == nil {
		t.Errorf("an array in another order: %v", l)
	}
}

// TestStoreRequests counts the requests for a store of shards on a web server and in object stores: the
// document once, and ranges of shards.
func TestStoreRequests(t *testing.T) {
	dir := t.TempDir()
	little := `{"name":"bytes","configuration":{"endian":"little"}}`
	array := `{"zarr_format":3,"node_type":"array","shape":[64,64],"data_type":"uint8","fill_value":7,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[64,32]}},
"chunk_key_encoding":{"name":"default"},"dimension_names":["y","x"],"attributes":{},"codecs":[{"name":"sharding_indexed","configuration":{"chunk_shape":[8,8],"codecs":[` +
		little + `],"index_codecs":[` + little + `],"index_location":"end"}}]}`
	index := make([]byte, 0, 512)
	for i := range 32 {
		index = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(index, uint64(64*i)), 64)
	}
	shard := string(append(bytes.Repeat([]byte{3}, 64*32), index...))
	stored := map[string]string{"s.zarr/zarr.json": `{"zarr_format":3,"node_type":"group","attributes":{},"consolidated_metadata":{"kind":"inline","must_understand":false,"metadata":{"t":` + array + `}}}`,
		"s.zarr/t/zarr.json": array, "s.zarr/t/c/0/0": shard, "s.zarr/t/c/0/1": shard}
	objects := fakestore.New()
	for name, text := range stored {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		objects.Put("bucket/"+name, []byte(text))
	}
	var mu sync.Mutex
	asked := make(map[string]int)
	counted := func(h http.Handler) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			asked[r.URL.Path]++
			mu.Unlock()
			h.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	web := counted(http.FileServer(http.Dir(dir)))
	for name, value := range fakestore.Environment(counted(objects)) {
		t.Setenv(name, value)
	}
	for _, location := range []string{web + "/s.zarr", "s3://bucket/s.zarr", "gs://bucket/s.zarr", "az://bucket/s.zarr/"} {
		clear(asked)
		client := unpack.NewClient(new(storage.Client))
		defer client.Close()
		a := open(t, archive.Options{Client: client, Index: archive.IndexNone}, location)
		values, err := floats(t, a, "t")
		if err != nil || len(values) != 64*64 || values[100] != 3 {
			t.Fatalf("%s: %d values, %v", location, len(values), err)
		}
		total := 0
		for path, n := range asked {
			most := 2
			if strings.Contains(path, "zarr.json") {
				most = 1
			}
			if total += n; n > most {
				t.Errorf("%s: %d requests for %s, expected at most %d", location, n, path, most)
			}
		}
		if total > 5 {
			t.Errorf("%s: requests for %v", location, asked)
		}
	}
}
