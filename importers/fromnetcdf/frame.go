package fromnetcdf

import (
	"context"
	"errors"
	"io/fs"

	"github.com/tgmconv/tgmconv/internal/reading"
)

// frameSlack is the largest number of bytes that a frame may have beside its content.
const frameSlack = 64 << 10

// Frame implements importers.Values: the stored chunk of a store whose codec is zstd alone, if the elements are that
// chunk. Numbers that are missing points, or NaN, are not asked for as they are stored.
func (v *values) Frame(ctx context.Context) (frame []byte, level int, err error) {
	if v.packed != nil || v.v.form != asNumbers || v.v.member || len(v.v.kind.inner) > 0 || !v.v.kind.dtype.IsInteger() {
		return nil, 0, nil
	}
	opened, err := v.source.files.Acquire(ctx, v.at.Input)
	if err != nil {
		return nil, 0, err
	}
	defer opened.Release()
	p, err := opened.Parsed.find(v.at)
	if err != nil {
		return nil, 0, err
	}
	e, chunk := p.v.Elements(), p.v.Storage.ChunkShape
	if e == nil || p.v.Storage.BigEndian || v.v.kind.dtype.Size() != p.v.Type.Size || len(chunk) != len(v.slab.count) {
		return nil, 0, nil
	}
	stored, err := e.Stored()
	if err != nil || len(stored.Filters) != 1 || stored.Filters[0].Name != "zstd" {
		return nil, 0, nil
	}
	index := make([]uint64, len(chunk))
	for i, n := range chunk {
		if v.slab.count[i] != n || v.slab.start[i]%n != 0 {
			return nil, 0, nil
		}
		index[i] = v.slab.start[i] / n
	}
	place, err := e.Place(ctx, index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if most := int64(v.slab.elements)*int64(p.v.Type.Size) + frameSlack; err == nil && place.Length > most {
		return nil, 0, nil
	}
	if err == nil {
		frame = make([]byte, place.Length)
		_, err = place.File.ReadAt(frame, place.Offset)
	}
	if reading.Failed(err) || ctx.Err() != nil {
		return nil, 0, errors.Join(err, ctx.Err())
	}
	if err != nil {
		return nil, 0, nil // the reader of elements reports the error
	}
	return frame, stored.Filters[0].Level, nil
}
