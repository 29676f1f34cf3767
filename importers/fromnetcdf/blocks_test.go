package fromnetcdf

import (
	"encoding/binary"
	"testing"
)

// TestEachBlock hands elements of every size to a function, in several blocks and part of one.
func TestEachBlock(t *testing.T) {
	eachBlockOf[int8](t)
	eachBlockOf[uint8](t)
	eachBlockOf[int16](t)
	eachBlockOf[uint16](t)
	eachBlockOf[int32](t)
	eachBlockOf[uint32](t)
	eachBlockOf[int64](t)
	eachBlockOf[uint64](t)
	eachBlockOf[float32](t)
	eachBlockOf[float64](t)
}

func eachBlockOf[T element](t *testing.T) {
	for _, n := range []int{0, 1, blockLen - 1, blockLen, blockLen + 1, 3*blockLen + 7} {
		values := make([]T, n)
		for i := range values {
			values[i] = T(i % 100)
		}
		raw, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		eachBlock(raw, func(first int, block []T) {
			if first != seen {
				t.Errorf("%T: block of element %d, expected %d", block, first, seen)
			}
			for i, x := range block {
				if x != values[first+i] {
					t.Fatalf("%T: element %d is %v, expected %v", block, first+i, x, values[first+i])
				}
			}
			seen += len(block)
		})
		if seen != n {
			t.Errorf("%d elements of %d", seen, n)
		}
	}
}
