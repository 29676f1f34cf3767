package array

import (
	"context"
	"fmt"
	"slices"
)

// Join puts arrays one after the other along an axis. They must have one type, and one length along
// each other axis.
func Join(axis int, parts ...Array) (Array, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("array: nothing to join")
	}
	first := parts[0].Info()
	if axis < 0 || axis >= len(first.Shape) {
		return nil, fmt.Errorf("array: joined along axis %d of %d", axis, len(first.Shape))
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	j := &joined{axis: axis, parts: parts, info: *first}
	j.info.Fits = j.fits
	j.info.Shape = slices.Clone(first.Shape)
	j.info.Shape[axis] = 0
	j.info.Block = slices.Clone(first.Block)
	for i, p := range parts {
		info := p.Info()
		if info.DType != first.DType || !sameBut(axis, info.Shape, first.Shape) {
			return nil, fmt.Errorf("array: part %d has shape %v of %s, the first %v of %s", i, info.Shape, info.DType, first.Shape, first.DType)
		}
		j.starts = append(j.starts, j.info.Shape[axis])
		j.info.Shape[axis] += info.Shape[axis]
		for k, n := range info.Block {
			j.info.Block[k] = max(j.info.Block[k], n)
		}
	}
	j.wholeParts()
	return j, nil
}

// wholeParts makes one block of parts that are decoded as wholes, unless each is a block. Otherwise a
// part would be decoded for several blocks.
func (j *joined) wholeParts() {
	n := j.info.Block[j.axis]
	for i, p := range j.parts {
		if info := p.Info(); info.Block[j.axis] > 1 && info.Block[j.axis] >= info.Shape[j.axis] && j.starts[i]%n != 0 {
			j.info.Block[j.axis] = j.info.Shape[j.axis]
		}
	}
}

// sameBut reports whether shapes are equal but for an axis.
func sameBut(axis int, a, b []uint64) bool {
	return len(a) == len(b) && slices.Equal(a[:axis], b[:axis]) && slices.Equal(a[axis+1:], b[axis+1:])
}

type joined struct {
	Plain
	info   Info
	axis   int
	parts  []Array
	starts []uint64 // of each part, along the axis
}

func (j *joined) Info() *Info { return &j.info }

// fits asks each part for the most bytes that a region of the joined array can have of it.
func (j *joined) fits(bytes uint64) error {
	for _, p := range j.parts {
		info := p.Info()
		if info.Fits == nil {
			continue
		}
		most := bytes
		if n, size := info.Whole().Elements(), uint64(info.DType.Size()); size > 0 && n < bytes/size {
			most = n * size
		}
		if err := info.Fits(most); err != nil {
			return err
		}
	}
	return nil
}

func (j *joined) Read(ctx context.Context, r Region, dst []byte) error {
	begin, end := r.Start[j.axis], r.Start[j.axis]+r.Count[j.axis]
	i, found := slices.BinarySearch(j.starts, begin)
	if !found {
		i--
	}
	for ; i < len(j.parts) && j.starts[i] < end; i++ {
		start := j.starts[i]
		from, to := max(begin, start), min(end, start+j.parts[i].Info().Shape[j.axis])
		if from >= to {
			continue
		}
		part := Region{slices.Clone(r.Start), slices.Clone(r.Count)}
		part.Start[j.axis], part.Count[j.axis] = from-start, to-from
		at := make([]uint64, len(r.Start))
		at[j.axis] = from - begin
		if err := Into(ctx, j.parts[i], part, dst, r.Count, at); err != nil {
			return err
		}
	}
	return nil
}

// Packing is known where all parts that the region touches have the same.
func (j *joined) Packing(ctx context.Context, r Region) (first *Packing, err error) {
	begin, end := r.Start[j.axis], r.Start[j.axis]+r.Count[j.axis]
	for i, part := range j.parts {
		start, length := j.starts[i], part.Info().Shape[j.axis]
		from, to := max(begin, start), min(end, start+length)
		if from >= to {
			continue
		}
		inPart := Region{slices.Clone(r.Start), slices.Clone(r.Count)}
		inPart.Start[j.axis], inPart.Count[j.axis] = from-start, to-from
		p, err := part.Packing(ctx, inPart)
		if p == nil || err != nil || first != nil && *p != *first {
			return nil, err
		}
		first = p
	}
	return first, nil
}

