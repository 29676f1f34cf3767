package grib

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/secondorder"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// secondOrder is second-order packing of either edition.
type secondOrder struct {
	packing
	groups *secondorder.Groups
}

func (s *secondOrder) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := s.constant(); ok {
		fill(dst, v)
		return nil, nil
	}
	scale, at := s.scale(), 0
	return nil, s.groups.Decode(func(q []int64) error {
		scale.Int64s(dst[at:at+len(q)], q)
		at += len(q)
		return nil
	})
}

func (s *secondOrder) constant() (float64, bool) { return s.r, s.groups == nil }

func (s *secondOrder) integers(dst []uint32) (*bitmask.Mask, error) {
	at := 0
	return nil, s.groups.Decode(func(q []int64) error {
		for i, x := range q {
			if x < 0 || x > math.MaxUint32 {
				return ErrNotQuantised
			}
			dst[at+i] = uint32(x)
		}
		at += len(q)
		return nil
	})
}

func (s *secondOrder) raw(*Quantised) bool { return false }

// Octets of section 4 of edition 1, counted from 0.
const (
	firstWidth1   = 10 // bits of a first-order value
	secondFlags1  = 13
	groupCount1   = 16 // number of groups, modulo 65536
	secondCount1  = 18 // number of second-order values
	groupCarry1   = 20 // the 65536s of the number of groups
	secondData1   = 21
	widthWidth1   = 21
	lengthWidth1  = 22
	initialWidth1 = 25
)

// secondOrder1 reads section 4 of edition 1 from octet 11 on.
func (f *Field) secondOrder1(k packing) (coded, error) {
	b := f.sections[4].Data
	if len(b) < secondData1 {
		return nil, cutOff(b, secondData1)
	}
	flags, groups := b[secondFlags1], be16(b, groupCount1)+int(b[groupCarry1])<<16
	firstWidth := int(b[firstWidth1])
	var g *secondorder.Groups
	var err error
	switch flags & (matrix1 | secondaryBitmap1 | variableWidths1 | extended1) {
	case variableWidths1 | extended1:
		g, err = extended1Groups(b, groups, int(flags&orderOfSPD1))
	case variableWidths1:
		var rows []int
		if rows, err = f.valuesPerRow1(); err == nil {
			g, err = secondorder.ReadRows(groups, firstWidth, rows, b[secondData1:])
		}
	case secondaryBitmap1:
		g, err = secondorder.ReadBitmap(groups, firstWidth, be16(b, secondCount1), true, b[secondData1:])
	case secondaryBitmap1 | variableWidths1:
		g, err = secondorder.ReadBitmap(groups, firstWidth, be16(b, secondCount1), false, b[secondData1:])
	default:
		return nil, &UnsupportedError{Edition: 1, Section: 4, Template: int(flags), Offset: f.sections[4].Offset, What: "second-order packing with flags"}
	}
	if err != nil {
		return nil, err
	}
	k.n = g.Count()
	return &secondOrder{k, g}, nil
}

func cutOff(section []byte, expected int) error {
	return fmt.Errorf("second-order packing is cut off after %d octets, expected at least %d", len(section), expected)
}

// extended1Groups reads the groups, and octets 22 to 26, which only this form has.
func extended1Groups(b []byte, groups, order int) (*secondorder.Groups, error) {
	fixed := initialWidth1
	if order > 0 {
		fixed++
	}
	if len(b) < fixed {
		return nil, cutOff(b, fixed)
	}
	p := secondorder.Extended{Groups: groups, FirstWidth: int(b[firstWidth1]), WidthWidth: int(b[widthWidth1]), LengthWidth: int(b[lengthWidth1]), Order: order}
	if order > 0 {
		p.InitialBits = int(b[initialWidth1])
	}
	data := b[fixed:]
	size := min(p.InitialSize(), len(data))
	return secondorder.ReadExtended(p, data[:size], data[size:])
}

// valuesPerRow1 returns how many points of each row have a value.
func (f *Field) valuesPerRow1() ([]int, error) {
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	p, err := f.presence()
	if err != nil {
		return nil, err
	}
	if p.bits == nil {
		return rows, nil
	}
	counts, at := make([]int, len(rows)), 0
	for i, n := range rows {
		for range min(n, p.points-at) {
			counts[i] += int(p.bits[at/8] >> (7 - at%8) & 1)
			at++
		}
	}
	return counts, nil
}
