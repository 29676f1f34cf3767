// Package slab reads n-dimensional boxes of elements from a file into memory.
package slab

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

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

// span is the span of the part of the box that the axes from axis on make up.
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
	spanWaste     = 8       // … is read at once when it is at most this many times as long as the wanted bytes
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

// readAxis reads the box that remains from axis on. Dense boxes are read straight into dst; boxes
// with small gaps through scratch; others row by row.
func (r *Region) readAxis(ctx context.Context, axis int, offset int64, dst []byte, scratch *[]byte) error {
	span := r.span(axis)
	want := int64(len(dst))
	if span == want && nd.IsRun(r.Count[axis:], r.Strides[axis:], int64(r.Size)) {
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
		nd.CopyStrided(dst, nd.Strides(r.Count[axis:], int64(r.Size)), *scratch, r.Strides[axis:], r.Count[axis:], r.Size)
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
