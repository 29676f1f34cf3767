package grib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// The upper four bits of octet 4 of section 4 (code table 11). Octet 14 has more when the
// fourth is set or the packing is of second order.
const (
	spectral1   = 8
	complex1    = 4
	integer1    = 2
	additional1 = 1

	matrix1          = 0x40
	secondaryBitmap1 = 0x20
	variableWidths1  = 0x10
	extended1        = 0x08
	boustrophedonic1 = 0x04
	orderOfSPD1      = 0x03 // bit 1 counts two, bit 0 one
)

// noData1 is the binary scale factor by which ECMWF marks a field without any value.
const noData1 = -32767

// section1 octets of edition 1.
const decimalScale1 = 26

// coded1 reads the part of section 4 that all packings share. It is length(3), flags and unused
// bits at the end(1), binary scale factor(2), reference value(4, IBM), and one octet more.
func (f *Field) coded1() (coded, error) {
	b := f.sections[4].Data
	k := packing{r: scale.IBM32(b[6:]), e: sm16(b, 4), d: sm16(f.sections[1].Data, decimalScale1), bits: int(b[10])}
	var c coded
	var err error
	switch flags := b[3] >> 4; {
	case k.e == noData1:
		c, err = f.noData1()
	case flags&spectral1 != 0:
		c, err = f.spectral1(k, flags&complex1 != 0)
	case flags&complex1 != 0:
		c, err = f.secondOrder1(k)
	case flags&additional1 == 0:
		c, err = f.simple1(k, b[dataLen1:])
	case flags&integer1 != 0:
		c, err = f.ieee1()
	default:
		c, err = f.matrix1(k)
	}
	if err != nil {
		return nil, f.sectionError(4, err)
	}
	return c, nil
}

// simple1 reads simple packing. Edition 1 does not say how many values there are; the length of the
// section does.
func (f *Field) simple1(k packing, data []byte) (coded, error) {
	var err error
	if k.n, err = f.count1(k.bits, len(data)); err != nil {
		return nil, err
	}
	return newSimple(k, data)
}

// count1 returns how many values of the given width lie in data bytes at the end of section 4.
func (f *Field) count1(bits, data int) (int, error) {
	if bits == 0 {
		return f.valuesOfGrid1()
	}
	unused := int(f.sections[4].Data[3] & 0x0f)
	n := max(0, (8*data-unused)/bits)
	// Sections are padded to an even number of octets, and the padding is not always declared. An
	// apparent value may be padding.
	if f.sections[3].Data != nil {
		p, err := f.presence()
		return min(n, p.ones), err
	}
	if g, reduced, ok := f.gridPoints1(); ok && !reduced && n > g && (n-g)*bits < 16 {
		n = g
	}
	return n, nil
}

// valuesOfGrid1 returns how many points have a value when the data section does not tell.
func (f *Field) valuesOfGrid1() (int, error) {
	p, err := f.presence()
	if err != nil || p.bits != nil {
		return p.ones, err
	}
	if n, _, ok := f.gridPoints1(); ok {
		return n, nil
	}
	return 0, &UnsupportedError{Edition: 1, Section: 2, Template: f.GridTemplate(), Offset: f.sections[2].Offset, What: "constant field on a grid"}
}

// noValues is a field whose points are all missing.
type noValues int

func (n noValues) count() int { return int(n) }

func (n noValues) decode([]float64) (*bitmask.Mask, error) { return fullMask(int(n)), nil }

func (f *Field) noData1() (coded, error) {
	if f.sections[3].Data != nil {
		return noValues(0), nil
	}
	n, err := f.valuesOfGrid1()
	return noValues(n), err
}

// ieee1 reads IEEE floats, which ECMWF added to edition 1: octet 12 is the precision.
func (f *Field) ieee1() (coded, error) {
	b := f.sections[4].Data
	if len(b) < dataLen1+1 {
		return nil, fmt.Errorf("cut off after %d octets", len(b))
	}
	return newIEEE(-1, int(b[dataLen1]), b[dataLen1+1:])
}
