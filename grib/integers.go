package grib

import (
	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// ReadIntegers returns the integers of a field in simple or CCSDS packing without missing points, in
// storage order. They are in the memory of buffer if it has room. It returns nil for other fields.
// [Quantised.SetValues] makes the values of them that [Field.Decode] gives.
func (f *Field) ReadIntegers(buffer []uint32) (*Quantised, error) {
	c, p, err := f.layout()
	if err != nil || p.bits != nil {
		return nil, err
	}
	var in integral
	switch c := c.(type) {
	case simple:
		in = c
	case ccsds:
		if c.params.Flags&aec.Signed != 0 {
			return nil, nil
		}
		in = c
	default:
		return nil, nil
	}
	k := in.linear()
	if k.bits == 0 || k.bits > 32 || k.n == 0 {
		return nil, nil
	}
	if err := f.checkSize(p.points); err != nil {
		return nil, err
	}
	q := &Quantised{N: k.n, Reference: k.r, BinaryScale: k.e, DecimalScale: k.d, Bits: k.bits, Samples: resize(buffer, k.n)}
	if _, err := in.integers(q.Samples); err != nil {
		return nil, f.dataError(err)
	}
	return q, nil
}

// SetValues sets dst to the values of integers.
func (q *Quantised) SetValues(dst []float64, integers []uint32) {
	scale.New(q.Reference, q.BinaryScale, q.DecimalScale).Uint32s(dst, integers)
}
