package fromtet

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// Layout implements importers.Values.
func (v *values) Layout(ctx context.Context) (*importers.Layout, error) {
	opened, err := v.source.files.Acquire(ctx, v.part.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	d, chunk, err := opened.Parsed.find(&v.part)
	if err != nil {
		return nil, err
	}
	file := &importers.File{ReaderAt: opened.Reopened(), Location: v.part.Input}
	l := &importers.Layout{Files: []*importers.File{file}, DType: dtypes[d.DType]}
	for _, fill := range v.fills {
		if !math.IsNaN(fill) {
			l.Stored = fmt.Sprintf("missing points are stored as %v", fill)
		}
	}
	switch {
	case chunk != nil:
		return nil, &importers.UnportableError{Why: "chunks are apart"}
	case d.NumChunks() == 0 || slices.Contains(d.Shape, 0):
		return nil, &importers.UnportableError{Why: "it has no elements"}
	}
	l.Chunk = slices.Clone(d.ChunkShape)
	first := d.ChunkAt(0)
	for c := range d.Chunks() {
		if c.Codec != first.Codec {
			return nil, &importers.UnportableError{Why: "some chunks are compressed and some are not"}
		}
	}
	if first.Codec == tet.Zstd {
		l.Transforms = []tgm.Transform{{Name: "zstd"}}
	} else if d.NumChunks() == 1 {
		l.Chunk, l.Extent = importers.ContiguousLayout(file, d.Shape, l.DType.Size(), first.Offset)
		return l, nil
	}
	l.Extent = func(index []uint64) (importers.Extent, bool, error) {
		e, ok := extentOf(file, d, index)
		return e, ok, nil
	}
	return l, nil
}

// extentOf is where a chunk lies.
func extentOf(file *importers.File, d *tet.Dataset, index []uint64) (importers.Extent, bool) {
	coords := make([]int64, len(index))
	for i, n := range index {
		coords[i] = int64(n)
	}
	c, ok := d.Chunk(coords...)
	e := importers.Extent{File: file, Offset: c.Offset, Length: c.Stored}
	if shape := unsigned(c.Shape); !slices.Equal(shape, d.ChunkShape) {
		e.Clipped = shape
	}
	return e, ok
}

func unsigned(shape []int64) []uint64 {
	out := make([]uint64, len(shape))
	for i, n := range shape {
		out[i] = uint64(n)
	}
	return out
}
