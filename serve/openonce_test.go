package serve

import (
	"context"
	"github.com/tgmconv/tgmconv/zarr"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// countingView counts how often a chunk is looked for.
type countingView struct {
	View
	chunks atomic.Int32
}

func (v *countingView) Chunk(ctx context.Context, path string, index []uint64) (Chunk, error) {
	v.chunks.Add(1)
	return v.View.Chunk(ctx, path, index)
}

// countingStore counts how often a value is opened.
type countingStore struct {
	zarr.Store
	opened atomic.Int32
}

func (s *countingStore) Open(ctx context.Context, key string) (zarr.Value, error) {
	s.opened.Add(1)
	return s.Store.Open(ctx, key)
}

// TestRequestOpensOnce: a request opens its value once, and looks for its chunk once, whether it is
// new or kept and whatever of it is asked for.
func TestRequestOpensOnce(t *testing.T) {
	const chunk = "/c/1"
	view := &countingView{View: &chunkView{n: 2, size: 100}}
	store := &countingStore{Store: NewStore(view, StoreOptions{})}
	handler := NewHandler(store, HandlerOptions{})
	for _, test := range []struct{ what, method, key, rang string }{
		{"a new chunk", http.MethodGet, chunk, ""},
		{"one that was asked for", http.MethodGet, chunk, ""},
		{"one that is kept", http.MethodGet, chunk, ""},
		{"a part of it", http.MethodGet, chunk, "bytes=1-2"},
		{"its size", http.MethodHead, chunk, ""},
		{"a document", http.MethodGet, "/zarr.json", ""},
	} {
		r := httptest.NewRequest(test.method, test.key, nil)
		if test.rang != "" {
			r.Header.Set("Range", test.rang)
		}
		w := httptest.NewRecorder()
		view.chunks.Store(0)
		store.opened.Store(0)
		handler.ServeHTTP(w, r)
		wantChunks := int32(1)
		if test.key != chunk {
			wantChunks = 0
		}
		if opened, chunks := store.opened.Load(), view.chunks.Load(); w.Code >= 300 || opened != 1 || chunks != wantChunks {
			t.Errorf("%s: status %d, opened %d times, %d looks for a chunk, expected once and %d", test.what, w.Code, opened, chunks, wantChunks)
		}
	}
}
