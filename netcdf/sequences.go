package netcdf

import (
	"context"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Ragged is a box of sequences, as CF's contiguous ragged arrays hold them.
type Ragged struct {
	Counts []uint64 // elements of each sequence, in C order of the box
	Values []byte   // the elements of all sequences, each as Var.Read stores elements of Type.Base
}

// ReadRagged returns the sequences of a Vlen variable; start and count are as in Read. A sequence
// that was never written is empty.
func (v *Var) ReadRagged(ctx context.Context, start, count []uint64) (*Ragged, error) {
	list, err := v.ReadVlen(ctx, start, count)
	if err != nil {
		return nil, err
	}
	size := v.Type.Base.Size
	if size == 0 {
		return nil, v.wrap(wire.Unsupported("elements", -1, "reading sequences of type %s as bytes", v.Type.Base.Describe()))
	}
	r := &Ragged{Counts: make([]uint64, len(list))}
	total := 0
	for i, b := range list {
		r.Counts[i] = uint64(len(b) / size)
		total += len(b)
	}
	r.Values = make([]byte, 0, total)
	for _, b := range list {
		r.Values = append(r.Values, b...)
	}
	return r, nil
}

// ReadVlen returns the sequences of a Vlen variable in C order. Each holds elements of Type.Base as
// Read would store them.
func (v *Var) ReadVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	if v.Type.Class != Vlen {
		return nil, v.wrap(wire.Unsupported("elements", -1, "reading type %s as sequences", v.Type.Describe()))
	}
	return v.readVlen(ctx, start, count)
}

// ReadRefs returns the elements of a variable of references; [File.PathOf] finds the objects they point
// to.
func (v *Var) ReadRefs(ctx context.Context, start, count []uint64) ([]Ref, error) {
	d, ok := v.data.(*nc4Var)
	if v.Type.Class != Reference || !ok {
		return nil, v.wrap(wire.Unsupported("elements", -1, "reading type %s as references", v.Type.Describe()))
	}
	if v.Err != nil {
		return nil, v.wrap(v.Err)
	}
	start, count, n, err := v.slab(start, count)
	if err != nil || n == 0 {
		return nil, err
	}
	refs, err := d.ds.ReadRefs(ctx, start, count)
	return refs, v.wrap(err)
}

func (v *Var) readVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	if v.Err != nil {
		return nil, v.wrap(v.Err)
	}
	start, count, n, err := v.slab(start, count)
	if err != nil || n == 0 {
		return nil, err
	}
	list, err := v.data.readVlen(ctx, start, count)
	return list, v.wrap(err)
}
