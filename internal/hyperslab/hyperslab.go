// Package hyperslab copies parts of arrays of elements in C order, and walks through their positions.
package hyperslab

import (
	"iter"
	"slices"
)

// A Block is an array of elements in C order, with a position in it at which [Copy] and
// [Fill] begin.
type Block struct {
	Data   []byte
	Shape  []uint64
	Origin []uint64
}

// At is a block of elements with a position in it.
func At(data []byte, shape, origin []uint64) Block { return Block{data, shape, origin} }

// Copy copies n elements of size bytes along each dimension from one block to another, from
// the origin of each on.
func Copy(dst, src Block, n []uint64, size int) {
	run := runLength(n) * size
	for at := range rows(n) {
		d, s := dst.offset(at)*size, src.offset(at)*size
		copy(dst.Data[d:d+run], src.Data[s:s+run])
	}
}

// Fill sets n elements along each dimension, from the origin on, to an element.
func Fill(dst Block, n []uint64, element []byte) {
	size := len(element)
	run := runLength(n) * size
	for at := range rows(n) {
		d := dst.offset(at) * size
		for i := d; i < d+run; i += size {
			copy(dst.Data[i:], element)
		}
	}
}

// runLength is the number of elements that lie side by side in a block of n elements along each
// dimension.
func runLength(n []uint64) int {
	if len(n) == 0 {
		return 1
	}
	return int(n[len(n)-1])
}

// rows yields the position of the first element of every row of a block, in C order. The slice is
// reused.
func rows(n []uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		at := make([]uint64, len(n))
		for yield(at) {
			i := len(n) - 2
			for ; i >= 0; i-- {
				if at[i]++; at[i] < n[i] {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// Positions yields the positions of a grid in C order. The slice is reused.
func Positions(grid []uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		if slices.Contains(grid, 0) {
			return
		}
		last := len(grid) - 1
		if last < 0 {
			yield(nil)
			return
		}
		for at := range rows(grid) {
			for n := range grid[last] {
				at[last] = n
				if !yield(at) {
					return
				}
			}
			at[last] = 0
		}
	}
}

// offset is the number of elements in front of the one at origin + at.
func (r Block) offset(at []uint64) int {
	offset := uint64(0)
	for i, n := range r.Shape {
		offset = offset*n + r.Origin[i] + at[i]
	}
	return int(offset)
}
