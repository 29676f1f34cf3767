package tonetcdf

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf"
)

// storage applies the options of chunks and filters.
func (o *Options) storage(f *File) error {
	classic := f.Kind == netcdf.CDF1 || f.Kind == netcdf.CDF2 || f.Kind == netcdf.CDF5
	used := make(map[string]bool)
	for _, v := range f.vars {
		if classic {
			v.out.NoFill, v.out.Fill = false, nil
		}
		o.chunks(v, used)
		if len(v.shape) == 0 {
			continue
		}
		if o.Filters != nil {
			v.out.Filters = slices.Clone(*o.Filters)
			if v.out.Type.Size == 0 { // text and sequences lie elsewhere
				v.out.Filters = nil
			}
		}
		if classic {
			v.out.Filters, v.out.ChunkShape, v.out.BigEndian = nil, nil, false
		}
	}
	for _, dim := range slices.Sorted(maps.Keys(o.Chunks)) {
		if !used[dim] {
			return fmt.Errorf("no variable has a dimension %s to cut into chunks", dim)
		}
	}
	return nil
}

// chunks sets the chunk shape of a variable that has one of the dimensions that options name.
func (o *Options) chunks(v *variable, used map[string]bool) {
	if !slices.ContainsFunc(v.out.Dims, func(dim string) bool { _, ok := o.Chunks[dim]; return ok }) {
		return
	}
	shape := slices.Clone(v.out.ChunkShape)
	if shape == nil {
		shape = slices.Clone(v.shape)
	}
	for i, dim := range v.out.Dims {
		if n, ok := o.Chunks[dim]; ok {
			used[dim] = true
			shape[i] = n
			if n == 0 || n > v.shape[i] {
				shape[i] = v.shape[i]
			}
		}
		shape[i] = max(1, shape[i])
	}
	v.out.ChunkShape = shape
}
