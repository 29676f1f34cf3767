// Package spectral reads and writes complex packing of spectral coefficients. It packs spherical
// harmonics (GRIB 1 and template 7.51) and bi-Fourier series (template 7.53). A subset of low
// wavenumbers is stored as floats; the others are multiplied by a power of the Laplacian's
// eigenvalue, which makes them similar in size, and packed as integers.
package spectral

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/libm"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// A Float is how the unpacked subset is stored.
type Float struct {
	Size   int
	Read   func(b []byte) float64
	Append func(b []byte, v float64) []byte
}

// The three forms of floats.
var (
	IBM32  = Float{4, scale.IBM32, appendIBM32}
	IEEE32 = Float{4, scale.IEEE32, appendIEEE32}
	IEEE64 = Float{8, scale.IEEE64, appendIEEE64}
)

// Harmonics are coefficients of spherical harmonics with triangular truncation.
type Harmonics struct {
	J         int // truncation of the field
	Subset    int // truncation of the unpacked subset
	Float     Float
	Bits      int
	Scale     scale.Scale
	Laplacian float64 // the power of n(n+1)
	// LastRowScaled: the coefficients of the highest n in the subset are multiplied like the packed
	// coefficients. All of edition 1 is written in this way, which was first a mistake of GRIBEX.
	LastRowScaled bool
}

// Count returns the number of values of truncation j, real and imaginary parts.
func Count(j int) int { return (j + 1) * (j + 2) }

// Check returns an error unless data have the length that h claims.
func (h *Harmonics) Check(data []byte) error {
	if h.Subset > h.J || h.Subset < 0 {
		return fmt.Errorf("subset of truncation %d in a field of truncation %d", h.Subset, h.J)
	}
	if h.Bits > bits.MaxWidth {
		return fmt.Errorf("%d bits a value, expected at most %d", h.Bits, bits.MaxWidth)
	}
	subset := Count(h.Subset)
	packed := Count(h.J) - subset
	if subset > len(data)/h.Float.Size || !bits.Fits(data[subset*h.Float.Size:], 0, packed, h.Bits) {
		return fmt.Errorf("%d floats of %d bytes and %d values of %d bits do not fit %d bytes of data", subset, h.Float.Size, packed, h.Bits, len(data))
	}
	return nil
}

// Decode fills dst, of Count(J) elements, with real and imaginary parts in turn. The order is m = 0
// to J and n = m to J. Check must have found no error.
func (h *Harmonics) Decode(dst []float64, data []byte) {
	if h.Subset == h.J {
		// No coefficient is packed. The floats are IEEE then, in both editions, and take the
		// decimal scale.
		read := IEEE32
		if h.Float.Size == 8 {
			read = IEEE64
		}
		for i := range dst {
			dst[i] = read.Read(data[i*read.Size:]) * h.Scale.Decimal
		}
		return
	}
	h.decode(dst, data)
}

// decode is Decode for a field with packed coefficients.
func (h *Harmonics) decode(dst []float64, data []byte) {
	subset := Count(h.Subset)
	// The packed values go to the end of dst first; there they stay ahead of the coefficients put in
	// place.
	packed := dst[subset:]
	h.Scale.Packed(packed, data[subset*h.Float.Size:], h.Bits)
	inverse := h.inverse()
	for m := range h.J + 1 {
		if m <= h.Subset {
			row := dst[:2*(h.Subset-m+1)]
			for i := range row {
				row[i] = h.Float.Read(data)
				data = data[h.Float.Size:]
			}
			if h.LastRowScaled {
				last := row[len(row)-2:]
				last[0], last[1] = last[0]*inverse[h.Subset], last[1]*inverse[h.Subset]
			}
			dst = dst[len(row):]
		}
		scaled := inverse[max(m, h.Subset+1):]
		for i, f := range scaled {
			pair, out := packed[2*i:2*i+2:2*i+2], dst[2*i:2*i+2:2*i+2]
			out[0], out[1] = pair[0]*f, pair[1]*f
		}
		if m == 0 {
			for i := range scaled { // these coefficients are 0, but packing may have changed them
				dst[2*i+1] = 0
			}
		}
		packed, dst = packed[2*len(scaled):], dst[2*len(scaled):]
	}
}

// inverse returns the factor of a packed coefficient of each n.
func (h *Harmonics) inverse() []float64 {
	out := make([]float64, h.J+1)
	for n := max(1, h.Subset); n <= h.J; n++ { // smaller n are not asked for
		if p := libm.Pow(float64(n)*float64(n+1), h.Laplacian); p != 0 {
			out[n] = 1 / p
		}
	}
	return out
}
