// Package nd is the arithmetic of N-dimensional arrays in C order: sizes, strides, positions, and
// copies of boxes. Shapes and positions have one number an axis, the slowest axis first.
package nd

import (
	"iter"
	"math/bits"
	"slices"
)

// Integer is the type of lengths and positions.
type Integer interface{ ~int | ~int64 | ~uint64 }

// Volume returns the number of elements of a shape, which must fit.
func Volume[T Integer](shape []T) T {
	n := T(1)
	for _, length := range shape {
		n *= length
	}
	return n
}

// Bytes returns the bytes of an array of elements of size bytes; ok is false above 2^62 of them.
func Bytes(shape []uint64, size int) (n int64, ok bool) {
	if slices.Contains(shape, 0) {
		return 0, true
	}
	total := uint64(size)
	for _, length := range shape {
		hi, lo := bits.Mul64(total, length)
		if hi != 0 || lo > 1<<62 {
			return 0, false
		}
		total = lo
	}
	return int64(total), true
}

// Strides returns the distances between neighbours on each axis. On the last axis it is step: 1 for distances
// in elements, their size for bytes.
func Strides[S, T Integer](shape []T, step S) []S {
	strides := make([]S, len(shape))
	for axis, length := range slices.Backward(shape) {
		strides[axis] = step
		step *= S(length)
	}
	return strides
}

// Offset returns the distance from the first element of an array to the element at a position.
func Offset[S, T Integer](at []T, strides []S) S {
	offset := S(0)
	for axis, n := range at {
		offset += S(n) * strides[axis]
	}
	return offset
}

// Number returns the number of the element at a position in C order.
func Number[T Integer](at, shape []T) T {
	number := T(0)
	for axis, length := range shape {
		number = number*length + at[axis]
	}
	return number
}

// Place stores the position of the element with a number in at, and returns at.
func Place[T Integer](at []T, number T, shape []T) []T {
	for axis, length := range slices.Backward(shape) {
		at[axis] = number % length
		number /= length
	}
	return at
}

// IsRun reports whether the elements of a box follow each other without a gap, step apart. The array has the
// given strides.
func IsRun[S, T Integer](count []T, strides []S, step S) bool {
	for axis, length := range slices.Backward(count) {
		if length > 1 && strides[axis] != step {
			return false
		}
		step *= S(length)
	}
	return true
}

// Next moves at to the next position of a shape in C order. After the last it returns false, and at
// is the first again.
func Next[T Integer](at, shape []T) bool {
	for axis := len(at) - 1; axis >= 0; axis-- {
		if at[axis]++; at[axis] < shape[axis] {
			return true
		}
		at[axis] = 0
	}
	return false
}

// Positions yields the positions of a shape in C order. The slice is used again.
func Positions[T Integer](shape []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		if slices.Contains(shape, 0) {
			return
		}
		at := make([]T, len(shape))
		for yield(at) && Next(at, shape) {
		}
	}
}

// Between yields the positions from first to last, which are included, in C order. Each is a slice
// of its own.
func Between[T Integer](first, last []T) iter.Seq[[]T] {
	count := make([]T, len(first))
	for axis := range count {
		count[axis] = last[axis] - first[axis] + 1
	}
	return Within(first, count)
}

// Within yields the positions of a box in C order. Each is a slice of its own.
func Within[T Integer](start, count []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for at := range Positions(count) {
			own := make([]T, len(at))
			for axis := range at {
				own[axis] = start[axis] + at[axis]
			}
			if !yield(own) {
				return
			}
		}
	}
}

// Grid returns the number of tiles along each axis of an array that is divided into them. Tiles have
// no length only along axes of none.
func Grid[T Integer](shape, tile []T) []T {
	grid := make([]T, len(shape))
	for axis, length := range shape {
		if length > 0 && tile[axis] > 0 {
			grid[axis] = (length-1)/tile[axis] + 1
		}
	}
	return grid
}

// Tiles yields the boxes of an array that is divided into tiles, in C order: their first positions
// and lengths, which are shorter at the edge. The slices are the receiver's.
func Tiles[T Integer](shape, tile []T) iter.Seq2[[]T, []T] {
	return func(yield func(start, count []T) bool) {
		for at := range Positions(Grid(shape, tile)) {
			if !yield(Box(at, shape, tile)) {
				return
			}
		}
	}
}

// Tile returns the box of the tile with a number in C order. An array without elements has one, without
// elements.
func Tile[T Integer](number T, shape, tile []T) (start, count []T) {
	grid := Grid(shape, tile)
	for axis, n := range grid {
		grid[axis] = max(1, n)
	}
	return Box(Place(make([]T, len(shape)), number, grid), shape, tile)
}

// Box returns the box of the tile at a position of the grid: its first position and its lengths.
func Box[T Integer](at, shape, tile []T) (start, count []T) {
	start, count = make([]T, len(at)), make([]T, len(at))
	for axis, n := range at {
		start[axis] = n * tile[axis]
		count[axis] = min(tile[axis], shape[axis]-start[axis])
	}
	return start, count
}

// Rows returns the shape of tiles of whole rows of at most most bytes. They are parts of one row if a row has
// more. Elements have size bytes.
func Rows[T Integer](shape []T, size, most T) []T {
	return RowsOf(shape, slices.Repeat([]T{1}, len(shape)), size, most)
}

// RowsOf is [Rows] made of whole tiles, at least one.
func RowsOf[T Integer](shape, tile []T, size, most T) []T {
	rows := slices.Clone(tile)
	for axis, length := range shape {
		rows[axis] = max(1, min(length, tile[axis]))
		size *= rows[axis]
	}
	for axis, length := range slices.Backward(shape) {
		one := rows[axis]
		tiles := max(1, min((length+one-1)/one, most/size))
		rows[axis] = min(max(1, length), one*tiles)
		size = size / one * rows[axis]
	}
	return rows
}

// Estimate is the number of bytes of an array with elements of a size. It may be more than an integer counts.
func Estimate(shape []uint64, size int) float64 {
	bytes := float64(size)
	for _, n := range shape {
		bytes *= float64(n)
	}
	return bytes
}
