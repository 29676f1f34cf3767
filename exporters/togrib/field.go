package togrib

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A field is an object with the sections of the message that it was.
type field struct {
	maker    *maker
	object   *Object
	header   grib.Header
	sections *mapping.Sections
	grid     *geometry.Grid // nil if it is not known
	opts     *Options
	keys     *encoding                 // of a field without sections
	read     func() ([]float64, error) // of a slice: its values, in the order of the message
	packing  *array.Packing            // of a slice: the packing that its values were read from; nil for none
	kept     bool                      // of a slice: the header is of a field that was packed with others of its scale

	decoded bool
	values  []float64 // in the order of the message
	missing *bitmask.Mask
}

// message makes the message that the field was, where that is possible and no other packing is
// asked for.
func (f *field) message() (result, error) {
	if f.opts.Packing == PackSource {
		r, err := f.asItWas()
		if !errors.Is(err, errOther) {
			return r, err
		}
	}
	return f.repack()
}

// asItWas makes the message that the field was, or errOther.
func (f *field) asItWas() (result, error) {
	if f.sections.Data != nil {
		return f.verbatim()
	}
	if !f.header.Rebuilds() {
		return result{}, errOther
	}
	part := grib.Part{Header: f.header}
	if _, linear := f.header.Scaling(); !linear { // floats, coefficients
		if err := f.decode(); err != nil {
			return result{}, err
		}
		part.Values, part.Missing = f.values, f.missing
		if !f.header.HasBitmap() {
			part.Missing = nil
		}
		if f.header.Floats() == 32 && !allSingle(part.Values) {
			return result{}, errOther
		}
	} else {
		q, err := f.integers()
		if err != nil {
			return result{}, err
		}
		part.Quantised = q
	}
	message, err := grib.RebuildIn(f.maker.spare.take(), part)
	var build *grib.BuildError
	if errors.As(err, &build) {
		return result{}, fmt.Errorf("%w (%v)", errOther, err)
	}
	r := result{header: f.header, message: message, missing: f.missing}
	r.identical = err == nil && f.sections.Hash == hashOf(message)
	return r, err
}

// hashOf returns the hash of the data section of a message of one field.
func hashOf(message []byte) string {
	m, err := grib.ParseMessage(message, 0)
	if err != nil {
		return ""
	}
	return mapping.HashData(m.Fields()[0].Data())
}

// verbatim makes the message of the data sections that were kept, if the object has their values.
func (f *field) verbatim() (result, error) {
	message, err := grib.RebuildIn(f.maker.spare.take(), grib.Part{Header: f.header, Data: f.sections.Data})
	if err != nil {
		return result{}, err
	}
	m, err := grib.ParseMessage(message, 0)
	if err != nil {
		return result{}, err
	}
	values, missing, err := m.Fields()[0].Decode(nil)
	if err != nil {
		return result{}, err
	}
	if err := f.decode(); err != nil {
		return result{}, err
	}
	if !sameMask(missing, f.missing) || !sameValues(values, f.values, f.tolerance()) {
		return result{}, errOther
	}
	return result{header: f.header, message: message, missing: f.missing, identical: true}, nil
}

// tolerance is the difference that rounding alone makes between the values and the sections.
func (f *field) tolerance() float64 {
	if q, ok := f.header.Scaling(); ok && q.Bits > 0 {
		return math.Abs(q.Value(1)-q.Value(0)) * integerTolerance
	}
	return 0
}

func sameValues(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] && !(math.Abs(v-b[i]) <= tolerance+float64(4e-16*math.Abs(v))) && (v == v || b[i] == b[i]) {
			return false
		}
	}
	return true
}

func allSingle(values []float64) bool {
	for _, v := range values {
		if float64(float32(v)) != v && v == v {
			return false
		}
	}
	return true
}

// integers returns the integers of the field with the scale factors of its sections. It returns
// errOther if the values are not such integers.
func (f *field) integers() (*grib.Quantised, error) {
	switch {
	case f.kept:
		return f.learnt()
	case f.keys != nil:
		return f.ownIntegers()
	}
	if f.object.Field != nil {
		return f.storedIntegers()
	}
	q, ok := f.header.Scaling()
	if !ok {
		return nil, errOther
	}
	if f.read != nil {
		return f.requantise(q)
	}
	packed, err := f.maker.packed(f.object)
	if errors.Is(err, tgm.ErrNotPacked) || err == nil && !sameScale(packed, q) {
		return f.requantise(q)
	}
	if err != nil {
		return nil, err
	}
	n, _ := f.object.Descriptor().Elements()
	drop := packed.Params.BinaryScale - q.BinaryScale
	q.N, q.Bits = int(n), packed.Params.Bits
	if q, err = f.inScanningOrder(q, packed); err != nil {
		return nil, err
	}
	f.missing = q.Missing
	if drop == 0 || q.Bits == 0 {
		return q, nil
	}
	return withZeroBits(q, drop)
}

