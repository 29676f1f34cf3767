package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// TestSwap compares with the plain loop.
func TestSwap(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 5, 8, 12, 16} {
		for n := range 20 {
			got := make([]byte, n*size)
			for i := range got {
				got[i] = byte(i)
			}
			want := bytes.Clone(got)
			Swap(got, size)
			swapAny(want, size)
			if !bytes.Equal(got, want) {
				t.Errorf("%d elements of %d bytes: %d, expected %d", n, size, got, want)
			}
		}
	}
}

func TestSource(t *testing.T) {
	s := Source{R: bytes.NewReader(make([]byte, 100)), Size: 100, Base: 10}
	if b, err := s.Bytes("all", 0, 90); err != nil || len(b) != 90 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	for _, c := range [][2]int64{{0, 91}, {91, 0}, {-1, 1}, {1, -1}, {1 << 62, 1 << 62}, {50, 1<<63 - 1}} {
		_, err := s.Bytes("part", c[0], c[1])
		var format *FormatError
		if !errors.As(err, &format) || !errors.Is(err, io.ErrUnexpectedEOF) || format.Offset != 10+c[0] {
			t.Errorf("%d bytes from %d: %v", c[1], c[0], err)
		}
	}
	// A file that became shorter.
	s.R = bytes.NewReader(make([]byte, 50))
	if _, err := s.Bytes("gone", 0, 90); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, expected the end of the file", err)
	}
}

func TestMul(t *testing.T) {
	for _, c := range []struct {
		a, b, p uint64
		ok      bool
	}{{0, 1 << 63, 0, true}, {3, 4, 12, true}, {1 << 32, 1 << 31, 0, false}, {1 << 31, 1 << 31, 1 << 62, true}, {1 << 63, 1, 0, false}} {
		if p, ok := Mul(c.a, c.b); ok != c.ok || ok && p != c.p {
			t.Errorf("%d times %d: %d, %t", c.a, c.b, p, ok)
		}
	}
}
