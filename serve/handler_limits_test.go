package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tgmconv/tgmconv/zarr"
)

func handle(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	return w
}

func TestHandlerChecksTheHost(t *testing.T) {
	h := NewHandler(mapStore{"zarr.json": []byte("{}")}, HandlerOptions{Hosts: []string{"localhost", "127.0.0.1", "::1"}})
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:8000": 200, "127.0.0.1:8000": 200, "[::1]:8000": 200, "[::1]": 200,
		"evil.example": 421, "evil.example:8000": 421, "127.0.0.1.evil.example": 421, "": 421,
		"localhost:": 200, "[::1]:": 200, "[::1": 421, "::1]": 421, "::1": 421, "[localhost]": 421, "[::1]8000": 421, "[[::1]]": 421,
		"localhost:99999999": 421, "localhost:+80": 421, "localhost:80:80": 421, "[::1]:65536": 421, "localhost:65535": 200,
	} {
		if w := handle(h, "GET", "/zarr.json", "Host", host); w.Code != want {
			t.Errorf("host %q: status %d, expected %d", host, w.Code, want)
		}
	}
}

func TestHandlerPermitsOrigins(t *testing.T) {
	store := mapStore{"zarr.json": []byte("{}")}
	const header = "Access-Control-Allow-Origin"
	for _, test := range []struct {
		origins      []string
		origin, want string
	}{
		{nil, "https://a.example", ""},
		{[]string{"*"}, "https://a.example", "*"},
		{[]string{"https://a.example"}, "https://a.example", "https://a.example"},
		{[]string{"https://a.example"}, "https://b.example", ""},
	} {
		h := NewHandler(store, HandlerOptions{Origins: test.origins})
		for _, method := range []string{"GET", "OPTIONS"} {
			w := handle(h, method, "/zarr.json", "Origin", test.origin)
			if got := w.Header().Get(header); got != test.want {
				t.Errorf("%s with %v from %s: %s is %q, expected %q", method, test.origins, test.origin, header, got, test.want)
			}
		}
	}
}

func TestHandlerCompressesDocuments(t *testing.T) {
	data := []byte(`{"attributes":"` + strings.Repeat("abc ", 2000) + `"}`)
	h := NewHandler(documentStore{newDocument(data)}, HandlerOptions{})
	plain := handle(h, "GET", "/zarr.json")
	if !bytes.Equal(plain.Body.Bytes(), data) || plain.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("without Accept-Encoding: %d bytes, headers %v", plain.Body.Len(), plain.Header())
	}
	undo := map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for accept, coding := range map[string]string{
		"gzip": "gzip", "gzip, deflate, br, zstd": "zstd", "zstd;q=0, gzip;q=0.5": "gzip", "br": "", "gzip; q=0": "",
	} {
		w := handle(h, "GET", "/zarr.json", "Accept-Encoding", accept)
		if got := w.Header().Get("Content-Encoding"); got != coding {
			t.Errorf("%q: coding %q, expected %q", accept, got, coding)
			continue
		}
		if coding == "" {
			continue
		}
		tag := w.Header().Get("ETag")
		if w.Body.Len() > len(data)/10 || tag == plain.Header().Get("ETag") {
			t.Errorf("%q: %d bytes with tag %s, expected less, with another tag than %s", accept, w.Body.Len(), tag, plain.Header().Get("ETag"))
		}
		r, err := undo[coding](w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q: %d bytes, %v", accept, len(got), err)
		}
		if again := handle(h, "GET", "/zarr.json", "Accept-Encoding", accept, "If-None-Match", tag); again.Code != 304 {
			t.Errorf("%q: asked again: status %d, expected 304", accept, again.Code)
		}
		if part := handle(h, "GET", "/zarr.json", "Accept-Encoding", accept, "Range", "bytes=0-3"); part.Body.String() != string(data[:4]) {
			t.Errorf("%q: a range is %q, expected %q", accept, part.Body, data[:4])
		}
	}
}

// documentStore has one document.
type documentStore struct{ doc *document }

func (s documentStore) Open(context.Context, string) (zarr.Value, error) { return s.doc, nil }

func (s documentStore) List(context.Context, string) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}

// chunkView is one array of n chunks of size bytes each, which have to be decoded.
type chunkView struct {
	n, size uint64
	decoded atomic.Int64
}

func (v *chunkView) Node(_ context.Context, path string) (Node, error) {
	if path != "" {
		return Node{}, nodeNotFound(path)
	}
	return Node{Array: &zarr.ArrayMetadata{
		Shape: []uint64{v.n * v.size}, ChunkShape: []uint64{v.size}, DataType: "uint8", ChunkKeys: zarr.DefaultKeys,
		FillValue: 0, Codecs: []zarr.Codec{{Name: "bytes"}},
	}}, nil
}

