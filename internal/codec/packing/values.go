package packing

import (
	"fmt"
	"math"
)

// Encode appends the packed values to dst: q = (v - Reference) * 10^D * 2^-E, rounded half away
// from zero and clamped to the width. Values must be finite; NaN packs as 0. The capacity of dst
// may overlap values if the appended bytes begin no later than the values do: an integer is written
// after its value and the values before it have been read.
func Encode(dst []byte, values []float64, p Params) ([]byte, error) {
	if err := p.Validate(); err != nil {
		return dst, err
	}
	need, ok := Size(len(values), p.Bits)
	if !ok {
		return dst, fmt.Errorf("packing: %d values of %d bits are more than can be counted", len(values), p.Bits)
	}
	start := len(dst)
	dst = grow(dst, need)
	encodeParts(dst[start:], values, p)
	return dst, nil
}

// grow extends dst by n bytes of unspecified content.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst[:len(dst)+n]
	}
	out := make([]byte, len(dst)+n)
	copy(out, dst)
	return out
}

// quantise returns the integer of one value.
func quantise(v, reference, scale, limit float64) uint64 {
	q := (v - reference) * scale
	if !(q > 0) {
		return 0
	}
	if q >= limit {
		q = limit
	}
	whole := math.Floor(q)
	if q-whole >= 0.5 {
		whole++
	}
	if whole >= 1<<64 {
		return math.MaxUint64
	}
	return uint64(whole)
}

// encodeBits packs integers of any width, bit by bit; the kernels for narrower ones must give the
// same bytes.
func encodeBits(dst []byte, values []float64, p Params) {
	scale, _ := p.scales()
	limit := maxInteger(p.Bits)
	w := bitWriter{dst: dst}
	for _, v := range values {
		w.write(quantise(v, p.Reference, scale, limit), p.Bits)
	}
	w.flush()
}

// Decode fills dst with the values of len(dst) packed integers: Reference + 2^E*10^-D * q, with two
// roundings. src may be longer than needed.
func Decode(dst []float64, src []byte, p Params) error {
	if err := p.Validate(); err != nil {
		return err
	}
	need, ok := Size(len(dst), p.Bits)
	if !ok || len(src) < need {
		return fmt.Errorf("packing: %d bytes for %d values of %d bits, expected %d", len(src), len(dst), p.Bits, need)
	}
	decodeParts(dst, src[:need], p)
	return nil
}

// Value returns the value of an integer, as Decode gives it.
func (p Params) Value(q uint64) float64 {
	_, step := p.scales()
	return p.Reference + float64(step*float64(q))
}

// decodeBits unpacks integers of any width, bit by bit; the kernels must give the same values.
func decodeBits(dst []float64, src []byte, p Params) {
	_, step := p.scales()
	r := bitReader{src: src}
	for i := range dst {
		dst[i] = p.Reference + float64(step*float64(r.read(p.Bits)))
	}
}