// Cut is a region of an array, which must lie within it.
func Cut(a Array, r Region) Array {
	c := &cut{of: a, region: r, info: *a.Info()}
	c.info.Shape = r.Count
	c.info.Block = slices.Clone(c.info.Block)
	for i := range c.info.Block {
		c.info.Block[i] = min(c.info.Block[i], max(1, r.Count[i]))
	}
	return c
}

type cut struct {
	of     Array
	region Region
	info   Info
}

func (a *cut) Info() *Info { return &a.info }

func (a *cut) Read(ctx context.Context, r Region, dst []byte) error {
	return a.of.Read(ctx, a.regionOf(r), dst)
}

// regionOf returns a region as a region of the array that is cut.
func (a *cut) regionOf(r Region) Region {
	start := slices.Clone(r.Start)
	for i := range start {
		start[i] += a.region.Start[i]
	}
	return Region{start, r.Count}
}

func (a *cut) Packing(ctx context.Context, r Region) (*Packing, error) {
	return a.of.Packing(ctx, a.regionOf(r))
}

// Coded implements [Array].
func (a *cut) Coded(context.Context, []uint32) (*Coded, error) { return nil, nil }

func (a *cut) Single() Array {
	if s := a.of.Single(); s != nil {
		return Cut(s, a.region)
	}
	return nil
}

// Reshape is an array with axes of length 1 more or less. Other shapes are refused: their regions
// are not regions of the array.
func Reshape(a Array, shape []uint64) (Array, error) {
	info := a.Info()
	if slices.Equal(shape, info.Shape) {
		return a, nil
	}
	r := &reshaped{of: a, info: *info, axes: slices.Repeat([]int{-1}, len(shape))}
	r.info.Shape, r.info.Block = shape, slices.Repeat([]uint64{1}, len(shape))
	k, fits := 0, true
	for i, n := range shape {
		for n != 1 && k < len(info.Shape) && info.Shape[k] == 1 {
			k++
		}
		if k < len(info.Shape) && info.Shape[k] == n {
			r.axes[i], r.info.Block[i] = k, info.Block[k]
			k++
		} else if n != 1 {
			fits = false
		}
	}
	for ; k < len(info.Shape); k++ {
		fits = fits && info.Shape[k] == 1
	}
	if !fits {
		return nil, fmt.Errorf("array: shape %v as %v", info.Shape, shape)
	}
	return r, nil
}

type reshaped struct {
	of   Array
	info Info
	axes []int // of the array, for each axis; -1 for an axis that the array does not have
}

func (a *reshaped) Info() *Info { return &a.info }

func (a *reshaped) Read(ctx context.Context, r Region, dst []byte) error {
	return a.of.Read(ctx, a.regionOf(r), dst)
}

// regionOf returns a region as a region of the array that is reshaped.
func (a *reshaped) regionOf(r Region) Region {
	rank := len(a.of.Info().Shape)
	part := Region{make([]uint64, rank), slices.Repeat([]uint64{1}, rank)}
	for i, k := range a.axes {
		if k >= 0 {
			part.Start[k], part.Count[k] = r.Start[i], r.Count[i]
		}
	}
	return part
}

func (a *reshaped) Packing(ctx context.Context, r Region) (*Packing, error) {
	return a.of.Packing(ctx, a.regionOf(r))
}

// Coded implements [Array].
func (a *reshaped) Coded(ctx context.Context, buffer []uint32) (*Coded, error) {
	return a.of.Coded(ctx, buffer)
}

func (a *reshaped) Single() Array {
	if s := a.of.Single(); s != nil {
		return &reshaped{s, a.info.as(Float32), a.axes}
	}
	return nil
}
