package grib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/grib/internal/spectral"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// Spectral is the pentagonal truncation of a field of spherical harmonics. Its values are real and
// imaginary parts in turn, for zonal wavenumber m = 0..M and n = m..J.
type Spectral struct{ J, K, M int }

// Octets of the section that holds the truncation: section 2 of edition 1, section 3 of edition 2.
const (
	truncation1    = 6
	truncation2    = 14
	truncationEnd2 = 28
)

// Spectral returns the truncation, false when the field is not of spherical harmonics.
func (f *Field) Spectral() (Spectral, bool) {
	if f.Edition == 1 {
		b := f.sections[2].Data
		if len(b) < truncation1+6 || !isSpectral1(b[5]) {
			return Spectral{}, false
		}
		return Spectral{be16(b, truncation1), be16(b, truncation1+2), be16(b, truncation1+4)}, true
	}
	b := f.sections[3].Data
	if t := f.GridTemplate(); t < 50 || t > 53 || len(b) < truncationEnd2 {
		return Spectral{}, false
	}
	return Spectral{be32(b, truncation2), be32(b, truncation2+4), be32(b, truncation2+8)}, true
}

// triangular returns J of a triangular truncation, the only truncation that packings of
// spherical harmonics know.
func (f *Field) triangular() (int, error) {
	t, ok := f.Spectral()
	const largest = 1 << 20 // of J: far beyond any model, and its square is no overflow
	switch {
	case !ok:
		return 0, fmt.Errorf("spectral packing of grid %d", f.GridTemplate())
	case t.J != t.K || t.J != t.M || t.J > largest:
		return 0, fmt.Errorf("truncation J=%d K=%d M=%d, expected a triangular one", t.J, t.K, t.M)
	case spectral.Count(t.J) > f.maxPoints:
		return 0, &LimitError{Offset: f.Offset(), What: limitPoints, Value: int64(spectral.Count(t.J)), Max: int64(f.maxPoints)}
	}
	return t.J, nil
}

// harmonics is complex packing of spherical harmonics.
type harmonics struct {
	params spectral.Harmonics
	data   []byte
}

func (h *harmonics) count() int { return spectral.Count(h.params.J) }

func (h *harmonics) decode(dst []float64) (*bitmask.Mask, error) {
	h.params.Decode(dst, h.data)
	return nil, nil
}

// spectralSimple is simple packing of spherical harmonics: the first coefficient is a float, the
// others are packed.
type spectralSimple struct {
	simple simple
	first  float64
}

func (s spectralSimple) count() int { return s.simple.n + 1 }

func (s spectralSimple) decode(dst []float64) (*bitmask.Mask, error) {
	dst[0] = s.first
	return s.simple.decode(dst[1:])
}

func (f *Field) newSpectralSimple(k packing, first float64, data []byte) (coded, error) {
	j, err := f.triangular()
	if err != nil {
		return nil, err
	}
	k.n = spectral.Count(j) - 1
	s, err := newSimple(k, data)
	return spectralSimple{s, first}, err
}

// Octets of section 4 of edition 1 with spectral packing, counted from 0.
const (
	spectralFirst1  = 11 // simple: the first coefficient
	spectralSimple1 = 15
	laplacian1      = 13
	subset1         = 15 // complex: JS, KS, MS
	spectralData1   = 18
)

// spectral1 reads spectral packings of edition 1.
func (f *Field) spectral1(k packing, complexPacking bool) (coded, error) {
	b := f.sections[4].Data
	if len(b) < spectralData1 {
		return nil, fmt.Errorf("spectral packing of %d octets, expected at least %d", len(b), spectralData1)
	}
	if !complexPacking {
		return f.newSpectralSimple(k, scale.IBM32(b[spectralFirst1:]), b[spectralSimple1:])
	}
	if b[subset1] != b[subset1+1] || b[subset1] != b[subset1+2] {
		return nil, fmt.Errorf("subset J=%d K=%d M=%d, expected a triangular one", b[subset1], b[subset1+1], b[subset1+2])
	}
	return f.newHarmonics(spectral.Harmonics{
		Subset: int(b[subset1]), Float: spectral.IBM32, Bits: k.bits, Scale: k.scale(),
		Laplacian: float64(sm16(b, laplacian1)) / 1000, LastRowScaled: true,
	}, b[spectralData1:])
}

