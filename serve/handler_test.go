package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// taggedStore is a mapStore whose values have entity tags.
type taggedStore struct{ mapStore }

func (s taggedStore) Open(ctx context.Context, key string) (zarr.Value, error) {
	value, err := s.mapStore.Open(ctx, key)
	if err == nil {
		value.(*bytesValue).info.ETag = `"tag"`
	}
	return value, err
}

// brokenStore has a key whose value cannot be read.
type brokenStore struct {
	mapStore
	err error
}

func (s brokenStore) Open(ctx context.Context, key string) (zarr.Value, error) {
	value, err := s.mapStore.Open(ctx, key)
	return brokenValue{value, s.err}, err
}

type brokenValue struct {
	zarr.Value
	err error
}

func (v brokenValue) Read(context.Context, zarr.Range) (io.ReadCloser, error) { return nil, v.err }

// unlistedStore cannot list.
type unlistedStore struct{ mapStore }

func (unlistedStore) List(context.Context, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", errors.ErrUnsupported) }
}

func serve(s zarr.Store, method, target string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://x/", nil)
	request.URL.Path = target
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	NewHandler(s, HandlerOptions{}).ServeHTTP(w, request)
	return w
}

func TestHandler(t *testing.T) {
	store := taggedStore{mapStore{"zarr.json": []byte("{}"), "a/zarr.json": []byte("{}"), "a/c/0": []byte("0123456789"), "a/c/1": nil}}
	tests := []struct {
		name, method, path string
		header             []string
		status             int
		body               string
		want               map[string]string
	}{
		{"document", "GET", "/zarr.json", nil, 200, "{}", map[string]string{"Content-Type": "application/json", "Content-Length": "2", "Accept-Ranges": "bytes"}},
		{"chunk", "GET", "/a/c/0", nil, 200, "0123456789", map[string]string{"Content-Type": "application/octet-stream", "Content-Length": "10",
			"ETag": `"tag"`, "Access-Control-Allow-Origin": ""}},
		{"head", "HEAD", "/a/c/0", nil, 200, "", map[string]string{"Content-Length": "10", "ETag": `"tag"`}},
		{"empty", "GET", "/a/c/1", nil, 200, "", map[string]string{"Content-Length": "0"}},
		{"missing", "GET", "/a/c/2", nil, 404, "", map[string]string{"ETag": ""}},
		{"chunk of no array", "GET", "/b/c/2", nil, 410, "", map[string]string{"ETag": ""}},
		{"chunk of no scalar", "HEAD", "/b/c", nil, 410, "", nil},
		{"chunk of no array in other keys", "GET", "/b/0.2", nil, 410, "", nil},
		{"chunk of no array in folders", "GET", "/b/0/2", nil, 410, "", nil},
		{"missing head", "HEAD", "/b/zarr.json", nil, 404, "", nil},
		{"traversal", "GET", "/a/../zarr.json", nil, 404, "", nil},
		{"absolute", "GET", "//etc/passwd", nil, 404, "", nil},
		{"backslash", "GET", `/a\..\zarr.json`, nil, 404, "", nil},
		{"nul", "GET", "/a\x00", nil, 404, "", nil},
		{"post", "POST", "/zarr.json", nil, 405, "", map[string]string{"Allow": "GET, HEAD, OPTIONS, PROPFIND"}},
		{"options", "OPTIONS", "/a/c/0", []string{"Origin", "http://y"}, 204, "", map[string]string{"Allow": "GET, HEAD, OPTIONS, PROPFIND"}},
		{"range", "GET", "/a/c/0", []string{"Range", "bytes=2-4"}, 206, "234", map[string]string{"Content-Range": "bytes 2-4/10", "Content-Length": "3"}},
		{"range head", "HEAD", "/a/c/0", []string{"Range", "bytes=2-4"}, 206, "", map[string]string{"Content-Range": "bytes 2-4/10", "Content-Length": "3"}},
		{"suffix", "GET", "/a/c/0", []string{"Range", "bytes=-3"}, 206, "789", map[string]string{"Content-Range": "bytes 7-9/10"}},
		{"long suffix", "GET", "/a/c/0", []string{"Range", "bytes=-30"}, 206, "0123456789", map[string]string{"Content-Range": "bytes 0-9/10"}},
		{"open", "GET", "/a/c/0", []string{"Range", "bytes=8-"}, 206, "89", nil},
		{"cut", "GET", "/a/c/0", []string{"Range", "bytes=8-99"}, 206, "89", nil},
		{"highest", "GET", "/a/c/0", []string{"Range", "bytes=1-99999999999999999999"}, 206, "123456789", nil},
		{"after the end", "GET", "/a/c/0", []string{"Range", "bytes=10-"}, 416, "", map[string]string{"Content-Range": "bytes */10", "ETag": ""}},
		{"far after the end", "GET", "/a/c/0", []string{"Range", "bytes=99999999999999999999-"}, 416, "", nil},
		{"no suffix", "GET", "/a/c/0", []string{"Range", "bytes=-0"}, 416, "", nil},
		{"of nothing", "GET", "/a/c/1", []string{"Range", "bytes=0-"}, 416, "", nil},
		{"several", "GET", "/a/c/0", []string{"Range", "bytes=0-1,4-5"}, 200, "0123456789", nil},
		{"backwards", "GET", "/a/c/0", []string{"Range", "bytes=4-2"}, 200, "0123456789", nil},
		{"other unit", "GET", "/a/c/0", []string{"Range", "items=0-1"}, 200, "0123456789", nil},
		{"nonsense", "GET", "/a/c/0", []string{"Range", "bytes=-"}, 200, "0123456789", nil},
		{"sign", "GET", "/a/c/0", []string{"Range", "bytes=+1-2"}, 200, "0123456789", nil},
		{"same", "GET", "/a/c/0", []string{"If-None-Match", `"other", W/"tag"`}, 304, "", map[string]string{"ETag": `"tag"`}},
		{"any", "HEAD", "/a/c/0", []string{"If-None-Match", "*"}, 304, "", nil},
		{"other", "GET", "/a/c/0", []string{"If-None-Match", `"other"`}, 200, "0123456789", nil},
		{"if match", "GET", "/a/c/0", []string{"If-Match", `"other", "tag"`}, 200, "0123456789", nil},
		{"if other match", "GET", "/a/c/0", []string{"If-Match", `"other"`}, 412, "", nil},
		{"if weak match", "GET", "/a/c/0", []string{"If-Match", `W/"tag"`}, 412, "", nil},
		{"if range", "GET", "/a/c/0", []string{"Range", "bytes=0-0", "If-Range", `"tag"`}, 206, "0", nil},
		{"if other range", "GET", "/a/c/0", []string{"Range", "bytes=0-0", "If-Range", `"other"`}, 200, "0123456789", nil},
		{"folder", "GET", "/a/", nil, 200, "", map[string]string{"Content-Type": "text/html; charset=utf-8"}},
		{"missing folder", "GET", "/b/", nil, 404, "", nil},
	}
	for _, test := range tests {
		w := serve(store, test.method, test.path, test.header...)
		if w.Code != test.status {
			t.Errorf("%s: status %d, expected %d: %s", test.name, w.Code, test.status, w.Body)
		}
		if (test.body != "" || test.status < 300) && test.name != "folder" && w.Body.String() != test.body {
			t.Errorf("%s: body %q, expected %q", test.name, w.Body, test.body)
		}
		for key, want := range test.want {
			if got := w.Header().Get(key); got != want {
				t.Errorf("%s: %s is %q, expected %q", test.name, key, got, want)
			}
		}
	}
}

