package packing

import (
	"bytes"
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// TestThreads expects the same bytes and values on any number of cores, in place or not.
func TestThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	values := make([]float64, 17*partValues+5)
	for i := range values {
		values[i] = 280 + 30*math.Sin(float64(i)/1e4) + float64(i%17)/100
	}
	for _, bits := range []int{7, 16, 40} {
		p, err := Compute(values, bits, 1)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := Size(len(values), bits)
		want, plain := make([]byte, size), make([]float64, len(values))
		encode(want, values, p)
		decode(plain, want, p)
		for _, cores := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(cores)
			got, err := Encode(nil, values, p)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bits on %d cores: other bytes: %v", bits, cores, err)
			}
			here := slices.Clone(values)
			memory := unsafe.Slice((*byte)(unsafe.Pointer(&here[0])), 8*len(here))
			if got, err = Encode(memory[:0], here, p); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bits on %d cores: other bytes in place: %v", bits, cores, err)
			}
			back := make([]float64, len(values))
			if err := Decode(back, want, p); err != nil || !slices.Equal(back, plain) {
				t.Errorf("%d bits on %d cores: other values: %v", bits, cores, err)
			}
		}
	}
}
