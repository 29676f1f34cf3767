// Package slab moves n-dimensional boxes of elements: between two arrays in memory, and from a file
// into memory.
package slab

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Strides returns the distance in bytes between neighbours on each axis of a dense C-order array of
// elements of size bytes.
func Strides(shape []uint64, size int) []int64 {
	s := make([]int64, len(shape))
	step := int64(size)
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = step
		step *= int64(shape[i])
	}
	return s
}

// Copy copies a box of count elements of size bytes from src to dst, both beginning at the box's
// first element. The strides are in bytes; every element must lie inside its slice.
func Copy(dst []byte, dstStrides []int64, src []byte, srcStrides []int64, count []uint64, size int) {
	// Axes that lie densely in both arrays are one run.
	run := int64(size)
	axes := len(count)
	for axes > 0 && dstStrides[axes-1] == run && srcStrides[axes-1] == run {
		axes--
		run *= int64(count[axes])
	}
	for _, n := range count {
		if n == 0 {
			return
		}
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
	for i := int64(0); i < n; i++ {
		copyRuns(dst[i*ds[0]:], ds[1:], src[i*ss[0]:], ss[1:], count[1:], run)
	}
}

// copyRow copies n runs. Runs of one element, where the axis is the last of the box but not of the
// array, are worth loops of their own.
func copyRow(dst []byte, d int64, src []byte, s int64, n, run int64) {
	switch run {
	case 4:
		for i := int64(0); i < n; i++ {
			*(*[4]byte)(dst[i*d:]) = [4]byte(src[i*s:])
		}
	case 8:
		for i := int64(0); i < n; i++ {
			*(*[8]byte)(dst[i*d:]) = [8]byte(src[i*s:])
		}
	default:
		for i := int64(0); i < n; i++ {
			copy(dst[i*d:i*d+run], src[i*s:i*s+run])
		}
	}
}

// Fill repeats the pattern over dst, whose length is a multiple of the pattern's. No pattern means
// zeros.
func Fill(dst, pattern []byte) {
	zero := true
	for _, b := range pattern {
		zero = zero && b == 0
	}
	if zero || len(dst) == 0 {
		clear(dst)
		return
	}
	for n := copy(dst, pattern); n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// Region is a box of an array in a file.
type Region struct {
	Source  wire.Source
	What    string   // for errors
	Offset  int64    // of the box's first element
	Strides []int64  // bytes between neighbours on each axis, none negative
	Count   []uint64 // elements on each axis, none zero
	Size    int      // bytes of an element
}

// Span returns the bytes from the beginning of the first element to the end of the last.
func (r *Region) Span() int64 { return r.span(0) }

// span is that of the part of the box that the axes from axis on make up.
func (r *Region) span(axis int) int64 {
	n := int64(r.Size)
	for i := axis; i < len(r.Count); i++ {
		n += int64(r.Count[i]-1) * r.Strides[i]
	}
	return n
}

const (
	parallelBytes = 4 << 20 // boxes from this size are read on several cores
	spanBytes     = 1 << 20 // a span of the file with unwanted bytes between wanted ones
	spanWaste     = 8       // … is read at once when it is at most this often as long
	smallSpan     = 32 << 10
)

// Read stores the box into dst in C order. Then it calls finish, if not nil, on pieces of dst that
// together make up all of it, each a whole number of elements, perhaps from several goroutines.
func (r *Region) Read(ctx context.Context, dst []byte, finish func([]byte)) error {
	workers := runtime.GOMAXPROCS(0)
	axis := 0
	for axis < len(r.Count) && r.Count[axis] == 1 {
		axis++
	}
	if len(dst) < parallelBytes || workers == 1 || axis == len(r.Count) {
		return r.readPart(ctx, dst, finish)
	}
	parts := min(uint64(2*workers), r.Count[axis])
	row := uint64(len(dst)) / r.Count[axis]
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for p := range parts {
		lo, hi := r.Count[axis]*p/parts, r.Count[axis]*(p+1)/parts
		part := *r
		part.Offset += int64(lo) * r.Strides[axis]
		part.Count = append([]uint64(nil), r.Count...)
		part.Count[axis] = hi - lo
		g.Go(func() error { return part.readPart(ctx, dst[lo*row:hi*row], finish) })
	}
	return g.Wait()
}

func (r *Region) readPart(ctx context.Context, dst []byte, finish func([]byte)) error {
	var scratch []byte
	if err := r.readAxis(ctx, 0, r.Offset, dst, &scratch); err != nil {
		return err
	}
	if finish != nil {
		finish(dst)
	}
	return nil
}

// readAxis reads the box that remains from axis on. Dense boxes are read straight into dst; those
// with small gaps through scratch; others row by row.
func (r *Region) readAxis(ctx context.Context, axis int, offset int64, dst []byte, scratch *[]byte) error {
	span := r.span(axis)
	want := int64(len(dst))
	if span == want && r.dense(axis) {
		return r.Source.ReadFull(r.What, dst, offset)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if span <= smallSpan || span <= spanBytes && span <= spanWaste*want {
		if int64(len(*scratch)) < span {
			*scratch = make([]byte, span)
		}
		if err := r.Source.ReadFull(r.What, (*scratch)[:span], offset); err != nil {
			return err
		}
		Copy(dst, Strides(r.Count[axis:], r.Size), *scratch, r.Strides[axis:], r.Count[axis:], r.Size)
		return nil
	}
	row := want / int64(r.Count[axis])
	for i := int64(0); i < int64(r.Count[axis]); i++ {
		if err := r.readAxis(ctx, axis+1, offset+i*r.Strides[axis], dst[i*row:(i+1)*row], scratch); err != nil {
			return err
		}
	}
	return nil
}

func (r *Region) dense(axis int) bool {
	step := int64(r.Size)
	for i := len(r.Count) - 1; i >= axis; i-- {
		if r.Count[i] > 1 && r.Strides[i] != step {
			return false
		}
		step *= int64(r.Count[i])
	}
	return true
}
