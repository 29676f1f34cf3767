// Package scale turns packed integers into values: (q·2^E + R)·10^-D. The factors are computed and
// applied in the order ecCodes does it, so that every value is the same float64.
package scale

import (
	"encoding/binary"
	"math"
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

// Power returns base^exp by repeated multiplication or division. For base 10 this is not the
// nearest float64 to the power; decoders have always used it, and 1e-n differs from it.
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

// Value maps one integer. The conversions keep the compiler from fusing multiplication and
// addition, which rounds differently.
func (s Scale) Value(q float64) float64 { return float64(float64(q*s.Binary)+s.Reference) * s.Decimal }

// Uint32s maps integers.
func (s Scale) Uint32s(dst []float64, src []uint32) {
	src = src[:len(dst)]
	if n := len(src) &^ 3; n > 0 && vectors {
		uint32sAVX2(&dst[0], &src[0], n, &s)
		dst, src = dst[n:], src[n:]
	}
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

// IEEE32 reads an IEEE 754 binary32 number.
func IEEE32(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }

// IEEE64 reads an IEEE 754 binary64 number.
func IEEE64(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }

// IBM32 reads an IBM System/360 short floating-point number. It has a sign, 7 bits of exponent to
// the base 16 with bias 64, 24 bits of fraction. Every such number is a float64 exactly.
func IBM32(b []byte) float64 {
	u := binary.BigEndian.Uint32(b)
	v := math.Ldexp(float64(u&0xffffff), 4*(int(u>>24&0x7f)-64)-24)
	if u>>31 != 0 {
		return -v
	}
	return v
}
