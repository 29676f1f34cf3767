package grib

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
	"github.com/tgmconv/tgmconv/grib/internal/runlength"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/grib/internal/secondorder"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// readMatrix reads octets 21 to 35 of section 5 (template 5.1). Without secondary bitmaps the
// values are in simple packing, one a point.
func readMatrix(f *Field, k packing, data []byte) (coded, error) {
	if f.sections[5].Data[20] != 0 {
		return nil, &UnsupportedError{Edition: 2, Section: 5, Template: -1, Offset: f.sections[5].Offset, What: "matrix of values with secondary bitmaps"}
	}
	return newSimple(k, data)
}

// logarithm is simple packing of the logarithms of the values (template 5.61). To make the
// values positive, offset was added to them.
type logarithm struct {
	simple
	offset float64
}

// readLogarithm reads octets 21 to 24 of section 5: the offset.
func readLogarithm(f *Field, k packing, data []byte) (coded, error) {
	s, err := newSimple(k, data)
	return notLinear{logarithm{s, scale.IEEE32(f.sections[5].Data[20:])}}, err
}

func (l logarithm) decode(dst []float64) (*bitmask.Mask, error) {
	if _, err := l.simple.decode(dst); err != nil {
		return nil, err
	}
	for i, v := range dst {
		dst[i] = libm.Exp(v)
	}
	if l.offset != 0 {
		for i := range dst {
			dst[i] -= l.offset
		}
	}
	return nil, nil
}

// notLinear hides that a coded has integers, because their map is not linear.
type notLinear struct{ coded }

// runLength is run length packing with level values (template 5.200).
type runLength struct {
	n      int
	params runlength.Params
	levels []float64 // level 0 is a missing point
	data   []byte
}

// readRunLength reads section 5 from octet 12 on. It has bits, largest level in use(2),
// number of levels(2), decimal scale factor, levels(2 each).
func readRunLength(f *Field, k packing, data []byte) (coded, error) {
	b := f.sections[5].Data
	levels := be16(b, 14)
	if len(b) < 17+2*levels {
		return nil, fmt.Errorf("%d level values in a section of %d octets", levels, len(b))
	}
	decimal := int(b[16])
	if decimal > 127 {
		decimal = 128 - decimal
	}
	factor := scale.Power(-decimal, 10)
	c := &runLength{n: k.n, data: data, levels: make([]float64, levels+1),
		params: runlength.Params{N: k.n, Bits: int(b[11]), MaxLevel: be16(b, 12)}}
	for i := range levels {
		c.levels[i+1] = float64(be16(b, 17+2*i)) * factor
	}
	if c.params.MaxLevel > levels {
		return nil, fmt.Errorf("level %d of %d is used", c.params.MaxLevel, levels)
	}
	return c, nil
}

func (c *runLength) count() int { return c.n }

func (c *runLength) decode(dst []float64) (*bitmask.Mask, error) {
	m := bitmask.New(c.n)
	at := 0
	err := runlength.Decode(c.params, c.data, func(level, n int) {
		v := c.levels[level]
		for i := at; i < at+n; i++ {
			dst[i] = v
			if level == 0 {
				m.Set(i)
			}
		}
		at += n
	})
	return m, err
}

// Octets of section 5 of ECMWF's templates 5.50001 and 5.50002, counted from 0.
const (
	firstWidth2  = 20
	groupCount2  = 21
	widthWidth2  = 29
	lengthWidth2 = 30
	order50001   = 31
	flags50002   = 31
	order50002   = 32
)

// readSecondOrder reads second-order packing (templates 5.50001 and 5.50002): initial values and
// bias are at the end of section 5.
func readSecondOrder(f *Field, k packing, data []byte) (coded, error) {
	b := f.sections[5].Data
	if k.bits == 0 {
		return &secondOrder{k, nil}, nil
	}
	order := order50001
	if f.DataTemplate() == 50002 {
		order = order50002
	}
	if len(b) <= order {
		return nil, fmt.Errorf("section 5 is cut off after %d octets", len(b))
	}
	p := secondorder.Extended{Groups: be32(b, groupCount2), FirstWidth: int(b[firstWidth2]), WidthWidth: int(b[widthWidth2]),
		LengthWidth: int(b[lengthWidth2]), Order: int(b[order])}
	var initial []byte
	if p.Order > 0 && len(b) > order+1 {
		p.InitialBits, initial = int(b[order+1]), b[order+2:]
	}
	g, err := secondorder.ReadExtended(p, initial, data)
	if err != nil {
		return nil, err
	}
	if g.Count() != k.n && g.Count() > math.MaxInt32 {
		return nil, fmt.Errorf("groups of %d values, expected %d", g.Count(), k.n)
	}
	k.n = g.Count()
	return &secondOrder{k, g}, nil
}
