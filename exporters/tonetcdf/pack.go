package tonetcdf

import (
	"context"
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// storing is how the values of fields are stored: as numbers of a class, or as integers with scale
// and offset.
type storing struct {
	class   netcdf.Class
	packing *packing
}

// fill is the element at missing points: NaN, or the least integer, which no value is.
func (s *storing) fill() []byte {
	if s.class.IsFloat() {
		return element(s.class, math.NaN(), 0)
	}
	return element(s.class, 0, 1<<(8*ncwrite.Atomic(s.class).Size-1))
}

// attrs are the attributes that say how values are stored.
func (s *storing) attrs() []netcdf.Attr {
	var attrs []netcdf.Attr
	t := ncwrite.Atomic(s.class)
	switch {
	case s.class.IsFloat():
		attrs = append(attrs, netcdf.Attr{Name: cf.AttrFillValue, Type: t, Value: []float64{math.NaN()}})
	case s.packing != nil:
		attrs = append(attrs,
			netcdf.Attr{Name: cf.AttrFillValue, Type: t, Value: []int64{-1 << (8*t.Size - 1)}},
			netcdf.Attr{Name: cf.AttrScaleFactor, Type: ncwrite.Atomic(netcdf.Double), Value: []float64{s.packing.scale}},
			netcdf.Attr{Name: cf.AttrAddOffset, Type: ncwrite.Atomic(netcdf.Double), Value: []float64{s.packing.offset}})
	}
	return attrs
}

// storing chooses how the fields of a variable are stored.
func (m *fieldMaker) storing(v *dataset.Variable, class netcdf.Class) (*storing, error) {
	switch {
	case !class.IsFloat():
		return &storing{class: class}, nil
	case m.opts.Pack == PackFloat32, v.Type() == tgm.Float32 && v.DType == tgm.Float64:
		return &storing{class: netcdf.Float}, nil
	case m.opts.Pack == PackFloat64:
		return &storing{class: netcdf.Double}, nil
	}
	var lattice lattice
	for _, ref := range v.Refs() {
		if ref < 0 {
			continue
		}
		a, err := m.arrays.Array(context.Background(), int(ref))
		if err != nil {
			return nil, err
		}
		p, err := a.Packing(context.Background(), a.Info().Whole())
		if err != nil {
			return nil, err
		}
		if p == nil || !lattice.add(p) {
			return &storing{class: class}, nil
		}
	}
	span := lattice.span()
	if span > maxShort && span <= 4*maxShort {
		// Integers are often stored wider than they are.
		found, err := m.extent(v, &lattice)
		if err != nil {
			return nil, err
		}
		span = min(span, found)
	}
	switch {
	case span <= maxShort:
		return &storing{netcdf.Short, lattice.packing(span, maxShort)}, nil
	case span <= maxInt:
		return &storing{netcdf.Int, lattice.packing(span, maxInt)}, nil
	case lattice.fitsFloat:
		return &storing{class: netcdf.Float}, nil
	}
	return &storing{class: netcdf.Double}, nil
}

// The largest packed integers, counted from the least one, which is the fill value.
const (
	maxShort = 1<<16 - 2
	maxInt   = 1<<32 - 2
)

// A lattice is the numbers that packed fields can have. Each field has reference + q·step. All are multiples
// of one step above the least reference, if such a step exists.
type lattice struct {
	fields    []packedField
	exponent  int  // the common step is 2^exponent·10^-decimal
	decimal   int  // of all fields
	fitsFloat bool // float32 loses less than an eighth of a step
}

type packedField struct {
	reference float64 // times 10^decimal
	exponent  int     // of two, of the step
	bits      int
}

// add adds a field and reports whether it has packed integers that fit the others.
func (l *lattice) add(p *array.Packing) bool {
	if max(p.BinaryScale, -p.BinaryScale, p.DecimalScale, -p.DecimalScale, p.Bits) > 1000 || len(l.fields) > 0 && p.DecimalScale != l.decimal {
		return false
	}
	f := packedField{p.Reference, p.BinaryScale, p.Bits}
	if p.DecimalScale != 0 {
		// The reference was a float32 before it was divided by a power of ten.
		exact := float64(p.Reference * math.Pow10(p.DecimalScale))
		f.reference = float64(float32(exact))
		if math.Abs(f.reference-exact) > 1e-12*math.Abs(f.reference) {
			return false
		}
	}
	if len(l.fields) == 0 {
		l.exponent, l.decimal, l.fitsFloat = math.MaxInt32, p.DecimalScale, true
	}
	if f.bits > 0 {
		l.exponent = min(l.exponent, f.exponent)
		largest := math.Abs(f.reference) + math.Ldexp(1, f.bits+f.exponent)
		l.fitsFloat = l.fitsFloat && math.Ldexp(largest, -24) <= math.Ldexp(1, f.exponent-3)
	}
	l.fields = append(l.fields, f)
	return true
}

// least is the least reference.
func (l *lattice) least() float64 {
	least := math.Inf(1)
	for _, f := range l.fields {
		least = min(least, f.reference)
	}
	return least
}

// span is the largest packed integer that the fields can need, with the least reference as 0. It is more than
// maxInt if there is no common step.
func (l *lattice) span() uint64 {
	const none = math.MaxUint64
	least := l.least()
	for _, f := range l.fields {
		// The difference must be a multiple of the step.
		if difference := f.reference - least; difference != 0 {
			l.exponent = min(l.exponent, lowestBit(difference))
		}
	}
	if l.exponent == math.MaxInt32 {
		l.exponent = 0 // nothing but one constant
	}
	span := uint64(0)
	for _, f := range l.fields {
		steps := math.Ldexp(f.reference-least, -l.exponent)
		if f.bits > 0 {
			steps += math.Ldexp(math.Ldexp(1, f.bits)-1, f.exponent-l.exponent)
		}
		if !(steps <= maxInt) {
			return none
		}
		span = max(span, uint64(steps))
	}
	return span
}

// lowestBit is the exponent of the lowest bit that is set in a number that is not 0.
func lowestBit(v float64) int {
	fraction, exponent := math.Frexp(v)
	mantissa := uint64(math.Abs(math.Ldexp(fraction, 53)))
	return exponent - 53 + bits.TrailingZeros64(mantissa)
}

// step is the common step, as unpacking computes it.
func (l *lattice) step() float64 {
	step := math.Ldexp(1, l.exponent)
	if l.decimal != 0 {
		step = math.Ldexp(1, l.exponent) * math.Pow10(-l.decimal)
	}
	return step
}

func (l *lattice) offset() float64 { return l.least() * math.Pow10(-l.decimal) }

// packing is CF's packing for integers from 0, or from above the least of their type if there are many.
func (l *lattice) packing(span, largest uint64) *packing {
	p := &packing{scale: l.step(), offset: l.offset()}
	if half := largest / 2; span > half {
		p.offset += float64(float64(half) * p.scale)
	}
	return p
}

// extent finds the largest packed integer that the fields have.
func (m *fieldMaker) extent(v *dataset.Variable, l *lattice) (uint64, error) {
	p := packing{scale: l.step(), offset: l.offset()}
	largest := 0.0
	jobs := m.fieldJobs(&variable{out: new(ncwrite.Var)}, v, &storing{class: netcdf.Double})
	for r, err := range readAhead(context.Background(), jobs, (&File{opts: m.opts}).workers()) {
		if err != nil {
			return 0, err
		}
		values, err := tgm.Values[float64](&tgm.Array{Shape: []uint64{uint64(len(r.content.data) / 8)}, DType: tgm.Float64, Data: r.content.data})
		if err != nil {
			return 0, err
		}
		for _, x := range values {
			if x == x {
				largest = max(largest, x)
			}
		}
		if r.content.buffer != nil {
			slabBuffers.Put(r.content.buffer)
		}
	}
	return uint64(max(0, math.RoundToEven(p.packed(largest)))), nil
}
