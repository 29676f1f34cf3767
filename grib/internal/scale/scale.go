// Package scale turns packed integers into values: (q·2^E + R)·10^-D, with the factors computed and applied in the order ecCodes
// does it, so that every value is the same float64.
package scale

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// A Scale is a linear map from packed integers to values.
type Scale struct {
	Binary    float64 // 2^E
	Reference float64 // R
	Decimal   float64 // 10^-D
}

// New returns the map for reference value r, binary scale factor e and decimal scale factor d.
func New(r float64, e, d int) Scale {
	return Scale{Binary: Power(e, 2), Reference: r, Decimal: Power(-d, 10)}
}

// Power returns base^exp by repeated multiplication or division. For base 10 this is not the nearest float64 to the power; it is
// what decoders have always used, and what 1e-n is not.
func Power(exp int, base float64) float64 {
	if exp == 1 {
		return base
	}
	v := 1.0
	for ; exp < 0; exp++ {
		v /= base
	}
	for ; exp > 0; exp-- {
		v *= base
	}
	return v
}

// Value maps one integer. The conversions keep the compiler from fusing multiplication and addition, which rounds differently.
func (s Scale) Value(q float64) float64 { return float64(float64(q*s.Binary)+s.Reference) * s.Decimal }

// Uint32s maps integers.
func (s Scale) Uint32s(dst []float64, src []uint32) {
	src = src[:len(dst)]
	if s.Decimal == 1 {
		for i, q := range src {
			dst[i] = float64(float64(q)*s.Binary) + s.Reference
		}
		return
	}
	for i, q := range src {
		dst[i] = s.Value(float64(q))
	}
}

// Int64s maps integers.
func (s Scale) Int64s(dst []float64, src []int64) {
	for i, q := range src[:len(dst)] {
		dst[i] = s.Value(float64(q))
	}
}

// Packed maps len(dst) integers of width bits from the beginning of src. The caller has checked that they are there.
func (s Scale) Packed(dst []float64, src []byte, width int) { s.Unpacker(width, len(dst))(dst, src) }

// Unpacker returns a function like Packed for a fixed width that is to map about n integers in all.
func (s Scale) Unpacker(width, n int) func(dst []float64, src []byte) {
	switch {
	case width == 8 && n > 1<<8:
		return s.packed8()
	case width == 16:
		return s.packed16
	case width == 24:
		return s.packed24
	case width > 53:
		return func(dst []float64, src []byte) { s.packedWide(dst, src, width) }
	}
	return func(dst []float64, src []byte) { s.packedAny(dst, src, width) }
}

func (s Scale) packed8() func(dst []float64, src []byte) {
	table := new([256]float64)
	for q := range table {
		table[q] = s.Value(float64(q))
	}
	return func(dst []float64, src []byte) {
		for i, b := range src[:len(dst)] {
			dst[i] = table[b]
		}
	}
}

func (s Scale) packed16(dst []float64, src []byte) {
	src = src[:2*len(dst)]
	for i := range dst {
		dst[i] = s.Value(float64(binary.BigEndian.Uint16(src[2*i:])))
	}
}

func (s Scale) packed24(dst []float64, src []byte) {
	src = src[:3*len(dst)]
	for i := range dst {
		b := src[3*i : 3*i+3 : 3*i+3]
		dst[i] = s.Value(float64(int32(b[0])<<16 | int32(b[1])<<8 | int32(b[2])))
	}
}

func (s Scale) packedAny(dst []float64, src []byte, width int) {
	pos, i := 0, 0
	shift := 64 - width
	for last := 8 * (len(src) - 8); i < len(dst) && pos <= last; i++ {
		q := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> shift
		dst[i] = s.Value(float64(int64(q)))
		pos += width
	}
	for ; i < len(dst); i++ {
		dst[i] = s.Value(float64(bits.Uint(src, pos, width)))
		pos += width
	}
}

func (s Scale) packedWide(dst []float64, src []byte, width int) {
	for i := range dst {
		dst[i] = s.Value(float64(bits.Uint(src, i*width, width)))
	}
}

// IEEE32 reads an IEEE 754 binary32 number.
func IEEE32(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }

// IEEE64 reads an IEEE 754 binary64 number.
func IEEE64(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }

// IBM32 reads an IBM System/360 short floating-point number: sign, 7 bits of exponent to the base 16 with bias 64, 24 bits of fraction.
// Every one is a float64 exactly.
func IBM32(b []byte) float64 {
	u := binary.BigEndian.Uint32(b)
	v := math.Ldexp(float64(u&0xffffff), 4*(int(u>>24&0x7f)-64)-24)
	if u>>31 != 0 {
		return -v
	}
	return v
}
