package netcdf

import (
	"context"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// ReadStrings returns the elements of a String variable in C order; start and count are as in Read.
// A string that was never written is empty.
func (v *Var) ReadStrings(ctx context.Context, start, count []uint64) ([]string, error) {
	if v.Type.Class != String {
		return nil, v.wrap(wire.Unsupported("elements", -1, "reading type %s as strings", v.Type.Describe()))
	}
	raw, err := v.readVlen(ctx, start, count)
	if err != nil {
		return nil, err
	}
	s := make([]string, len(raw))
	for i, b := range raw {
		s[i] = string(b)
	}
	return s, nil
}

// ReadVlen returns the sequences of a Vlen variable in C order; each holds elements of Type.Base as
// Read would store them.
func (v *Var) ReadVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	if v.Type.Class != Vlen {
		return nil, v.wrap(wire.Unsupported("elements", -1, "reading type %s as sequences", v.Type.Describe()))
	}
	return v.readVlen(ctx, start, count)
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
