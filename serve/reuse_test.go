package serve

import (
	"bytes"
	"context"
	"github.com/tgmconv/tgmconv/zarr"
	"io"
	"testing"
)

// counted is a view of one array, whose chunks are full of their number.
type counted struct {
	View
	own     bool
	reused  int
	decoded int
}

const countedSize = 128 << 10

func (v *counted) Chunk(_ context.Context, _ string, index []uint64) (Chunk, error) {
	return Chunk{Size: countedSize, Own: v.own, Decode: func(buffer []byte) ([]byte, error) {
		v.decoded++
		if cap(buffer) < countedSize {
			buffer = make([]byte, countedSize)
		} else {
			v.reused++
		}
		buffer = buffer[:countedSize]
		for i := range buffer {
			buffer[i] = byte(index[0])
		}
		return buffer, nil
	}}, nil
}

// The memory of a chunk is used again when it has been sent, unless someone has it.
func TestStoreUsesMemoryAgain(t *testing.T) {
	view := &counted{own: true}
	s := NewStore(view, StoreOptions{})
	open := func(key string) io.ReadCloser {
		t.Helper()
		body, _, err := zarr.Get(t.Context(), s, key, zarr.Range{})
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	check := func(body io.ReadCloser, n byte) {
		t.Helper()
		data, err := io.ReadAll(body)
		if err != nil || !bytes.Equal(data, bytes.Repeat([]byte{n}, countedSize)) {
			t.Errorf("chunk %d has other bytes (%v)", n, err)
		}
		body.Close()
		body.Close() // gives nothing back twice
	}
	first, second := open("a/c/1"), open("a/c/2")
	if view.reused != 0 {
		t.Error("memory that is being sent was used again")
	}
	check(first, 1)
	third := open("a/c/3")
	check(second, 2)
	check(third, 3)
	if view.reused != 1 {
		t.Errorf("memory was used again %d times, expected once", view.reused)
	}
	kept := open("a/c/1") // for the second time: the cache has it now
	check(open("a/c/4"), 4)
	check(open("a/c/5"), 5)
	check(kept, 1)
	decoded := view.decoded
	for n := byte(6); n < 10; n++ {
		check(open("a/c/"+string('0'+n)), n)
	}
	check(open("a/c/1"), 1)
	if view.decoded != decoded+4 {
		t.Errorf("%d chunks were decoded, expected 4", view.decoded-decoded)
	}
	view.own, view.reused = false, 0
	check(open("b/c/1"), 1)
	check(open("b/c/2"), 2)
	if view.reused != 0 {
		t.Error("memory that others have was used again")
	}
}
