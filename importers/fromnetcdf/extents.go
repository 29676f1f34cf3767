package fromnetcdf

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

func unportable(format string, args ...any) error {
	return &importers.UnportableError{Why: fmt.Sprintf(format, args...)}
}

// Layout implements importers.Values.
func (v *values) Layout(ctx context.Context) (*importers.Layout, error) {
	opened, err := v.source.files.Acquire(ctx, v.at.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	p, err := opened.Parsed.find(v.at)
	if err != nil {
		return nil, err
	}
	l := &importers.Layout{DType: v.v.kind.dtype, Stored: v.meaning()}
	if l.Stored != "" {
		l.Unpack = v.unpack()
	}
	places := placed{opened: opened, layout: l, files: make(map[*netcdf.RawFile]*importers.File)}
	if err := v.describe(&places, p); err != nil {
		return nil, err
	}
	return l, nil
}

// placed makes extents of the chunks of a variable.
type placed struct {
	opened *importers.OpenFile[*file]
	layout *importers.Layout
	files  map[*netcdf.RawFile]*importers.File
}

// file is the file that a chunk lies in, which may be another than the input.
func (p *placed) file(raw *netcdf.RawFile) *importers.File {
	f := p.files[raw]
	if f != nil {
		return f
	}
	if e, ok := raw.ReaderAt.(*externalFile); ok {
		f = &importers.File{ReaderAt: &reopenedExternal{p.opened.Parsed.source, p.opened.Location, raw.Name, e.ETag()}, Location: e.location}
	} else {
		f = &importers.File{ReaderAt: p.opened.Reopened(), Location: p.opened.Location}
	}
	p.files[raw], p.layout.Files = f, append(p.layout.Files, f)
	return f
}

// meaning tells how elements become values; it is empty if they are the values.
func (v *values) meaning() string {
	if v.packed != nil {
		return "values are packed with a scale or an offset"
	}
	for _, fill := range v.fills {
		if f, ok := fill.(float64); !ok || !math.IsNaN(f) {
			return fmt.Sprintf("missing points are stored as %v", fill)
		}
	}
	return ""
}

// unpack are the attributes that make values of the elements.
func (v *values) unpack() map[string]any {
	attrs := make(map[string]any)
	for _, name := range mapping.PackingAttributes() {
		a := v.attr(name)
		if a == nil {
			continue
		}
		switch x := a.Value.(type) {
		case []int64:
			attrs[name] = one(x)
		case []uint64:
			attrs[name] = one(x)
		case []float64:
			attrs[name] = one(x)
		}
	}
	return attrs
}

// describe finds the chunks of a variable.
func (v *values) describe(at *placed, p *part) error {
	f, l := p.v, at.layout
	l.BigEndian = f.Storage.BigEndian
	switch t := f.Type; {
	case p.split:
		return unportable("records are apart")
	case v.v.form != asNumbers || v.v.member || len(v.v.kind.inner) > 0:
		return unportable("elements are of type %s", t.Describe())
	case v.v.kind.class == 0 && t.Class != netcdf.Char || l.DType.Size() != t.Size:
		return unportable("elements are of type %s", t.Describe())
	case slices.Contains(f.Shape(), 0):
		return unportable("it has no elements")
	case f.Elements() != nil:
		return v.inStore(at, f)
	}
	switch f.Storage.Layout {
	case netcdf.Chunked:
		l.Chunk = slices.Clone(f.Storage.ChunkShape)
	case netcdf.Records:
		l.Chunk = f.Shape()
		l.Chunk[0], l.Records = 1, true
	case netcdf.Contiguous, netcdf.External:
		return v.contiguous(at, f)
	case netcdf.Virtual:
		return unportable("its elements are in other variables: it is a virtual dataset")
	default:
		return unportable("elements are stored as %s", f.Storage.Layout)
	}
	for _, filter := range f.Storage.Filters {
		t, err := transformOf(filter, l.DType.Size())
		if err != nil {
			return err
		}
		l.Transforms = append(l.Transforms, t)
	}
	return v.chunked(at, f)
}

func (v *values) contiguous(at *placed, f *netcdf.Var) error {
	for c, err := range f.Chunks(nil, nil) {
		if err != nil {
			return err
		}
		if c.Stored != f.Size() {
			return unportable("%d bytes are stored, expected %d", c.Stored, f.Size())
		}
		at.layout.Chunk, at.layout.Extent = importers.ContiguousLayout(at.file(c.File), f.Shape(), at.layout.DType.Size(), c.Offset)
		return nil
	}
	if f.Storage.Layout == netcdf.External {
		return unportable("its external data are in several pieces, or end early")
	}
	return unportable("elements lie nowhere in the file")
}

// Bounds of chunks.
const (
	mostChunks = 1 << 24  // of one variable
	smallChunk = 16 << 10 // bytes, see [importers.Layout]
)

func (v *values) chunked(at *placed, f *netcdf.Var) error {
	l := at.layout
	shape := f.Shape()
	grid, total := make([]uint64, len(shape)), uint64(1)
	for i, n := range shape {
		grid[i] = (n-1)/l.Chunk[i] + 1
		if total *= grid[i]; total > mostChunks {
			return unportable("it has more than %d chunks", mostChunks)
		}
	}
	l.Small = total > 1 && f.Size()/total < smallChunk
	place := func(index []uint64) (n uint64) {
		for i, g := range grid {
			n = n*g + index[i]
		}
		return n
	}
	extents := make(map[uint64]importers.Extent)
	index := make([]uint64, len(shape))
	for c, err := range f.Chunks(nil, nil) {
		if err != nil {
			return err
		}
		if !c.Complete {
			return unportable("some chunks lack filters that others have")
		}
		for i, s := range c.Start {
			index[i] = s / l.Chunk[i]
		}
		extents[place(index)] = importers.Extent{File: at.file(c.File), Offset: c.Offset, Length: int64(c.Stored)}
	}
	l.Stretch = int64(len(extents))
	l.Extent = func(index []uint64) (importers.Extent, bool, error) {
		e, ok := extents[place(index)]
		return e, ok, nil
	}
	if l.Fill = slices.Clone(f.Fill()); l.BigEndian && l.Fill != nil && len(l.Fill) != l.DType.Size() {
		l.Fill = nil
	}
	if l.Fill == nil {
		l.Fill = make([]byte, l.DType.Size())
	}
	return nil
}

// transformOf is a filter of HDF5 as other formats have it.
func transformOf(f netcdf.Filter, size int) (tgm.Transform, error) {
	const bloscFilter, zstdFilter = 32001, 32015
	switch f.Name {
	case "gzip", "crc32c":
		return tgm.Transform{Name: f.Name, Level: f.Level}, nil
	}
	switch f.ID {
	case netcdf.FilterShuffle:
		return tgm.Transform{Name: "shuffle", Size: size}, nil
	case netcdf.FilterDeflate:
		return tgm.Transform{Name: "deflate", Level: f.Level}, nil
	case zstdFilter:
		return tgm.Transform{Name: "zstd", Level: f.Level}, nil
	case bloscFilter:
		return tgm.Transform{Name: "blosc", Size: size}, nil
	}
	return tgm.Transform{}, unportable("the filter %s", f.Name)
}