func TestHandlerLists(t *testing.T) {
	store := mapStore{"zarr.json": nil, "a <b>&/zarr.json": nil, "ä/c/0": nil}
	for _, path := range []string{"/", ""} {
		body := serve(store, "GET", path).Body.String()
		for _, want := range []string{`<a href="/a%20%3Cb%3E&amp;/">a &lt;b&gt;&amp;/</a>`, `<a href="/zarr.json">zarr.json</a>`, `<a href="/%C3%A4/">ä/</a>`} {
			if !strings.Contains(body, want) {
				t.Errorf("the list of %q is %s, expected %s in it", path, body, want)
			}
		}
	}
	if w := serve(store, "GET", "/ä"); w.Code != 200 || !strings.Contains(w.Body.String(), `href="/%C3%A4/c/"`) {
		t.Errorf("a folder without a slash: %d %s", w.Code, w.Body)
	}
	if w := serve(store, "HEAD", "/"); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD of the list: %d %s", w.Code, w.Body)
	}
	if w := serve(unlistedStore{store}, "GET", "/"); w.Code != 404 {
		t.Errorf("the list of a store that cannot list: %d", w.Code)
	}
}

func TestHandlerErrors(t *testing.T) {
	for want, err := range map[int]error{
		500: errors.New("damaged"),
		501: fmt.Errorf("object: %w", &zarr.UnsupportedError{What: "x"}),
		404: zarr.ErrNotFound,
		410: zarr.ErrGone,
	} {
		w := serve(brokenStore{mapStore{"k": []byte("data")}, err}, "GET", "/k")
		if w.Code != want || !strings.Contains(w.Body.String(), err.Error()) || w.Header().Get("Content-Length") == "4" {
			t.Errorf("%v gives %d %q", err, w.Code, w.Body)
		}
	}
}

