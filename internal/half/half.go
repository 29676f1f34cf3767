// Package half converts IEEE 754 binary16 numbers: 1 bit of sign, 5 of exponent, 10 of fraction.
package half

import "math"

// Float64 returns the value of the number with the bits h. It is exact; of a NaN the payload is
// kept.
func Float64(h uint16) float64 {
	sign, exponent, fraction := uint64(h>>15), int(h>>10&31), uint64(h&1023)
	switch exponent {
	case 0:
		return math.Copysign(math.Ldexp(float64(fraction), -24), 1-float64(2*sign))
	case 31:
		return math.Float64frombits(sign<<63 | 0x7FF<<52 | fraction<<42)
	}
	return math.Float64frombits(sign<<63 | uint64(exponent+1023-15)<<52 | fraction<<42)
}

// Bits returns the bits of the nearest binary16 number, of two equally near ones that whose last bit
// is 0. Numbers from 65520 on, which is halfway between the largest one, 65504, and 65536, are
// infinite. Of a NaN the payload is lost.
func Bits(f float64) uint16 {
	sign := uint16(math.Float64bits(f) >> 48 & 0x8000)
	abs := math.Abs(f)
	switch {
	case math.IsNaN(f):
		return sign | 0x7E00
	case abs >= 65520:
		return sign | 0x7C00
	case abs < 0x1p-14: // subnormal: a multiple of 2^-24
		return sign | uint16(math.RoundToEven(abs*0x1p24))
	}
	fraction, exponent := math.Frexp(abs) // fraction in [0.5, 1)
	// A fraction that rounds up to 2^11 carries into the exponent by the addition.
	return sign | (uint16(exponent+13)<<10 + uint16(math.RoundToEven(fraction*0x1p11)))
}
