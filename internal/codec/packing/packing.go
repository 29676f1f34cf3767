// Package packing is Tensogram's simple_packing: float64 values stored as unsigned integers of a
// fixed number of bits, most significant bit first, without padding between them. GRIB's simple
// packing has the same integers; only its reference value is scaled by 10^D as well.
//
//	value = Reference + 2^BinaryScale * 10^-DecimalScale * q,   0 <= q < 2^Bits
//
// Compute finds parameters for an array, Encode and Decode convert whole arrays, and PackUint32 and
// UnpackUint32 move the bare integers.
package packing

import (
	"fmt"
	"math"
)

// MaxBits is the widest integer that the format packs.
const MaxBits = 64

// maxBinaryScale is the largest magnitude of a binary scale factor that a float64 has use for. The
// reference implementation encodes up to 256 and decodes all of them.
const maxBinaryScale = 1100

// Params are the parameters of simple packing. With Bits 0 every value equals Reference and nothing
// is stored.
type Params struct {
	Reference    float64
	BinaryScale  int // E: steps of 2^E
	DecimalScale int // D: values were scaled by 10^D before packing
	Bits         int // width of one integer, 0 to 64
}

// Validate returns an error for parameters that no array can be packed with.
func (p Params) Validate() error {
	switch {
	case p.Bits < 0 || p.Bits > MaxBits:
		return fmt.Errorf("packing: %d bits per value, expected 0 to %d", p.Bits, MaxBits)
	case p.BinaryScale > maxBinaryScale || p.BinaryScale < -maxBinaryScale:
		return fmt.Errorf("packing: binary scale factor %d, expected -%d to %d", p.BinaryScale, maxBinaryScale, maxBinaryScale)
	case math.IsNaN(p.Reference) || math.IsInf(p.Reference, 0):
		return fmt.Errorf("packing: reference value %v is not finite", p.Reference)
	}
	if _, step := p.scales(); math.IsInf(step, 0) {
		return fmt.Errorf("packing: steps of 2^%d * 10^%d are beyond float64", p.BinaryScale, -p.DecimalScale)
	}
	return nil
}

// Size returns the bytes that n integers of the given width take, and false if that overflows an
// int.
func Size(n, bits int) (int, bool) {
	if n < 0 || bits < 0 || bits > MaxBits {
		return 0, false
	}
	if bits != 0 && n > (math.MaxInt-7)/bits {
		return 0, false
	}
	return (n*bits + 7) / 8, true
}
