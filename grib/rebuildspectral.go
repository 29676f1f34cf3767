package grib

import (
	"bytes"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/grib/internal/spectral"
	intpack "github.com/tgmconv/tgmconv/internal/codec/packing"
)

// newCoding returns how the sections of a header say that values are stored.
func newCoding(s [9][]byte, edition int) (coding, error) {
	return (&builder{Part: &Part{}, sections: s, edition: edition}).coding()
}

// triangular returns J of a triangular truncation. In the section it begins at octet at, in words
// of size octets.
func triangular(section []byte, at, size int) (int, error) {
	if len(section) < at+3*size {
		return 0, &BuildError{Msg: fmt.Sprintf("spectral packing with a grid section of %d octets", len(section))}
	}
	read := be16
	if size == 4 {
		read = be32
	}
	j, k, m := read(section, at), read(section, at+size), read(section, at+2*size)
	if j != k || j != m || j > 1<<14 {
		return 0, &BuildError{Msg: fmt.Sprintf("truncation J=%d K=%d M=%d, expected a triangular one", j, k, m)}
	}
	return j, nil
}

// spectral1 reads octets 12 to 18 of section 4, see Field.spectral1.
func (b *builder) spectral1(complexPacking bool) (c coding, err error) {
	s := b.sections[4]
	if len(s) < spectralSimple1 || complexPacking && len(s) < spectralData1 {
		return c, &BuildError{Section: 4, Msg: fmt.Sprintf("spectral packing of %d octets", len(s))}
	}
	h := &spectral.Harmonics{Bits: int(s[10]), Float: spectral.IBM32, LastRowScaled: true,
		Scale: scale.New(scale.IBM32(s[6:]), sm16(s, 4), sm16(b.sections[1], decimalScale1))}
	if h.J, err = triangular(b.sections[2], truncation1, 2); err != nil {
		return c, err
	}
	c.harmonics = h
	if complexPacking {
		h.Subset, h.Laplacian = int(s[subset1]), float64(sm16(s, laplacian1))/1000
	} else {
		first := scale.IBM32(s[spectralFirst1:])
		c.first = &first
	}
	return c, nil
}

// spectral2 reads section 5, see readSpectralSimple and readSpectralComplex.
func (b *builder) spectral2(template int) (c coding, err error) {
	s := b.sections[5]
	h := &spectral.Harmonics{Bits: int(s[19]), Scale: scale.New(scale.IEEE32(s[11:]), sm16(s, 15), sm16(s, 17))}
	if h.J, err = triangular(b.sections[3], truncation2, 4); err != nil {
		return c, err
	}
	c.harmonics = h
	if template == 50 {
		first := scale.IEEE32(s[20:])
		c.first = &first
		return c, nil
	}
	h.Subset, h.Laplacian = be16(s, 24), float64(sm32(s, 20))/1e6
	if h.Float, err = precision(s[34]); err != nil {
		err = &BuildError{Section: 5, Err: err}
	}
	return c, err
}

// spectral codes coefficients.
func (b *builder) spectral(c coding, number int) ([]byte, error) {
	h := c.harmonics
	if b.Values == nil {
		return nil, &BuildError{Section: number, Msg: "spectral packing without values"}
	}
	if c.first == nil {
		data, err := h.Encode(b.Values)
		if err != nil {
			return nil, &BuildError{Section: number, Err: err}
		}
		return data, nil
	}
	if len(b.Values) != spectral.Count(h.J) || b.Values[0] != *c.first || h.Bits > 32 {
		return nil, &BuildError{Section: number, Msg: fmt.Sprintf("%d coefficients of %d bits, of which the header expects the first to be %v", len(b.Values), h.Bits, *c.first)}
	}
	samples := make([]uint32, len(b.Values)-1)
	for i, v := range b.Values[1:] {
		q := math.Round((v/h.Scale.Decimal - h.Scale.Reference) / h.Scale.Binary)
		if h.Bits == 0 {
			q = 0
		}
		same := h.Scale.Value(q) == v || h.Bits == 0 && v == h.Scale.Reference
		if !(q >= 0 && q < math.Ldexp(1, h.Bits) || h.Bits == 0) || !same {
			return nil, &BuildError{Section: number, Msg: fmt.Sprintf("value %d, %v, is no integer of %d bits", i+1, v, h.Bits)}
		}
		samples[i] = uint32(q)
	}
	return intpack.PackUint32(nil, samples, h.Bits), nil
}

// spectralRebuilds reports whether Rebuild makes the same octets of the coefficients.
func (f *Field) spectralRebuilds() bool {
	values, _, err := f.Decode(nil)
	if err != nil {
		return false
	}
	message, err := Rebuild(Part{Header: f.Header(), Values: values})
	return err == nil && bytes.Equal(message, f.Bytes())
}
