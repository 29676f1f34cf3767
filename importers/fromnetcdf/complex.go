package fromnetcdf

import (
	"context"
	"sync"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// complexes tells for the complex variables of a file whether a message can hold their numbers.
type complexes struct {
	mu    sync.Mutex
	mixed map[*netcdf.Var]bool // of variables that were looked through
}

// separate returns the fields of both parts of complex numbers if a message cannot hold these. All
// records of a variable are written in the same way.
func (v *values) separate(ctx context.Context, scratch *importers.Scratch) ([]*importers.Field, error) {
	opened, err := v.source.files.Acquire(ctx, v.at.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	f := opened.Parsed
	p, err := f.find(v.at)
	if err != nil {
		return nil, err
	}
	if mixed, err := f.mixed(ctx, p.variable, scratch); err != nil || !mixed {
		return nil, err
	}
	var list []*importers.Field
	for i := range p.parts {
		at := *v.at
		at.Variable = p.parts[i].name()
		one, err := f.find(&at)
		if err != nil {
			return nil, err
		}
		field, err := f.field(ctx, &at, one)
		if err != nil {
			return nil, err
		}
		list = append(list, field)
	}
	return list, nil
}

// mixed reports whether a variable has complex numbers that would lose a part in a message. It looks
// through all of them, once. Unreadable elements are not looked at: reading them for the message reports
// why.
func (f *file) mixed(ctx context.Context, v *variable, scratch *importers.Scratch) (bool, error) {
	f.complex.mu.Lock()
	defer f.complex.mu.Unlock()
	if mixed, known := f.complex.mixed[v.v]; known {
		return mixed, nil
	}
	mixed, err := f.findMixed(ctx, v, scratch)
	if err == nil {
		if f.complex.mixed == nil {
			f.complex.mixed = make(map[*netcdf.Var]bool)
		}
		f.complex.mixed[v.v] = mixed
	}
	return mixed, err
}

func (f *file) findMixed(ctx context.Context, v *variable, scratch *importers.Scratch) (bool, error) {
	whole := &part{variable: v, axis: -1}
	s, _, _, err := whole.slab()
	if err != nil || s.elements == 0 || f.plausible(v.v, s, v.v.Type.Size) != nil {
		return false, nil
	}
	size := v.v.Type.Size
	for start, count := range nd.Tiles(s.count, s.tile(&v.v.Storage, uint64(size))) {
		data := scratch.Data(int(nd.Volume(count)) * size)
		if v.v.Read(ctx, data, start, count) == nil && importers.Mixed(v.kind.dtype, data) > 0 {
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	return false, nil
}