func (v *chunkView) Children(context.Context, string) ([]string, error) { return nil, nil }

func (v *chunkView) Chunk(_ context.Context, path string, index []uint64) (Chunk, error) {
	if path != "" || index[0] >= v.n {
		return Chunk{}, nodeNotFound(path)
	}
	return Chunk{Size: int64(v.size), Decode: func([]byte) ([]byte, error) {
		v.decoded.Add(1)
		return make([]byte, v.size), nil
	}}, nil
}

// Clients that never read hold the memory of bodies only up to its bound, and not for long.
func TestHandlerBoundsBodies(t *testing.T) {
	view := &chunkView{n: 40, size: 16 << 20}
	store := NewStore(view, StoreOptions{CacheBytes: -1})
	server := httptest.NewServer(NewHandler(store, HandlerOptions{BodyBytes: 64 << 20, Stall: 500 * time.Millisecond}))
	defer server.Close()
	for i := range 20 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		io.WriteString(conn, "GET /c/"+string(rune('0'+i%10))+" HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	time.Sleep(200 * time.Millisecond)
	if n := view.decoded.Load(); n > 4 {
		t.Errorf("%d chunks of 16 MiB are held, expected at most 4", n)
	}
	// The others are answered once the connections that stalled are closed.
	response, err := http.Get(server.URL + "/c/39")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.Copy(io.Discard, response.Body); err != nil || n != 16<<20 {
		t.Errorf("read %d bytes, %v", n, err)
	}
}

// Documents do not wait for the memory that chunks wait for.
func TestHandlerAnswersDocumentsWhenBusy(t *testing.T) {
	h := NewHandler(NewStore(&chunkView{n: 1, size: 1}, StoreOptions{}), HandlerOptions{BodyBytes: 1}).(*handler)
	if err := h.bodies.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go h.bodies.Acquire(ctx, 1)
	time.Sleep(50 * time.Millisecond) // it is in the queue by then, or the test cannot fail
	if w := handle(h, "GET", "/zarr.json"); w.Code != http.StatusOK {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestStoreKeepsChunksOfTheSecondUse(t *testing.T) {
	view := &chunkView{n: 2, size: 100}
	store := NewStore(view, StoreOptions{})
	for i, want := range []int64{1, 2, 2, 2} {
		if _, err := zarr.ReadAll(context.Background(), store, "c/0", 1000); err != nil {
			t.Fatal(err)
		}
		if got := view.decoded.Load(); got != want {
			t.Errorf("use %d: decoded %d times, expected %d", i, got, want)
		}
	}
}

func TestPropfind(t *testing.T) {
	h := NewHandler(mapStore{"zarr.json": []byte("{}"), "a b/zarr.json": []byte("{}"), "a b/c/0": []byte("0123")}, HandlerOptions{})
	for _, test := range []struct {
		path, depth string
		status      int
		hrefs       []string
	}{
		{"/", "1", 207, []string{"/", "/a%20b/", "/zarr.json"}},
		{"/", "0", 207, []string{"/"}},
		{"/a%20b/c/", "1", 207, []string{"/a%20b/c/", "/a%20b/c/0"}},
		{"/a%20b/c/0", "0", 207, []string{"/a%20b/c/0"}},
		{"/nothing", "1", 404, nil},
		{"/", "infinity", 207, []string{"/", "/a%20b/", "/a%20b/c/", "/a%20b/c/0", "/a%20b/zarr.json", "/zarr.json"}},
		{"/a%20b", "infinity", 207, []string{"/a%20b/", "/a%20b/c/", "/a%20b/c/0", "/a%20b/zarr.json"}},
		{"/", "2", 400, nil},
	} {
		w := handle(h, "PROPFIND", test.path, "Depth", test.depth)
		if w.Code != test.status {
			t.Errorf("%s: status %d, expected %d: %s", test.path, w.Code, test.status, w.Body)
			continue
		}
		var answer davMultistatus
		if test.hrefs != nil {
			if err := xml.Unmarshal(w.Body.Bytes(), &answer); err != nil {
				t.Fatal(err)
			}
		}
		if len(answer.Responses) != len(test.hrefs) {
			t.Errorf("%s: %s, expected %v", test.path, w.Body, test.hrefs)
			continue
		}
		for i, want := range test.hrefs {
			if got := answer.Responses[i].Href; got != want {
				t.Errorf("%s: entry %d is %s, expected %s", test.path, i, got, want)
			}
		}
	}
	if w := handle(h, "PROPFIND", "/a%20b/c/0", "Depth", "0"); !strings.Contains(w.Body.String(), ">4</getcontentlength>") {
		t.Errorf("no size of the chunk in %s", w.Body)
	}
}

// A growingView is a chunkView that had other chunks before, or will have them.
type growingView struct{ *chunkView }

func (v growingView) Chunk(ctx context.Context, path string, index []uint64) (Chunk, error) {
	if path == "" && (len(index) != 1 || index[0] >= v.n) {
		return Chunk{}, zarr.ErrGone
	}
	return v.chunkView.Chunk(ctx, path, index)
}

// TestPropfindOfChunks lists the folders of an array's chunks. Their keys could also be of chunks of
// an array with fewer dimensions.
func TestPropfindOfChunks(t *testing.T) {
	h := NewHandler(NewStore(growingView{&chunkView{n: 2, size: 8}}, StoreOptions{}), HandlerOptions{})
	for path, want := range map[string]string{"/c": "/c/ /c/0 /c/1", "/c/": "/c/ /c/0 /c/1", "/c/1": "/c/1", "/c/2": ""} {
		w := handle(h, "PROPFIND", path, "Depth", "infinity")
		var answer davMultistatus
		if want == "" {
			if w.Code != http.StatusGone {
				t.Errorf("%s: status %d, expected %d", path, w.Code, http.StatusGone)
			}
			continue
		}
		if err := xml.Unmarshal(w.Body.Bytes(), &answer); w.Code != http.StatusMultiStatus || err != nil {
			t.Errorf("%s: status %d, %v: %s", path, w.Code, err, w.Body)
			continue
		}
		var found []string
		for _, r := range answer.Responses {
			found = append(found, r.Href)
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: %s, expected %s", path, got, want)
		}
	}
}

// TestPropfindOfTooMuch: the keys that one request lists are limited.
func TestPropfindOfTooMuch(t *testing.T) {
	many := make(mapStore)
	for i := range maxListedBelow + 1 {
		many[fmt.Sprintf("a/c/%d", i)] = nil
	}
	h := NewHandler(many, HandlerOptions{})
	for depth, status := range map[string]int{"infinity": http.StatusForbidden, "1": http.StatusMultiStatus} {
		if w := handle(h, "PROPFIND", "/", "Depth", depth); w.Code != status {
			t.Errorf("depth %s: status %d, expected %d: %.100s", depth, w.Code, status, w.Body)
		}
	}
}

func TestListObjects(t *testing.T) {
	h := NewHandler(mapStore{"zarr.json": nil, "a/zarr.json": nil, "a/c/0": []byte("01"), "a/c/1": nil, "b/zarr.json": nil}, HandlerOptions{})
	list := func(query string) (keys []string, next string) {
		t.Helper()
		w := handle(h, "GET", "/?list-type=2"+query)
		var answer s3Listing
		if err := xml.Unmarshal(w.Body.Bytes(), &answer); w.Code != 200 || err != nil {
			t.Fatalf("%s: status %d, %v: %s", query, w.Code, err, w.Body)
		}
		for _, o := range answer.Contents {
			keys = append(keys, o.Key)
		}
		for _, p := range answer.Prefixes {
			keys = append(keys, p.Prefix)
		}
		return keys, answer.NextToken
	}
	for query, want := range map[string]string{
		"":                          "a/c/0 a/c/1 a/zarr.json b/zarr.json zarr.json",
		"&delimiter=/":              "zarr.json a/ b/",
		"&prefix=a/":                "a/c/0 a/c/1 a/zarr.json",
		"&prefix=a/c/1":             "a/c/1",
		"&prefix=a":                 "a/c/0 a/c/1 a/zarr.json",
		"&prefix=a/&delimiter=/":    "a/zarr.json a/c/",
		"&prefix=none/":             "",
		"&max-keys=0&delimiter=%2F": "",
	} {
		if keys, _ := list(query); strings.Join(keys, " ") != want {
			t.Errorf("%s: %v, expected %s", query, keys, want)
		}
	}
	var all []string
	for token := "0"; token != ""; {
		var keys []string
		keys, token = list("&max-keys=2&continuation-token=" + token)
		all = append(all, keys...)
	}
	if got := strings.Join(all, " "); got != "a/c/0 a/c/1 a/zarr.json b/zarr.json zarr.json" {
		t.Errorf("in pages of two: %s", got)
	}
	if w := handle(h, "GET", "/?list-type=2&max-keys=x"); w.Code != 400 {
		t.Errorf("a wrong max-keys: status %d, expected 400", w.Code)
	}
}

// TestBusyIsAnswered holds that a request that waited for memory longer than a client may stall is
// told so.
func TestBusyIsAnswered(t *testing.T) {
	s := datasetStore(t, "../fixtures/grib/lsm.grib2", DatasetOptions{})
	h := NewHandler(s, HandlerOptions{BodyBytes: 1, Stall: 50 * time.Millisecond}).(*handler)
	h.patience = 200 * time.Millisecond
	if err := h.bodies.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	response, err := http.Get(server.URL + "/lsm/c/0/0")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("%s, Retry-After %q, expected 503 and a time", response.Status, response.Header.Get("Retry-After"))
	}
}
