package scale

import "math"

// IBMBits returns the IBM float of 32 bits that is v, or the nearest below it. It has a sign, an
// exponent of 16 plus 64, a fraction of 24 bits.
func IBMBits(v float64) uint32 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	sign := uint32(0)
	magnitude := v
	if v < 0 {
		sign, magnitude = 1<<31, -v
	}
	_, e2 := math.Frexp(magnitude)
	exponent := max(64+(e2+3)>>2, 0) // 16^(exponent-64) > magnitude
	fraction := math.Ldexp(magnitude, 24-4*(exponent-64))
	whole := math.Floor(fraction)
	if v < 0 {
		whole = math.Ceil(fraction)
	}
	if whole >= 1<<24 {
		whole, exponent = whole/16, exponent+1
	}
	if exponent > 127 {
		return sign | 0x7fffffff
	}
	return sign | uint32(exponent)<<24 | uint32(whole)
}
