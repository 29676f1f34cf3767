package hdf5

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/checksum"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

// TestUndoLargeChunk undoes shuffle and deflate of chunks below and above the size from which that
// is done in place. There are bytes after the last whole element, and the bytes after the chunk in
// memory must stay as they are.
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

// TestUndoChecksum undoes a checksum before and after the shuffling. Large chunks take one buffer
// beside the chunk; in small chunks the checksum is between.
func TestUndoChecksum(t *testing.T) {
	moved, sum, packing := Filter{ID: FilterShuffle, Params: []uint32{4}}, Filter{ID: FilterFletcher32}, Filter{ID: FilterDeflate, Params: []uint32{1}}
	for _, c := range []struct {
		size, buffers int
		filters       []Filter
	}{
		{8000, 1, []Filter{moved, sum, packing}},
		{8000, 2, []Filter{sum, moved, packing}},
		{inPlaceBytes + 8, 1, []Filter{moved, sum, packing}},
		{inPlaceBytes + 8, 1, []Filter{sum, moved, packing}},
		{8000, 1, []Filter{moved, packing, sum}},
	} {
		want := bytes.Repeat([]byte("abcd1234"), c.size/8)
		stored := bytes.Clone(want)
		for _, f := range c.filters {
			switch f.ID {
			case FilterShuffle:
				from := bytes.Clone(stored)
				if err := shuffle.Encode(stored, from, 4); err != nil {
					t.Fatal(err)
				}
			case FilterFletcher32:
				stored = binary.LittleEndian.AppendUint32(stored, checksum.Fletcher32(stored))
			case FilterDeflate:
				var packed bytes.Buffer
				w, _ := zlib.NewWriterLevel(&packed, zlib.HuffmanOnly) // at the least cost
				w.Write(stored)
				w.Close()
				stored = packed.Bytes()
			}
		}
		var s scratch
		got, err := (&pipeline{filters: c.filters}).undo(make([]byte, len(want)), stored, 0, &s)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, filters %v: differ (%v)", c.size, c.filters, err)
		}
		buffers := 0
		for _, b := range s.bufs {
			if b != nil {
				buffers++
			}
		}
		if buffers != c.buffers {
			t.Errorf("%d bytes, filters %v: %d buffers were taken, expected %d", c.size, c.filters, buffers, c.buffers)
		}
	}
}

// TestUnszipLarge unpacks samples of 32 bits, which are coded as planes of bytes, in place from some
// size on.
func TestUnszipLarge(t *testing.T) {
	f := &Filter{ID: FilterSzip, Params: []uint32{32, 32, 32, 4096}}
	for _, n := range []int{4096 * 4, inPlaceBytes + 4} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i >> 9)
		}
		planes := make([]byte, n)
		if err := shuffle.Encode(planes, want, 4); err != nil {
			t.Fatal(err)
		}
		stored, _, err := aec.Encode(binary.LittleEndian.AppendUint32(nil, uint32(n)), planes, aec.Params{BitsPerSample: 8, BlockSize: 32, RSI: 128, Flags: aec.Preprocess})
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := f.undo(dst, stored, n, true)
		runtime.ReadMemStats(&after)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: differ (%v)", n, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; n >= inPlaceBytes && taken > inPlaceBytes/2 {
			t.Errorf("%d bytes: %d bytes of memory were taken", n, taken)
		}
	}
}

// TestUndoNothing undoes no filter of chunks that are longer or shorter than they should be. Of
// longer chunks the library takes the bytes it needs.
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
