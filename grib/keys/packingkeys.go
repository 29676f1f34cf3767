package keys

import (
	"math"
	"math/bits"
)

// secondOrderBitsClass is the width that the values of a second order packing
// would take in simple packing. Arguments: values, binary and decimal scale.
type secondOrderBitsClass struct{ computedLong }

func (secondOrderBitsClass) long(h *Handle, a *accessor) (int64, error) {
	binary, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	decimal, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	v, err := h.values()
	if err != nil || len(v) == 0 {
		return 0, err
	}
	coded := h.lib.Name(a.argName(0)) == "codedValues"
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, x := range v {
		if !coded || !h.data.missing(i) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return 0, nil
	}
	n := math.Ceil(math.Abs(hi-lo) * scalePower(-binary, 2) * scalePower(decimal, 10))
	if !(n < math.MaxInt64) {
		return 0, ErrDecoding
	}
	return int64(bits.Len64(uint64(n))), nil
}

// scalePower multiplies up, as the rounding of the products counts.
func scalePower(e int64, base float64) float64 {
	p := 1.0
	for e = max(e, -40000); e < 0; e++ {
		p /= base
	}
	for e = min(e, 40000); e > 0; e-- {
		p *= base
	}
	return p
}

// referenceErrorClass is the error of coding the reference value.
type referenceErrorClass struct{ computedDouble }

func (referenceErrorClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDouble(a.argName(0))
	if err != nil {
		return 0, err
	}
	return floatError(v, h.lib.Name(a.argName(1)) == "ibm"), nil
}

// floatError is the distance between neighbouring numbers of a 32-bit format.
func floatError(v float64, ibm bool) float64 {
	v = math.Abs(v)
	if !ibm {
		if least := math.Ldexp(1, -126); v <= least {
			return least
		}
		_, e := math.Frexp(v)
		return math.Ldexp(1, e-24)
	}
	if least := math.Ldexp(1, -260); v <= least {
		return least
	}
	_, e := math.Frexp(v)
	hex := (e + 3) >> 2
	if e <= 4*(hex-1) {
		hex--
	}
	return math.Ldexp(1, 4*(hex-6))
}

// packingErrorClass is the error of simple packing.
// Arguments: bitsPerValue, binaryScaleFactor, decimalScaleFactor,
// referenceValue, float type.
type packingErrorClass struct{ computedDouble }

func (packingErrorClass) double(h *Handle, a *accessor) (float64, error) {
	var width, binary, decimal int64
	if err := h.argLongs(a, &width, &binary, &decimal); err != nil {
		return 0, err
	}
	ref, err := h.getDouble(a.argName(3))
	if err != nil {
		return 0, err
	}
	e := floatError(ref, h.lib.Name(a.argName(4)) == "ibm")
	if width == 0 {
		return e, nil
	}
	return (e + scalePower(binary, 2)) * scalePower(-decimal, 10) * 0.5, nil
}