// The client and the server of this package must understand each other over a real connection.
// storedView is a chunkView whose chunks lie at the beginning of a file.
type storedView struct {
	*chunkView
	file []byte
}

func (v storedView) Chunk(ctx context.Context, path string, index []uint64) (Chunk, error) {
	c, err := v.chunkView.Chunk(ctx, path, index)
	return Chunk{Size: c.Size, Stored: bytes.NewReader(v.file)}, err
}

// A chunk whose file is too short is an error if that is seen before anything is sent. Else the connection
// ends.
func TestHandlerReadsBeforeItAnswers(t *testing.T) {
	for _, test := range []struct{ size, readable, status, sent int }{
		{1000, 1000, http.StatusOK, 1000},
		{1000, 999, http.StatusInternalServerError, 0},
		{1000, 0, http.StatusInternalServerError, 0},
		{blockBytes + 10, blockBytes - 1, http.StatusInternalServerError, 0},
		{blockBytes + 10, blockBytes + 1, http.StatusOK, blockBytes + 1},
	} {
		data := bytes.Repeat([]byte{7}, test.readable)
		view := storedView{&chunkView{n: 1, size: uint64(test.size)}, data}
		w := serve(NewStore(view, StoreOptions{}), "GET", "/c/0")
		if w.Code != test.status {
			t.Errorf("%d of %d bytes: status %d, expected %d", test.readable, test.size, w.Code, test.status)
		}
		if w.Code == http.StatusOK && !bytes.Equal(w.Body.Bytes(), data[:test.sent]) {
			t.Errorf("%d of %d bytes: %d bytes sent, expected %d", test.readable, test.size, w.Body.Len(), test.sent)
		}
	}
}

