package archive

import (
	"context"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// BlockShape implements [dataset.BlockSource]. Only variables of netCDF files are read in blocks.
func (a *Archive) BlockShape(ctx context.Context, ref int) ([]uint64, error) {
	switch parts := a.parts(ref); {
	case parts == nil:
	case parts[0].Width > 0:
		return nil, nil
	default:
		return a.BlockShape(ctx, parts[0].Ref)
	}
	e := a.Catalog.Entry(ref)
	if importers.Format(a.states[e.File].Format) != importers.FormatNetCDF || e.Coordinate {
		return nil, nil
	}
	part, _ := e.Part()
	source := a.sources[importers.FormatNetCDF]
	if source == nil {
		return nil, gone(e.Where())
	}
	for f, err := range source.Read(ctx, part, nil) {
		if err != nil {
			return nil, err
		}
		if blocks, ok := f.Values.(importers.Blocks); ok {
			return blocks.BlockShape(), nil
		}
		return nil, nil
	}
	return nil, gone(e.Where())
}

// ReadBlock implements [dataset.BlockSource].
func (a *Archive) ReadBlock(ctx context.Context, ref int, start, count []uint64, buffer []byte) (*tgm.Array, error) {
	if parts := a.parts(ref); parts != nil {
		return a.readBlocks(ctx, parts, start, count, buffer)
	}
	return a.readChecked(ctx, ref, func(e *catalog.Entry) (*tgm.Array, error) {
		part, _ := e.Part()
		source := a.sources[importers.FormatNetCDF]
		if source == nil {
			return nil, gone(e.Where())
		}
		scratch := a.scratch.Get().(*importers.Scratch)
		defer a.scratch.Put(scratch)
		for f, err := range source.Read(ctx, part, nil) {
			if err != nil {
				return nil, err
			}
			return dataset.ReadBlock(ctx, f, start, count, scratch, buffer)
		}
		return nil, gone(e.Where())
	})
}

var _ dataset.BlockSource = (*Archive)(nil)
