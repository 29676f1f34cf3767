package nd

import "slices"

// A Block is an array of elements in C order, with a position at which [Copy] and [Fill] begin. This is the
// first element if Origin is nil.
type Block struct {
	Data   []byte
	Shape  []uint64
	Origin []uint64
}

// At is an array of elements with a position in it.
func At(data []byte, shape, origin []uint64) Block { return Block{data, shape, origin} }

// from returns the bytes from the origin on, and the strides of the array in bytes.
func (b Block) from(size int) ([]byte, []int64) {
	strides := Strides(b.Shape, int64(size))
	if b.Origin == nil {
		return b.Data, strides
	}
	return b.Data[Offset(b.Origin, strides):], strides
}

// Copy copies a box of count elements of size bytes from the origin of src to the origin of dst.
func Copy(dst, src Block, count []uint64, size int) {
	if slices.Contains(count, 0) {
		return
	}
	to, toStrides := dst.from(size)
	from, fromStrides := src.from(size)
	CopyStrided(to, toStrides, from, fromStrides, count, size)
}

// Cut returns a box of count elements of size bytes from the origin of an array on.
func Cut(src Block, count []uint64, size int) []byte {
	if slices.Contains(count, 0) {
		return nil
	}
	out := make([]byte, Volume(count)*uint64(size))
	Copy(At(out, count, nil), src, count, size)
	return out
}

// CopyStrided copies a box of count elements of size bytes from src to dst. Both begin at the box's first
// element. The strides are in bytes; every element must lie inside its slice.
func CopyStrided(dst []byte, dstStrides []int64, src []byte, srcStrides []int64, count []uint64, size int) {
	if slices.Contains(count, 0) {
		return
	}
	// Axes that lie densely in both arrays are one run.
	run := int64(size)
	axes := len(count)
	for axes > 0 && dstStrides[axes-1] == run && srcStrides[axes-1] == run {
		axes--
		run *= int64(count[axes])
	}
	copyRuns(dst, dstStrides[:axes], src, srcStrides[:axes], count[:axes], run)
}

func copyRuns(dst []byte, ds []int64, src []byte, ss []int64, count []uint64, run int64) {
	if len(count) == 0 {
		copy(dst[:run], src[:run])
		return
	}
	n := int64(count[0])
	if len(count) == 1 {
		copyRow(dst, ds[0], src, ss[0], n, run)
		return
	}
	for i := range n {
		copyRuns(dst[i*ds[0]:], ds[1:], src[i*ss[0]:], ss[1:], count[1:], run)
	}
}

// copyRow copies n runs. Runs of one element, where the axis is the last of the box but not of the
// array, are worth loops of their own.
func copyRow(dst []byte, d int64, src []byte, s int64, n, run int64) {
	switch run {
	case 4:
		for i := range n {
			*(*[4]byte)(dst[i*d:]) = [4]byte(src[i*s:])
		}
	case 8:
		for i := range n {
			*(*[8]byte)(dst[i*d:]) = [8]byte(src[i*s:])
		}
	default:
		for i := range n {
			copy(dst[i*d:i*d+run], src[i*s:i*s+run])
		}
	}
}

// Fill sets a box of count elements, from the origin of an array on, to an element.
func Fill(dst Block, count []uint64, element []byte) {
	if slices.Contains(count, 0) {
		return
	}
	to, strides := dst.from(len(element))
	axes, run := len(count), int64(len(element))
	for axes > 0 && strides[axes-1] == run {
		axes--
		run *= int64(count[axes])
	}
	for at := range Positions(count[:axes]) {
		first := Offset(at, strides)
		Repeat(to[first:first+run], element)
	}
}

// Repeat fills dst, whose length is a multiple of an element's, with copies of it. No element means
// zeros.
func Repeat(dst, element []byte) {
	zero := true
	for _, b := range element {
		zero = zero && b == 0
	}
	if zero || len(dst) == 0 {
		clear(dst)
		return
	}
	for n := copy(dst, element); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// Cover returns the shortest run of whole rows of an array that holds a box of count elements, none
// zero: the number of its first element, and the run as a block without data, in which the box
// begins at the origin.
func Cover(shape, origin, count []uint64) (first uint64, run Block) {
	run = Block{Shape: slices.Clone(shape), Origin: slices.Clone(origin)}
	for axis := range shape {
		run.Shape[axis], run.Origin[axis] = count[axis], 0
		if count[axis] > 1 {
			break
		}
	}
	start := make([]uint64, len(shape))
	for axis := range start {
		start[axis] = origin[axis] - run.Origin[axis]
	}
	return Number(start, shape), run
}
