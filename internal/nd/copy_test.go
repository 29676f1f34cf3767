package nd

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// A part is a box of an array of random elements.
type part struct {
	data         []byte
	shape, start []uint64
}

// partOf makes an array that has a box of count elements.
func partOf(r *rand.Rand, count []uint64, size int) part {
	b := part{shape: make([]uint64, len(count)), start: make([]uint64, len(count))}
	n := size
	for axis, length := range count {
		b.start[axis] = r.Uint64N(3)
		b.shape[axis] = b.start[axis] + length + r.Uint64N(3)
		n *= int(b.shape[axis])
	}
	b.data = make([]byte, n)
	for i := range b.data {
		b.data[i] = byte(r.Uint32())
	}
	return b
}

// element is the element at a position of the box, found by counting from the first of the array on.
func (b part) element(at []uint64, size int) []byte {
	number := uint64(0)
	for axis, length := range b.shape {
		number = number*length + b.start[axis] + at[axis]
	}
	return b.data[int(number)*size:][:size]
}

// each calls f for the positions of a box, axis by axis.
func each(count, at []uint64, f func(at []uint64)) {
	if len(at) == len(count) {
		f(at)
		return
	}
	for n := range count[len(at)] {
		each(count, append(at, n), f)
	}
}

// Copies and fills of random boxes equal copies of an element at a time.
func TestBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		count, size := make([]uint64, r.IntN(5)), []int{1, 2, 3, 4, 8, 12}[r.IntN(6)]
		for axis := range count {
			count[axis] = r.Uint64N(6)
		}
		src, dst := partOf(r, count, size), partOf(r, count, size)
		copied, filled := bytes.Clone(dst.data), bytes.Clone(dst.data)
		pattern := make([]byte, size)
		for i := range pattern {
			pattern[i] = byte(r.Uint32N(3))
		}
		want, full, cut := dst, dst, []byte{}
		want.data, full.data = bytes.Clone(dst.data), bytes.Clone(dst.data)
		each(count, nil, func(at []uint64) {
			copy(want.element(at, size), src.element(at, size))
			copy(full.element(at, size), pattern)
			cut = append(cut, src.element(at, size)...)
		})
		if Copy(At(copied, dst.shape, dst.start), At(src.data, src.shape, src.start), count, size); !bytes.Equal(copied, want.data) {
			t.Fatalf("copy of %v from %v of %v to %v of %v: other elements", count, src.start, src.shape, dst.start, dst.shape)
		}
		if Fill(At(filled, dst.shape, dst.start), count, pattern); !bytes.Equal(filled, full.data) {
			t.Fatalf("fill of %v of %v from %v on: other elements", count, dst.shape, dst.start)
		}
		if got := Cut(At(src.data, src.shape, src.start), count, size); !bytes.Equal(got, cut) {
			t.Fatalf("cut of %v of %v from %v on: other elements", count, src.shape, src.start)
		}
		if len(cut) == 0 {
			continue
		}
		first, run := Cover(src.shape, src.start, count)
		n := Volume(run.Shape) * uint64(size)
		run.Data = src.data[first*uint64(size):][:n:n]
		if got := Cut(run, count, size); !bytes.Equal(got, cut) {
			t.Fatalf("%v from %v on of rows of %v: other elements", count, src.start, src.shape)
		}
	}
}

func TestRepeat(t *testing.T) {
	dst := make([]byte, 12)
	if Repeat(dst, []byte{1, 2, 3}); !bytes.Equal(dst, []byte{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}) {
		t.Errorf("%d", dst)
	}
	if Repeat(dst, []byte{0, 0, 0}); !bytes.Equal(dst, make([]byte, 12)) {
		t.Errorf("%d", dst)
	}
}

func BenchmarkCopy(b *testing.B) {
	shape := []uint64{64, 256, 256}
	src, dst := make([]byte, 4*Volume(shape)), make([]byte, 4*Volume(shape))
	for _, test := range []struct {
		name  string
		count []uint64
	}{{"rows", []uint64{64, 256, 200}}, {"points", []uint64{64, 256, 1}}} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(4 * Volume(test.count)))
			for b.Loop() {
				Copy(At(dst, shape, nil), At(src, shape, nil), test.count, 4)
			}
		})
	}
}
