package shuffle

import (
	"bytes"
	"testing"
)

// TestBitsAgainstDefinition compares with one bit at a time.
func TestBitsAgainstDefinition(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 8, 16, 20} {
		for _, n := range []int{0, 8, 16, 64, 72, 512, 520, 1000} {
			src := random(n * size)
			want := make([]byte, len(src))
			for i := range n {
				for plane := range 8 * size {
					bit := src[i*size+plane/8] >> (plane % 8) & 1
					want[plane*n/8+i/8] |= bit << (i % 8)
				}
			}
			got, back := make([]byte, len(src)), make([]byte, len(src))
			if err := EncodeBits(got, src, size); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d elements of %d bytes: other bits, error %v", n, size, err)
			}
			if err := DecodeBits(back, got, size); err != nil || !bytes.Equal(back, src) {
				t.Fatalf("%d elements of %d bytes do not come back, error %v", n, size, err)
			}
		}
	}
}

func TestBitsRefuse(t *testing.T) {
	for _, c := range []struct{ dst, src, size int }{{8, 8, 0}, {9, 9, 1}, {8, 16, 1}, {32, 32, 8}} {
		if err := EncodeBits(make([]byte, c.dst), make([]byte, c.src), c.size); err == nil {
			t.Errorf("%+v was encoded", c)
		}
		if err := DecodeBits(make([]byte, c.dst), make([]byte, c.src), c.size); err == nil {
			t.Errorf("%+v was decoded", c)
		}
	}
}
