package dataset

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/tgm"
)

// A Part is consecutive rows of an object: its elements at some positions along its first
// dimension.
type Part struct {
	Ref         int
	First, Rows uint64
	// Width, if not 0, is the length of the last dimension, the bytes of texts. Shorter texts of an object are
	// followed by zeros. An object without other dimensions is a part as a whole.
	Width uint64
	// Unpack, if not nil, makes values of the elements.
	Unpack *Unpacking
	// Take, if not nil, selects elements of the object, in place of its rows.
	Take *Taking
}

// Key tells apart the parts of one object.
func (p *Part) Key() string {
	key := fmt.Sprintf("%d %d %d", p.First, p.Rows, p.Width)
	if p.Unpack != nil {
		key += fmt.Sprintf(" %+v", *p.Unpack)
	}
	if p.Take != nil {
		key += fmt.Sprintf(" %v", *p.Take)
	}
	return key
}

// A Taking is the elements of an array at some positions along each of its axes.
type Taking struct {
	Shape []uint64   // of the array, with the axes that the variable has
	At    [][]uint64 // positions along each axis; nil for all
}

// Parts returns the parts of objects that a chunk is assembled from, joined along the first dimension. A part
// may itself be assembled from parts. It returns nil for the ref of an object. Refs of assembled chunks are
// greater than the refs of objects.
func (d *Dataset) Parts(ref int) []Part {
	if i := ref - d.Report.Len(); i >= 0 && i < len(d.parts) {
		return d.parts[i]
	}
	return nil
}

// addParts returns the ref of a chunk that is made of parts.
func (d *Dataset) addParts(parts []Part) int32 {
	d.parts = append(d.parts, parts)
	return int32(d.Report.Len() + len(d.parts) - 1)
}

// refOf returns the ref of a chunk that an object holds. With a width, the last dimension is made
// that long.
func (d *Dataset) refOf(o *Object, width uint64) int32 {
	if o.unpack == nil && (width == 0 || o.Shape[len(o.Shape)-1] == width) {
		return int32(o.Ref)
	}
	rows := uint64(1)
	if len(o.Shape) > 0 {
		rows = o.Shape[0]
	}
	return d.addParts([]Part{{Ref: o.Ref, Rows: rows, Width: width, Unpack: o.unpack}})
}

// Sizes in bytes and numbers of chunks that are made of parts.
const (
	wholeJoined = 1 << 20   // a variable up to this size is one chunk
	largeRows   = 128 << 20 // records of one file that are more than one chunk
	joinedChunk = 16 << 20  // such a chunk, about
	mostChunks  = 1 << 16   // of a variable, unless its files are more
)

// joinParts gives v chunks of one length, which objects of other lengths hold together. Small variables, such
// as coordinates, are one chunk. Else a chunk has as many rows as the longest object, or fewer where rows are
// large. With a width, the last dimension is made that long.
func (v *Variable) joinParts(objects []Object, d *Dataset, width uint64) {
	longest := uint64(0)
	for _, o := range objects {
		longest = max(longest, o.Shape[0])
	}
	total, row := v.Shape[0], rowBytes(v.Shape, v.DType)
	rows := longest
	switch {
	case d.grows && row <= wholeJoined/Room(total):
		rows = Room(total)
	case row <= wholeJoined/total:
		rows = total
	case row > largeRows/longest:
		rows = min(longest, max(1, joinedChunk/row, (total-1)/mostChunks+1))
	}
	v.Chunk[0] = rows
	v.short = total%rows != 0
	i, first := 0, uint64(0) // the next row
	for at := uint64(0); at < total; at += rows {
		var parts []Part
		for need := min(rows, total-at); need > 0; {
			o := &objects[i]
			n := min(need, o.Shape[0]-first)
			parts = append(parts, Part{Ref: o.Ref, First: first, Rows: n, Width: width, Unpack: o.unpack})
			need -= n
			if first += n; first == o.Shape[0] {
				i, first = i+1, 0
			}
		}
		ref := int32(parts[0].Ref)
		if p := parts[0]; len(parts) > 1 || p.First > 0 || first > 0 || width > 0 || p.Unpack != nil {
			ref = d.addParts(parts)
		}
		v.refs = append(v.refs, ref)
	}
}

// Room is a length of a chunk that has room for n positions and more. Few of these lengths are enough
// for an axis that grows.
func Room(n uint64) uint64 {
	length := uint64(64)
	for length < n && length < 1<<40 {
		length *= 4
	}
	return max(n, length)
}

// rowBytes is the size of one position along the first dimension, at least 1. It is math.MaxInt64 if it
// cannot be counted.
func rowBytes(shape []uint64, dtype tgm.DType) uint64 {
	bytes := uint64(dtype.Size())
	for _, n := range shape[1:] {
		if n > 0 && bytes > math.MaxInt64/n {
			return math.MaxInt64
		}
		bytes *= n
	}
	return max(1, bytes)
}
