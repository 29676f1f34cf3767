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

// Bits returns the bits of a number that binary16 holds exactly. Of others the last digits are cut.
func Bits(f float64) uint16 {
	b := math.Float64bits(f)
	sign := uint16(b >> 48 & 0x8000)
	exponent := int(b>>52&2047) - 1023
	fraction := b & (1<<52 - 1)
	switch {
	case exponent == 1024 && fraction != 0:
		return sign | 0x7E00
	case exponent > 15:
		return sign | 0x7C00
	case exponent >= -14:
		return sign | uint16(exponent+15)<<10 | uint16(fraction>>42)
	case exponent >= -24:
		return sign | uint16((fraction|1<<52)>>(42+-14-exponent))
	}
	return sign
}
