package hdf5

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/codec/shuffle"
)

// TestUndoLargeChunk undoes shuffle and deflate of chunks below and above the size from which that
// is done in place, with bytes after the last whole element, and checks that what lies after the
// chunk in memory stays as it is.
func TestUndoLargeChunk(t *testing.T) {
	p := &pipeline{filters: []Filter{{ID: FilterShuffle, Params: []uint32{4}}, {ID: FilterDeflate, Params: []uint32{1}}}}
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{40_001, inPlaceBytes, inPlaceBytes + 100_003} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i>>8) ^ byte(rng.Uint32N(4))
		}
		shuffled := bytes.Clone(want)
		whole := n / 4 * 4
		if err := shuffle.Encode(shuffled[:whole], want[:whole], 4); err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, err := zlib.NewWriterLevel(&packed, 1)
		if err == nil {
			_, err = w.Write(shuffled)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			stored []byte
			mask   uint32
		}{{packed.Bytes(), 0}, {shuffled, 2}} {
			memory := make([]byte, n+64)
			var s scratch
			got, err := p.undo(memory[:n], bytes.Clone(c.stored), c.mask, &s)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, mask %b: differ (%v)", n, c.mask, err)
			}
			if !bytes.Equal(memory[n:], make([]byte, 64)) {
				t.Errorf("%d bytes, mask %b: what follows the chunk was written", n, c.mask)
			}
			if n >= inPlaceBytes && (&got[0] != &memory[0] || len(s.bufs[0])+len(s.bufs[1]) > 0) {
				t.Errorf("%d bytes, mask %b: another buffer was taken", n, c.mask)
			}
		}
	}
}

// TestUndoNothing undoes no filter of chunks that are longer or shorter than they should be: of
// longer ones the library takes what it needs.
func TestUndoNothing(t *testing.T) {
	p := &pipeline{filters: []Filter{{ID: FilterDeflate, Params: []uint32{1}}}}
	got, err := p.undo(make([]byte, 4), []byte("12345678"), 1, &scratch{})
	if err != nil || string(got) != "1234" {
		t.Errorf("%q, %v of a longer chunk", got, err)
	}
	if got, err := p.undo(make([]byte, 4), []byte("123"), 1, &scratch{}); err == nil {
		t.Errorf("%q of a chunk that is too short", got)
	}
}
