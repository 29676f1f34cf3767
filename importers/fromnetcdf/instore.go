package fromnetcdf

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
)

// inStore describes the chunks of a variable that is in no netCDF file. Each chunk may be a file;
// their places are asked for one at a time.
func (v *values) inStore(at *placed, f *netcdf.Var) error {
	l := at.layout
	stored, err := f.Elements().Stored()
	if err != nil {
		return unportable("%v", err)
	}
	if f.Storage.Layout != netcdf.Chunked {
		return unportable("it is a scalar")
	}
	for _, filter := range stored.Filters {
		t, err := transformOf(filter, l.DType.Size())
		if err != nil {
			return err
		}
		l.Transforms = append(l.Transforms, t)
	}
	l.Chunk, l.Fill = slices.Clone(f.Storage.ChunkShape), stored.Fill
	total, elements := uint64(1), uint64(1)
	for i, n := range f.Shape() {
		if total *= (n-1)/l.Chunk[i] + 1; total > mostChunks {
			return unportable("it has more than %d chunks", mostChunks)
		}
		elements *= l.Chunk[i]
	}
	l.Small = total > 1 && elements*uint64(l.DType.Size()) < smallChunk
	chunks := &storeChunks{v.source, v.at}
	l.Extent = chunks.extent
	return nil
}

// storeChunks finds the chunks of a variable, also when the input is closed and opened again in between.
type storeChunks struct {
	source *Source
	at     *importers.Part
}

// place asks where a chunk is, and calls use before the input may be closed.
func (c *storeChunks) place(index []uint64, use func(netcdf.Place) error) error {
	ctx := context.Background()
	opened, err := c.source.files.Acquire(ctx, c.at.Input)
	if err != nil {
		return err
	}
	defer opened.Release()
	p, err := opened.Parsed.find(c.at)
	if err != nil {
		return err
	}
	e := p.v.Elements()
	if e == nil {
		return errors.New("the input was opened again and has another variable")
	}
	place, err := e.Place(ctx, index)
	if err != nil {
		return err
	}
	return use(place)
}

// extent implements importers.Layout.Extent.
func (c *storeChunks) extent(index []uint64) (importers.Extent, bool, error) {
	var e importers.Extent
	err := c.place(index, func(p netcdf.Place) error {
		e.Offset, e.Length = p.Offset, p.Length
		e.File = &importers.File{Location: p.File.Name, AsItIs: true, Nowhere: p.Nowhere, ReaderAt: &storeChunk{c, slices.Clone(index)}}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return importers.Extent{}, false, nil
	}
	return e, err == nil, err
}

// A storeChunk reads the file with a chunk.
type storeChunk struct {
	chunks *storeChunks
	index  []uint64
}

// ReadAt implements io.ReaderAt.
func (s *storeChunk) ReadAt(p []byte, off int64) (n int, err error) {
	err = s.chunks.place(s.index, func(place netcdf.Place) (err error) {
		n, err = place.File.ReadAt(p, off)
		return err
	})
	return n, err
}
