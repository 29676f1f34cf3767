package netcdf

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// nc4Var reads the elements of a variable from its dataset. The dataset may be shorter than an
// unlimited dimension that other variables have extended: the rest has fill values.
type nc4Var struct {
	v  *Var
	ds *hdf5.Dataset
}

func (d *nc4Var) read(ctx context.Context, dst []byte, start, count []uint64) error {
	start, inside := d.clip(start, count)
	if slices.Equal(inside, count) {
		return d.ds.Read(ctx, dst, start, count)
	}
	size := d.v.Type.Size
	nd.Repeat(dst, fillElement(d.ds, d.v.Type))
	n := int(nd.Volume(inside))
	if n == 0 {
		return nil
	}
	part := make([]byte, n*size)
	if err := d.ds.Read(ctx, part, start, inside); err != nil {
		return err
	}
	nd.CopyStrided(dst, nd.Strides(count, int64(size)), part, nd.Strides(inside, int64(size)), inside, size)
	return nil
}

// clip returns how much of a box lies within the dataset, and a start within it.
func (d *nc4Var) clip(start, count []uint64) (from, inside []uint64) {
	from, inside = slices.Clone(start), slices.Clone(count)
	for i, n := range d.ds.Space.Dims {
		from[i] = min(from[i], n)
		inside[i] = min(count[i], n-from[i])
	}
	return from, inside
}

func (d *nc4Var) readVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	start, inside := d.clip(start, count)
	list, err := d.readInside(ctx, start, inside)
	if err != nil || slices.Equal(inside, count) {
		return list, err
	}
	total, err := d.checkVlens(count)
	if err != nil {
		return nil, err
	}
	fill, err := d.vlenFill()
	if err != nil {
		return nil, err
	}
	out := make([][]byte, total)
	for i := range out {
		out[i] = fill
	}
	i := 0
	for at := range nd.Positions(inside) {
		out[nd.Number(at, count)] = list[i]
		i++
	}
	return out, nil
}

// vlenFill is the element of variable length, or the text, that stands beyond the end of the dataset.
func (d *nc4Var) vlenFill() ([]byte, error) {
	fill := []byte{}
	if d.ds.Type.Class != hdf5.Vlen {
		fill = d.ds.NativeFill()
	} else if sequence, err := d.ds.VlenFill(); err != nil {
		return nil, err
	} else if sequence != nil {
		fill = sequence
	}
	if z := slices.Index(fill, 0); z >= 0 && d.v.Type.Class == String {
		fill = fill[:z]
	}
	return slices.Clip(fill), nil
}

// maxVlens bounds the elements of a call: each takes at least a slice header.
const maxVlens = 1 << 26

func (d *nc4Var) checkVlens(count []uint64) (total uint64, err error) {
	total = 1
	for _, c := range count {
		var ok bool
		if total, ok = wire.Mul(total, c); !ok || total > maxVlens {
			return 0, wire.Unsupported("elements", -1, "reading %v of variable length at once", count)
		}
	}
	return total, nil
}

// textBuffer makes room for text of fixed length.
func (d *nc4Var) textBuffer(count []uint64) ([]byte, error) {
	total, err := d.checkVlens(count)
	if err != nil {
		return nil, err
	}
	size, ok := wire.Mul(total, uint64(d.ds.Type.Size))
	if !ok || size > 1<<62 {
		size = 1 << 62
	}
	if err := d.ds.CheckSize(int64(size)); err != nil {
		return nil, err
	}
	return make([]byte, size), nil
}

// checkSize reports data that cannot be read at all, or a box that is too large for the file.
func (d *nc4Var) checkSize(bytes int64, _, _ []uint64) error {
	if err := d.ds.Check(); err != nil {
		return err
	}
	return d.ds.CheckSize(bytes)
}

// readInside reads elements within the dataset. Text ends at the first zero byte.
func (d *nc4Var) readInside(ctx context.Context, start, count []uint64) ([][]byte, error) {
	var list [][]byte
	if d.ds.Type.Class == hdf5.Vlen {
		var err error
		if list, err = d.ds.ReadVlen(ctx, start, count); err != nil {
			return nil, err
		}
	} else {
		size := d.ds.Type.Size
		raw, err := d.textBuffer(count)
		if err != nil {
			return nil, err
		}
		if err := d.ds.Read(ctx, raw, start, count); err != nil {
			return nil, err
		}
		for ; len(raw) >= size; raw = raw[size:] {
			list = append(list, raw[:size:size])
		}
	}
	if d.v.Type.Class == String {
		for i, b := range list {
			if z := slices.Index(b, 0); z >= 0 {
				list[i] = b[:z]
			}
		}
	}
	return list, nil
}
