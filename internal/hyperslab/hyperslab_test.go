package hyperslab

import (
	"bytes"
	"testing"
)

// Parts of arrays of one to three dimensions are copied and filled element by element as well.
func TestCopyAndFill(t *testing.T) {
	for _, test := range []struct{ from, to, at, into, n []uint64 }{
		{[]uint64{5}, []uint64{4}, []uint64{1}, []uint64{2}, []uint64{2}},
		{[]uint64{4, 5}, []uint64{3, 3}, []uint64{2, 1}, []uint64{0, 1}, []uint64{2, 2}},
		{[]uint64{3, 4, 5}, []uint64{2, 6, 5}, []uint64{1, 0, 2}, []uint64{0, 2, 1}, []uint64{2, 4, 3}},
		{nil, nil, nil, nil, nil},
	} {
		const size = 2
		src, dst, want, filled := elements(test.from, size, 1), elements(test.to, size, 100), elements(test.to, size, 100), elements(test.to, size, 100)
		at := make([]uint64, len(test.n))
		for range count(test.n) {
			s, d := place(test.from, test.at, at)*size, place(test.to, test.into, at)*size
			copy(want[d:d+size], src[s:s+size])
			copy(filled[d:d+size], []byte{7, 8})
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < test.n[i] {
					break
				}
				at[i] = 0
			}
		}
		other := bytes.Clone(dst)
		if Copy(At(dst, test.to, test.into), At(src, test.from, test.at), test.n, size); !bytes.Equal(dst, want) {
			t.Errorf("%v: copied %v, expected %v", test, dst, want)
		}
		if Fill(At(other, test.to, test.into), test.n, []byte{7, 8}); !bytes.Equal(other, filled) {
			t.Errorf("%v: filled %v, expected %v", test, other, filled)
		}
	}
}

func count(shape []uint64) int {
	n := 1
	for _, length := range shape {
		n *= int(length)
	}
	return n
}

func place(shape, origin, at []uint64) int {
	p := 0
	for i, n := range shape {
		p = p*int(n) + int(origin[i]+at[i])
	}
	return p
}

func elements(shape []uint64, size int, first byte) []byte {
	out := make([]byte, count(shape)*size)
	for i := range out {
		out[i] = first + byte(i)
	}
	return out
}