// withZeroBits appends zero bits to integers.
func withZeroBits(q *grib.Quantised, count int) (*grib.Quantised, error) {
	samples, err := q.Unpacked()
	if err != nil {
		return nil, err
	}
	out := *q
	out.Packed, out.AEC, out.Samples, out.Bits = nil, nil, make([]uint32, len(samples)), q.Bits+count
	for i, v := range samples {
		out.Samples[i] = v << count
	}
	return &out, nil
}

// sameScale reports whether integers of an object have the scale of sections, apart from zero bits at
// their end.
func sameScale(p *tgm.Packed, q *grib.Quantised) bool {
	if p.Params.Bits > 32 {
		return false
	}
	one, zero := q.Value(1), q.Value(0)
	if p.Params.Bits == 0 {
		return p.Params.Reference == zero
	}
	drop := p.Params.BinaryScale - q.BinaryScale
	return q.Bits > 0 && drop >= 0 && p.Params.Bits+drop <= 32 && p.Params.DecimalScale == q.DecimalScale && near(p.Params.Reference, zero, one-zero)
}

// requantise finds the integers that values were decoded from.
func (f *field) requantise(q *grib.Quantised) (*grib.Quantised, error) {
	if err := f.decode(); err != nil {
		return nil, err
	}
	q.N, q.Missing = len(f.values), f.missing
	if q.Bits == 0 {
		for i, v := range f.values {
			if v != q.Reference && !f.missing.Get(i) {
				return nil, errOther
			}
		}
		return q, nil
	}
	if f.missing.Count() == q.N {
		q.Samples = make([]uint32, q.N)
		return q, nil
	}
	zero, step := q.Value(0), q.Value(1)-q.Value(0)
	if step == 0 || q.Bits > 32 {
		return nil, errOther
	}
	q.Samples = make([]uint32, q.N)
	all := uint32(0)
	for i, v := range f.values {
		if f.missing.Get(i) {
			continue
		}
		k := math.Round((v - zero) / step)
		if !(k >= 0 && k <= math.MaxUint32) || math.Abs(q.Value(k)-v) > integerTolerance*math.Abs(step) {
			return nil, errOther
		}
		q.Samples[i] = uint32(k)
		all |= uint32(k)
	}
	q.Bits = max(q.Bits, bits.Len32(all)) // the header of complex packing has the width of its group references
	return q, nil
}

// decode decodes the values and puts them into the order of the message.
func (f *field) decode() error {
	if f.decoded {
		return nil
	}
	var err error
	switch {
	case f.read != nil:
		if f.values, err = f.read(); err == nil && f.grid != nil && f.grid.NeedsReorder() {
			f.values, err = geometry.Restore(f.grid, f.values)
		}
		f.missing, f.decoded = missingOf(f.values), err == nil
		return err
	case f.object.Field != nil:
		f.values, f.missing, err = f.object.Field.Decode(nil)
		f.decoded = err == nil
		return err
	}
	values, missing, err := decodeValues(f.object.Object)
	if err != nil {
		return err
	}
	if f.missing, err = restoreMask(f.grid, missing); err != nil {
		return err
	}
	if f.values = values; f.grid != nil && f.grid.NeedsReorder() {
		f.values, err = geometry.Restore(f.grid, values)
	}
	f.decoded = err == nil
	return err
}

// decodeValues decodes an object of any real type to float64.
func decodeValues(o *tgm.Object) ([]float64, *bitmask.Mask, error) {
	a, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, nil, err
	}
	var values []float64
	switch a.DType {
	case tgm.Float64:
		values, err = tgm.Values[float64](a)
	case tgm.Float32:
		values, err = widen[float32](a)
	case tgm.Int8:
		values, err = widen[int8](a)
	case tgm.Int16:
		values, err = widen[int16](a)
	case tgm.Int32:
		values, err = widen[int32](a)
	case tgm.Int64:
		values, err = widen[int64](a)
	case tgm.Uint8:
		values, err = widen[uint8](a)
	case tgm.Uint16:
		values, err = widen[uint16](a)
	case tgm.Uint32:
		values, err = widen[uint32](a)
	case tgm.Uint64:
		values, err = widen[uint64](a)
	default:
		err = fmt.Errorf("elements are %s, which GRIB does not have", a.DType)
	}
	return values, a.Missing, err
}

func widen[T float32 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](a *tgm.Array) ([]float64, error) {
	narrow, err := tgm.Values[T](a)
	values := make([]float64, len(narrow))
	for i, v := range narrow {
		values[i] = float64(v)
	}
	return values, err
}
