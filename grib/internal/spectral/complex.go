// Package spectral reads complex packing of spectral coefficients: of spherical harmonics (GRIB 1
// and template 7.51) and of bi-Fourier series (template 7.53). A subset of low wavenumbers is
// stored as floats; the others are multiplied by a power of the Laplacian's eigenvalue, which makes
// them similar in size, and packed as integers.
package spectral

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/ddouble"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// A Float is how the unpacked subset is stored.
type Float struct {
	Size int
	Read func(b []byte) float64
}

// The three forms of floats.
var (
	IBM32  = Float{4, scale.IBM32}
	IEEE32 = Float{4, scale.IEEE32}
	IEEE64 = Float{8, scale.IEEE64}
)

// Harmonics are coefficients of spherical harmonics with triangular truncation.
type Harmonics struct {
	J         int // truncation of the field
	Subset    int // truncation of the unpacked subset
	Float     Float
	Bits      int
	Scale     scale.Scale
	Laplacian float64 // the power of n(n+1)
	// LastRowScaled: the coefficients of the highest n in the subset are multiplied like those that
	// are packed. All of edition 1 is so written, by what was first a mistake of GRIBEX.
	LastRowScaled bool
}

// Count returns the number of values of truncation j, real and imaginary parts.
func Count(j int) int { return (j + 1) * (j + 2) }

// Check says whether data hold what h claims.
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

// Decode fills dst, of Count(J) elements, with real and imaginary parts in turn, for m = 0 to J and
// n = m to J. Check must have said yes.
func (h *Harmonics) Decode(dst []float64, data []byte) {
	if h.Subset == h.J {
		// Nothing is packed. The floats are IEEE then, in both editions, and take the decimal
		// scale.
		read := IEEE32
		if h.Float.Size == 8 {
			read = IEEE64
		}
		for i := range dst {
			dst[i] = read.Read(data[i*read.Size:]) * h.Scale.Decimal
		}
		return
	}
	d := harmonicsDecoder{Harmonics: h, floats: data, packed: data[Count(h.Subset)*h.Float.Size:], inverse: h.inverse()}
	for m := 0; m <= h.J; m++ {
		for n := m; n <= h.J; n++ {
			dst[0], dst[1] = d.pair(m, n)
			dst = dst[2:]
		}
	}
}

// inverse returns what a packed coefficient of each n is multiplied by.
func (h *Harmonics) inverse() []float64 {
	out := make([]float64, h.J+1)
	for n := 1; n <= h.J; n++ {
		if p := ddouble.Pow(float64(n)*float64(n+1), h.Laplacian); p != 0 {
			out[n] = 1 / p
		}
	}
	return out
}

type harmonicsDecoder struct {
	*Harmonics
	floats, packed []byte
	pos            int // bits of packed already read
	inverse        []float64
}

func (d *harmonicsDecoder) pair(m, n int) (re, im float64) {
	if n > d.Subset {
		re = d.next() * d.inverse[n]
		im = d.next() * d.inverse[n]
		if m == 0 {
			im = 0 // it is, but packing may have made something of it
		}
		return re, im
	}
	re, im = d.Float.Read(d.floats), d.Float.Read(d.floats[d.Float.Size:])
	d.floats = d.floats[2*d.Float.Size:]
	if n == d.Subset && d.LastRowScaled {
		re, im = re*d.inverse[n], im*d.inverse[n]
	}
	return re, im
}

func (d *harmonicsDecoder) next() float64 {
	q := bits.Uint(d.packed, d.pos, d.Bits)
	d.pos += d.Bits
	return d.Scale.Value(float64(q))
}
