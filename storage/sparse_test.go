package storage

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestSparseReadsFetchNothingElse(t *testing.T) {
	s, url := newRangeServer(t, 40<<20)
	c := new(Client)
	ctx := Sparse(t.Context())
	b, err := c.Open(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	defer b.Close()
	read := func(off, n int) {
		t.Helper()
		p := make([]byte, n)
		if _, err := b.ReadAt(ctx, p, int64(off)); err != nil || !bytes.Equal(p, s.content[off:off+n]) {
			t.Errorf("%d bytes at %d: error %v or wrong bytes", n, off, err)
		}
	}
	s.failures.Store(2)
	for range 2 { // the second time nothing is fetched
		read(0, 512)
		read(1<<20, 300)
		read(1<<20+100, 200)
		read(blockSize-5, 10)
	}
	fetched(t, &s.sent, sparseFirst+310)
	read(2<<20, 20<<20) // more than is kept
	fetched(t, &s.sent, sparseFirst+310+20<<20)
	p := make([]byte, len(s.content)) // as others read it
	if _, err := b.ReadAt(t.Context(), p, 0); err != nil || !bytes.Equal(p, s.content) {
		t.Errorf("the whole file: error %v or wrong bytes", err)
	}
	before := s.requests.Load()
	read(39<<20, 10) // in a block that is there
	if s.requests.Load() != before {
		t.Error("bytes of a block that is there were fetched")
	}
	s.etag.Store(`"2"`)
	if _, err := b.ReadAt(ctx, p[:10], 4<<20+7); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v when the file has changed", err)
	}
}

// fetched checks how many bytes a server has sent. It counts them after it sends them, so that the
// client may be ahead of the counter.
func fetched(t *testing.T, sent *atomic.Int64, want int64) {
	t.Helper()
	for range 500 {
		if sent.Load() >= want {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := sent.Load(); n != want {
		t.Errorf("%d bytes were fetched, expected %d", n, want)
	}
}
