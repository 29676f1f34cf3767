package grib

import (
	"math"
	mathbits "math/bits"

	"github.com/tgmconv/tgmconv/grib/internal/complexpack"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// groups is complex packing, with or without spatial differencing (templates 5.2 and 5.3).
type groups struct {
	packing
	data   []byte
	params complexpack.Params
}

func (g *groups) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := g.constant(); ok {
		fill(dst, v)
		return nil, nil
	}
	s, at := g.scale(), 0
	missing := g.newMask()
	err := complexpack.Decode(g.params, g.data, func(q []int64) error {
		s.Int64s(dst[at:at+len(q)], q)
		markMissing(missing, at, q)
		at += len(q)
		return nil
	})
	return missing, err
}

// constant: a field without groups has its reference value everywhere, to which the decimal scale
// does not apply. NCEP's encoder writes fields of equal values so, and ecCodes fields of two or
// three present points. References without bits alone do not make a field constant, as the groups
// can have bits. Without any data it is, and the decimal scale applies as it does to every value in
// a group.
func (g *groups) constant() (float64, bool) {
	if g.params.Groups == 0 {
		return g.r, true
	}
	return g.scale().Value(0), g.bits == 0 && len(g.data) == 0
}

// newMask returns an empty mask when numbers can mean missing points.
func (g *groups) newMask() *bitmask.Mask {
	if g.params.MissingManagement == 0 {
		return nil
	}
	return bitmask.New(g.n)
}

// markMissing sets the bits of the missing among q, which begins with number at.
func markMissing(m *bitmask.Mask, at int, q []int64) {
	if m == nil {
		return
	}
	for i, x := range q {
		if x == complexpack.Missing {
			m.Set(at + i)
		}
	}
}

func (g *groups) integers(dst []uint32) (*bitmask.Mask, error) {
	missing, at := g.newMask(), 0
	err := complexpack.Decode(g.params, g.data, func(q []int64) error {
		markMissing(missing, at, q)
		for i, x := range q {
			switch {
			case x == complexpack.Missing:
				dst[at+i] = 0
			case x < 0 || x > math.MaxUint32:
				return ErrNotQuantised
			default:
				dst[at+i] = uint32(x)
			}
		}
		at += len(q)
		return nil
	})
	return missing, err
}

func (g *groups) raw(*Quantised) bool { return false }

// widest returns the bits that hold every sample.
func widest(samples []uint32) int {
	var all uint32
	for _, q := range samples {
		all |= q
	}
	return mathbits.Len32(all)
}