// Servers that lie, or that do less than ours, must not lead to wrong bytes.
func TestHTTPStoreWithOtherServers(t *testing.T) {
	answer := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    string // "" for an error
	}{
		{"ranges ignored", answer(200, "0123456789"), "23"},
		{"ranges understood", answer(206, "23", "Content-Range", "bytes 2-3/10"), "23"},
		{"other range", answer(206, "34", "Content-Range", "bytes 3-4/10"), ""},
		{"no range said", answer(206, "23"), ""},
		{"too short", answer(206, "2", "Content-Range", "bytes 2-3/10"), ""},
		{"server error", answer(500, "trouble"), ""},
		{"no length", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "01")
			w.(http.Flusher).Flush()
			io.WriteString(w, "23456789")
		}, ""},
	}
	for _, test := range tests {
		server := httptest.NewServer(test.handler)
		client, err := zarr.NewHTTP(server.URL, server.Client())
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		body, _, err := zarr.Get(context.Background(), client, "k", zarr.Bytes(2, 2))
		if err == nil {
			got, err = io.ReadAll(body)
			body.Close()
		}
		if (err != nil) != (test.want == "") || (err == nil && string(got) != test.want) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
		server.Close()
	}
}

func TestETagsAreStableAndFollowTheContent(t *testing.T) {
	message := func(first float32, noHash bool) zarr.Store {
		array := float32s(4)
		array.Data[3] = byte(first)
		encoded, err := tgm.EncodeArray(array, tgm.Pipeline{NoHash: noHash})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := tgm.NewMessageWriter(&out, tgm.WriterOptions{NoHash: noHash})
		if err := errors.Join(w.Append(encoded, map[string]any{"name": "x"}), w.Close()); err != nil {
			t.Fatal(err)
		}
		return testStore(t, out.Bytes())
	}
	tag := func(s zarr.Store, key string) string { return serve(s, "HEAD", key).Header().Get("ETag") }
	one, same, other := message(1, false), message(1, false), message(2, false)
	if tag(one, "/x/c/0") == "" || tag(one, "/x/c/0") != tag(same, "/x/c/0") {
		t.Errorf("tags of the same content: %s and %s", tag(one, "/x/c/0"), tag(same, "/x/c/0"))
	}
	if tag(one, "/x/c/0") == tag(other, "/x/c/0") {
		t.Errorf("one tag for different contents: %s", tag(one, "/x/c/0"))
	}
	if tag(one, "/x/zarr.json") == "" || tag(one, "/x/zarr.json") == tag(other, "/x/zarr.json") {
		t.Errorf("tags of documents: %s and %s", tag(one, "/x/zarr.json"), tag(other, "/x/zarr.json"))
	}
	if got := tag(message(1, true), "/x/c/0"); got != "" {
		t.Errorf("tag without a hash: %s", got)
	}
}

func FuzzParseRange(f *testing.F) {
	for _, seed := range []string{"bytes=0-1", "bytes=-5", "bytes=5-", "bytes=0-1,3-4", "bytes=99999999999999999999-"} {
		f.Add(seed, int64(10))
	}
	f.Fuzz(func(t *testing.T, header string, size int64) {
		r, ok := parseRange(header)
		if !ok || size < 0 {
			return
		}
		offset, length, err := r.Resolve(size)
		if err == nil && (offset < 0 || length <= 0 || offset > size-length) {
			t.Errorf("%q of %d bytes: %d bytes at %d", header, size, length, offset)
		}
	})
}

func FuzzHandler(f *testing.F) {
	data := slices.Concat(testMessage(f, nil, testObject{array: float32s(4), base: map[string]any{"name": "a"}}),
		testMessage(f, nil, testObject{array: float32s(2, 2), base: map[string]any{"name": "c"}}))
	store := testStore(f, data)
	for _, seed := range []string{"/zarr.json", "/0/zarr.json", "/1/c/c/0/0", "/1/c/", "/../0", "/0/a/c/0/", "//", "/1/c/c/0/"} {
		f.Add(seed, "bytes=1-2")
	}
	f.Fuzz(func(t *testing.T, path, ranges string) {
		w := serve(store, "GET", path, "Range", ranges)
		if w.Code >= 500 {
			t.Errorf("%q gives %d: %s", path, w.Code, w.Body)
		}
	})
}
