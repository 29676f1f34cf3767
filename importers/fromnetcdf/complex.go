package fromnetcdf

import (
	"context"
	"sync"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
)

// complexes says of the complex variables of a file whether a message can hold their numbers.
type complexes struct {
	mu    sync.Mutex
	mixed map[*netcdf.Var]bool // of those that were looked through
}

// Separate implements importers.Complex. All records of a variable are written in the same way.
func (v *values) Separate(ctx context.Context, scratch *importers.Scratch) ([]*importers.Field, error) {
	if len(v.v.parts) == 0 {
		return nil, nil
	}
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

// mixed reports whether there are complex numbers in a variable of which a message would lose a
// part. It looks through all of them, once. What cannot be read is not looked at: reading it for
// the message says why.
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
	look := func(s slab) bool {
		data := scratch.Data(s.elements * v.v.Type.Size)
		return v.v.Read(ctx, data, s.start, s.count) == nil && importers.Mixed(v.kind.dtype, data) > 0
	}
	cut, _ := smallCut(v.v, s, v.v.Type.Size)
	if cut == nil {
		return look(s), ctx.Err()
	}
	for piece := range cut.slabs(s) {
		if look(piece) {
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
	return false, nil
}
