package grib

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib/internal/complexpack"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	intpack "github.com/tgmconv/tgmconv/internal/codec/packing"
)

// floor32 returns the largest IEEE float of 32 bits that is not above v.
func floor32(v float64) float64 {
	f := float32(v)
	if float64(f) > v {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return float64(f)
}

// quantise turns values into integers. The reference is the least value, rounded down to a
// number that the edition can hold, and the binary scale factor the least with which the
// greatest fits.
func (e Encoder) quantise(values []float64, missing *bitmask.Mask, floor func(float64) float64) (*Quantised, error) {
	width := e.Bits
	if width == 0 {
		width = 16
	}
	if width < 0 || width > 32 {
		return nil, &BuildError{Section: 5, Msg: fmt.Sprintf("%d bits a value, expected 1 to 32", width)}
	}
	decimal := scale.Power(e.DecimalScale, 10)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range values {
		if !missing.Get(i) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	q := &Quantised{N: len(values), DecimalScale: e.DecimalScale, Missing: missing}
	if lo > hi {
		return q, nil // all are missing
	}
	lo, hi = float64(lo*decimal), float64(hi*decimal)
	if lo == hi && floor(lo) == lo && e.DecimalScale == 0 {
		q.Reference = lo
		return q, nil
	}
	q.Reference, q.Bits = floor(lo), width
	largest := float64(uint64(1)<<width - 1)
	span := hi - q.Reference
	if math.IsInf(q.Reference, 0) || math.IsInf(span, 0) {
		return nil, &BuildError{Section: 5, Msg: fmt.Sprintf("values from %v to %v have no reference of 32 bits", lo, hi)}
	}
	for q.BinaryScale = math.Ilogb(span/largest) - 1; math.Round(span*math.Ldexp(1, -q.BinaryScale)) > largest; q.BinaryScale++ {
	}
	if span == 0 {
		q.BinaryScale = 0
	}
	q.Samples = make([]uint32, len(values))
	unit := math.Ldexp(1, -q.BinaryScale)
	for i, x := range values {
		if !missing.Get(i) {
			q.Samples[i] = uint32(math.Round((float64(x*decimal) - q.Reference) * unit))
		}
	}
	return q, nil
}

// Octets of sections 5 that an Encoder writes, and their constant values.
const (
	ccsdsFlags = aec.Preprocess | aec.MSB | aec.ThreeByte
	ccsdsBlock = 32
	ccsdsRSI   = 128
)

// original is the type of the values before they were packed: code table 5.1.
func (e Encoder) original() byte {
	if e.Integer {
		return 1
	}
	return 0
}

// section returns a section 5 with the 20 octets that most templates begin with filled in.
func (v *encoded) section(template, count int, q *Quantised, more int) ([]byte, error) {
	if float64(float32(q.Reference)) != q.Reference {
		return nil, &BuildError{Section: 5, Msg: fmt.Sprintf("reference value %v is not a float of 32 bits", q.Reference)}
	}
	s := make([]byte, 20+more)
	binary.BigEndian.PutUint32(s, uint32(len(s)))
	s[4] = 5
	binary.BigEndian.PutUint32(s[5:], uint32(count))
	binary.BigEndian.PutUint16(s[9:], uint16(template))
	binary.BigEndian.PutUint32(s[11:], math.Float32bits(float32(q.Reference)))
	for at, factor := range map[int]int{15: q.BinaryScale, 17: q.DecimalScale} {
		magnitude := max(factor, -factor)
		if magnitude > math.MaxInt16 {
			return nil, &BuildError{Section: 5, Msg: fmt.Sprintf("scale factor %d does not fit 15 bits", factor)}
		}
		if factor < 0 {
			magnitude |= 1 << 15
		}
		binary.BigEndian.PutUint16(s[at:], uint16(magnitude))
	}
	s[19] = byte(q.Bits)
	return s, nil
}

// integers codes integers.
func (e Encoder) integers(v *encoded, q *Quantised) error {
	samples, err := q.present()
	if err != nil {
		return &BuildError{Section: 7, Msg: "the integers", Err: err}
	}
	if need := widest(samples); need > q.Bits || q.Bits > 32 {
		return &BuildError{Section: 7, Msg: fmt.Sprintf("integers of %d bits, expected %d", need, q.Bits)}
	}
	count := len(samples)
	if q.Bits == 0 {
		e.Packing = PackSimple // a constant field has no integers to pack in another way
	}
	switch e.Packing {
	case PackSimple:
		if v.section5, err = v.section(0, count, q, 1); err == nil {
			v.section5[20] = e.original()
			v.data = intpack.PackUint32(nil, samples, q.Bits)
		}
	case PackCCSDS:
		if v.section5, err = v.section(42, count, q, 5); err == nil {
			s := v.section5
			s[20], s[21], s[22] = e.original(), byte(ccsdsFlags), ccsdsBlock
			binary.BigEndian.PutUint16(s[23:], ccsdsRSI)
			if count > 0 {
				v.data, _, err = aec.EncodeUint32(nil, samples, aec.Params{BitsPerSample: q.Bits, Flags: ccsdsFlags, BlockSize: ccsdsBlock, RSI: ccsdsRSI})
			}
		}
	case PackComplex:
		err = e.groups(v, q, samples)
	default:
		err = &BuildError{Section: 5, Msg: fmt.Sprintf("packing %d is unknown", e.Packing)}
	}
	return err
}

// groups codes integers in complex packing.
func (e Encoder) groups(v *encoded, q *Quantised, samples []uint32) error {
	data, p, err := complexpack.Encode(samples, e.SpatialDifferencing)
	if err != nil {
		return &BuildError{Section: 5, Err: err}
	}
	template, more := 2, 27
	if p.Order > 0 {
		template, more = 3, 29
	}
	s, err := v.section(template, len(samples), q, more)
	if err != nil {
		return err
	}
	s[19] = byte(p.Bits)
	s[20], s[21], s[22] = e.original(), 1, 0 // general group splitting, no missing values
	binary.BigEndian.PutUint64(s[23:], math.MaxUint64)
	binary.BigEndian.PutUint32(s[31:], uint32(p.Groups))
	s[35], s[36] = byte(p.WidthReference), byte(p.WidthBits)
	binary.BigEndian.PutUint32(s[37:], uint32(p.LengthReference))
	s[41] = byte(p.LengthIncrement)
	binary.BigEndian.PutUint32(s[42:], uint32(p.LastLength))
	s[46] = byte(p.LengthBits)
	if p.Order > 0 {
		s[47], s[48] = byte(p.Order), byte(p.ExtraOctets)
	}
	v.section5, v.data = s, data
	return nil
}

// floats codes IEEE floats.
func (e Encoder) floats(v *encoded, d *Draft) error {
	if d.Quantised != nil {
		return &BuildError{Section: 5, Msg: "integers are given where floats are to be written"}
	}
	precision := 1
	if e.Packing == PackIEEE64 {
		precision = 2
	}
	count := v.points - v.missing.Count()
	s := make([]byte, 12)
	binary.BigEndian.PutUint32(s, uint32(len(s)))
	s[4], s[11] = 5, byte(precision)
	binary.BigEndian.PutUint32(s[5:], uint32(count))
	binary.BigEndian.PutUint16(s[9:], 4)
	v.section5 = s
	v.data = make([]byte, 0, 4*precision*count)
	for i, x := range d.Values {
		switch {
		case v.missing.Get(i):
		case precision == 1:
			v.data = binary.BigEndian.AppendUint32(v.data, math.Float32bits(float32(x)))
		default:
			v.data = binary.BigEndian.AppendUint64(v.data, math.Float64bits(x))
		}
	}
	return nil
}
