package togrib

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// encoderOf returns the encoder of the requested packing. Without a request, it is the nearest to
// the packing of the source.
func (f *field) encoderOf() (grib.Encoder, error) {
	e := grib.Encoder{Bits: f.opts.Bits}
	source, linear := f.header.Scaling()
	if linear {
		e.DecimalScale = source.DecimalScale
		if e.Bits == 0 {
			e.Bits = min(source.Bits, 32)
		}
	}
	if e.Bits == 0 {
		e.Bits = defaultBits
	}
	e.Integer = f.header.OfIntegers()
	if e.SpatialDifferencing = f.header.Differences(); f.kept && f.opts.Packing == PackSource && e.SpatialDifferencing >= 0 {
		e.Packing = grib.PackComplex
		return e, nil
	}
	one := f.header.Edition() == 1
	if f.keys != nil {
		return f.keys.encoder(e, f.opts, one)
	}
	return f.choose(e, linear, one)
}

// simpleTemplate is the number of the data representation template of simple packing.
const simpleTemplate = 0

// choose sets the packing.
func (f *field) choose(e grib.Encoder, linear, one bool) (grib.Encoder, error) {
	switch f.opts.Packing {
	case PackSource:
		e.Packing = grib.PackCCSDS
		if one || f.header.DataTemplate() == simpleTemplate {
			e.Packing = grib.PackSimple
		}
		if !linear && !one {
			e.Packing = grib.PackIEEE64 // logarithms, run lengths: values of any kind
		}
		if f.header.Floats() == 32 {
			e.Packing = grib.PackIEEE32
		}
	case PackSimple:
		e.Packing = grib.PackSimple
	case PackCCSDS:
		e.Packing = grib.PackCCSDS
	case PackComplex:
		e.Packing, e.SpatialDifferencing = grib.PackComplex, 2
	case PackIEEE:
		e.Packing = grib.PackIEEE64
	default:
		return e, fmt.Errorf("packing %q is unknown, expected one of %v", f.opts.Packing, Packings())
	}
	if one && e.Packing != grib.PackSimple {
		return e, fmt.Errorf("packing %s in edition 1, which has simple packing only", f.opts.Packing)
	}
	return e, nil
}

// defaultBits is the width of integers where nothing gives one.
const defaultBits = 16

// repack writes the values in another packing.
func (f *field) repack() (result, error) {
	draft, err := f.header.Draft()
	if err != nil {
		return result{}, err
	}
	e, err := f.encoderOf()
	if err != nil {
		return result{}, err
	}
	r := result{header: f.header, repacked: true}
	r.message, err = f.encode(e, draft)
	if r.missing = f.missing; err != nil || f.header.Edition() == 1 {
		return r, err
	}
	r.header, err = f.header.Repacked(r.message)
	return r, err
}

// encode codes the integers of the field if it has some and the packing takes them, else its
// values.
func (f *field) encode(e grib.Encoder, draft grib.Draft) ([]byte, error) {
	q, err := f.integers()
	switch {
	case err == nil && f.packing != nil:
		e.Packing = grib.PackCCSDS // the integers of the source, in their width
	case err == nil && f.read == nil:
		q, err = narrowed(q)
	}
	floats := e.Packing == grib.PackIEEE32 || e.Packing == grib.PackIEEE64
	switch {
	case err == nil && !floats && f.opts.Bits == 0:
		draft.Quantised = q
		return e.Encode(f.maker.spare.take(), draft)
	case err == nil:
		// GRIB's formula rounds in another place than the object's.
		draft.Values, draft.Missing = q.Values(), q.Missing
	default:
		if err := f.decode(); err != nil {
			return nil, err
		}
		draft.Values, draft.Missing = f.values, f.missing
		if f.kept && f.opts.Packing == PackSource && f.opts.Bits == 0 && f.header.Edition() == 2 {
			e.Packing = grib.PackIEEE64 // these were no integers of a packing
		} else if f.kept && f.opts.Packing == PackSource && f.opts.Bits == 0 {
			return nil, fault.Noted(errNoFloats, "--edition 2 keeps them as floats, --packing simple rounds them")
		}
	}
	if e.Packing == grib.PackIEEE64 && allSingle(draft.Values) {
		e.Packing = grib.PackIEEE32
	}
	return e.Encode(f.maker.spare.take(), draft)
}

// errNoFloats says that values would be rounded in edition 1.
var errNoFloats = errors.New("the values are no integers of up to 32 bits times a power of two, and edition 1 has no floats")

// narrowed returns integers in as few bits as they need.
func narrowed(q *grib.Quantised) (*grib.Quantised, error) {
	if q.Bits == 0 {
		return q, nil
	}
	samples, err := q.Unpacked()
	if err != nil {
		return nil, err
	}
	out := *q
	out.Packed, out.AEC, out.Samples, out.Bits = nil, nil, samples, 1
	var all uint32
	for i, v := range samples {
		if !q.Missing.Get(i) {
			all |= v
		}
	}
	for all>>out.Bits != 0 {
		out.Bits++
	}
	return &out, nil
}