func (f *Field) newHarmonics(p spectral.Harmonics, data []byte) (coded, error) {
	var err error
	if p.J, err = f.triangular(); err != nil {
		return nil, err
	}
	h := &harmonics{p, data}
	return h, h.params.Check(data)
}

// readSpectralSimple reads octets 21 to 24 of section 5 (template 5.50): the real part of the first
// coefficient.
func readSpectralSimple(f *Field, k packing, data []byte) (coded, error) {
	return f.newSpectralSimple(k, scale.IEEE32(f.sections[5].Data[20:]), data)
}

// readSpectralComplex reads octets 21 to 35 of section 5 (template 5.51). They are power of the
// Laplacian in millionths, subset JS, KS, MS, its number of values, its precision.
func readSpectralComplex(f *Field, k packing, data []byte) (coded, error) {
	b := f.sections[5].Data
	if be16(b, 24) != be16(b, 26) || be16(b, 24) != be16(b, 28) {
		return nil, fmt.Errorf("subset J=%d K=%d M=%d, expected a triangular one", be16(b, 24), be16(b, 26), be16(b, 28))
	}
	float, err := precision(b[34])
	if err != nil {
		return nil, err
	}
	return f.newHarmonics(spectral.Harmonics{
		Subset: be16(b, 24), Float: float, Bits: k.bits, Scale: k.scale(), Laplacian: float64(sm32(b, 20)) / 1e6,
	}, data)
}

// readSpectralIEEE reads octets 21 to 29 of section 5 (ECMWF's template 5.50000). They are power
// of the Laplacian, which nothing is scaled with, number of values, their precision. It is 5.51
// with the whole field as the subset.
func readSpectralIEEE(f *Field, k packing, data []byte) (coded, error) {
	float, err := precision(f.sections[5].Data[28])
	if err != nil {
		return nil, err
	}
	j, err := f.triangular()
	if err != nil {
		return nil, err
	}
	return f.newHarmonics(spectral.Harmonics{Subset: j, Float: float, Scale: k.scale()}, data)
}

// precision reads code table 5.7.
func precision(code byte) (spectral.Float, error) {
	switch code {
	case 1:
		return spectral.IEEE32, nil
	case 2:
		return spectral.IEEE64, nil
	}
	return spectral.Float{}, fmt.Errorf("precision %d of the unpacked subset, expected 1 or 2", code)
}

// biFourier is packing of bi-Fourier series.
type biFourier struct {
	n      int
	params spectral.BiFourier
	data   []byte
}

func (c *biFourier) count() int { return c.n }

func (c *biFourier) decode(dst []float64) (*bitmask.Mask, error) {
	return nil, c.params.Decode(dst, c.data)
}

// readBiFourier reads octets 21 to 35 of section 5 (template 5.53) and 16 to 24 of section 3.
// Section 5 has shape of the subset, whether the axes are in it, power of the Laplacian in
// millionths, subset N, M, its number of values, its precision; section 3 has N, M, shape.
func readBiFourier(f *Field, k packing, data []byte) (coded, error) {
	b, g := f.sections[5].Data, f.sections[3].Data
	if t := f.GridTemplate(); t < 61 || t > 63 || len(g) < 24 {
		return nil, fmt.Errorf("bi-Fourier packing of grid %d", t)
	}
	float, err := precision(b[34])
	if err != nil {
		return nil, err
	}
	c := &biFourier{n: k.n, data: data, params: spectral.BiFourier{
		Field:    spectral.Truncation{Shape: int(g[23]), N: be32(g, 15), M: be32(g, 19)},
		Subset:   spectral.Truncation{Shape: int(b[20]), N: be16(b, 26), M: be16(b, 28)},
		KeepAxes: b[21] != 0, Float: float, Bits: k.bits, Scale: k.scale(), Laplacian: float64(sm32(b, 22)) / 1e6,
	}}
	return c, c.params.Check(k.n, data)
}
