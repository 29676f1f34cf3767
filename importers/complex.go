package importers

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/tgmconv/tgmconv/tgm"
)

// Mixed counts the complex numbers, little-endian, that lose a part in a message: a mask of a
// Tensogram file makes both parts NaN or the same infinity. It is 0 for other types.
func Mixed(d tgm.DType, data []byte) (n int) {
	if !d.IsComplex() {
		return 0
	}
	size := d.Component()
	part := func(b []byte) float64 {
		if size == 4 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	finite := func(x float64) bool { return x-x == 0 }
	for ; len(data) >= 2*size; data = data[2*size:] {
		re, im := part(data), part(data[size:])
		if (!finite(re) || !finite(im)) && re != im && (re == re || im == im) {
			n++
		}
	}
	return n
}

// noteMixed adds a note about n complex numbers that lose a part.
func (f *Field) noteMixed(n int) {
	if n > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d complex numbers, of which one part is NaN or infinite, become so in both parts", n))
	}
}

// separated puts the fields of their parts in the place of fields of complex numbers that a message
// cannot hold.
func separated(ctx context.Context, fields iter.Seq2[*Field, error], scratch *Scratch) iter.Seq2[*Field, error] {
	return func(yield func(*Field, error) bool) {
		for f, err := range fields {
			list := []*Field{f}
			if err == nil {
				list, err = f.separate(ctx, scratch)
			}
			if err != nil {
				list = []*Field{nil}
			}
			for _, f := range list {
				if !yield(f, err) {
					return
				}
			}
		}
	}
}

// separate returns the fields to write for f.
func (f *Field) separate(ctx context.Context, scratch *Scratch) ([]*Field, error) {
	if f.Separate == nil {
		return []*Field{f}, nil
	}
	parts, err := f.Separate(ctx, scratch)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, &BadInput{f.Where, err}
	case len(parts) == 0:
		return []*Field{f}, nil
	}
	return parts, nil
}
