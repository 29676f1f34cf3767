package grib

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// Values of octet 6 of section 6 (code table 6.0). The value 255 is no bitmap; 1 to 253 name a
// bitmap that the producing centre has defined elsewhere.
const (
	bitmapHere   = 0
	bitmapBefore = 254
	noBitmap     = 255
)

// A presence says which grid points have a value. The zero presence means all.
type presence struct {
	bits   []byte // most significant bit first, 1 where there is a value; nil means everywhere
	points int
	ones   int
}

// presence returns the bitmap that applies to the field; its bits are nil when there is none.
func (f *Field) presence() (presence, error) {
	if f.Edition == 1 {
		return f.presence1()
	}
	if s := f.bitmap; s.Data != nil && s.Data[5] == bitmapHere {
		return newPresence(s.Data[6:], be32(f.sections[3].Data, 6), s)
	}
	if err := f.checkEarlier(); err != nil {
		return presence{}, err
	}
	// Without a bitmap, or with a bitmap that the centre has defined elsewhere, section 7
	// has the values in order. They are all of the grid's when their number says so; else no
	// value's place is known.
	return presence{}, nil
}

// checkEarlier returns an error for indicator 254 with no bitmap before it in the message. If there
// is a value for every point, this is an error only in the first field of several, where ecCodes
// gives up.
func (f *Field) checkEarlier() error {
	s := f.sections[6]
	if s.Data[5] != bitmapBefore || f.bitmap.Data != nil {
		return nil
	}
	values, points := be32(f.sections[5].Data, 5), be32(f.sections[3].Data, 6)
	if values == points && !(f.orphaned && len(f.Message.fields) > 1) {
		return nil
	}
	return &FormatError{Offset: s.Offset, Section: 6,
		Msg: fmt.Sprintf("bitmap indicator 254, but the message has no bitmap before it (%d values for %d points)", values, points)}
}

// presence1 reads section 3 of edition 1: length(3), unused bits at the end, number of a predefined
// bitmap(2), bits. When both are present, the bits count.
func (f *Field) presence1() (presence, error) {
	s := f.sections[3]
	if s.Data == nil {
		return presence{}, nil
	}
	if n := be16(s.Data, 4); n != 0 && len(s.Data) == bitmapLen1 {
		return presence{}, &UnsupportedError{Edition: 1, Section: 3, Template: n, Offset: s.Offset, What: "predefined bitmap"}
	}
	b := s.Data[bitmapLen1:]
	return newPresence(b, 8*len(b)-int(s.Data[3]), s)
}

func newPresence(b []byte, points int, s Section) (presence, error) {
	if points < 0 || points > 8*len(b) {
		return presence{}, &FormatError{Offset: s.Offset, Section: s.Number,
			Msg: fmt.Sprintf("bitmap of %d points for a grid of %d", 8*len(b), points)}
	}
	p := presence{bits: b[:(points+7)/8], points: points}
	p.ones = countOnes(p.bits, points)
	return p, nil
}

func countOnes(b []byte, n int) int {
	ones, i := 0, 0
	for ; i+64 <= n; i += 64 {
		ones += mathbits.OnesCount64(binary.BigEndian.Uint64(b[i/8:]))
	}
	for ; i < n; i++ {
		ones += int(b[i/8] >> (7 - i%8) & 1)
	}
	return ones
}

// missing returns the mask of the points without a value, nil when all have one.
func (p presence) missing() *bitmask.Mask {
	if p.bits == nil || p.ones == p.points {
		return nil
	}
	m := bitmask.New(p.points)
	for i, b := range p.bits {
		m.Bits[i] = ^b
	}
	if rest := p.points % 8; rest != 0 {
		m.Bits[len(m.Bits)-1] &= 0xff << (8 - rest)
	}
	return m
}

// spread moves the numbers at the end of dst to the points that have a value, and sets the others.
// Points without a value become absent. In dst is an element for each point; the first of the
// numbers is at index len(dst)-ones. No number is overwritten before it is moved: at point i, with
// j numbers moved, the next number is at len(dst)-ones+j, and i-j missing points are at most
// len(dst)-ones.
func spread[T any](p presence, dst []T, absent T) {
	next := len(dst) - p.ones
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		switch b := p.bits[i/8]; b {
		case 0xff:
			copy(dst[i:i+8], dst[next:next+8])
			next += 8
		case 0:
			for j := i; j < i+8; j++ {
				dst[j] = absent
			}
		default:
			for j := i; j < i+8; j++ {
				if b&0x80 != 0 {
					dst[j] = dst[next]
					next++
				} else {
					dst[j] = absent
				}
				b <<= 1
			}
		}
	}
	for ; i < len(dst); i++ {
		if p.bits[i/8]>>(7-i%8)&1 != 0 {
			dst[i] = dst[next]
			next++
		} else {
			dst[i] = absent
		}
	}
}

// spreadMask moves a mask of numbers to the points they belong to, and adds the points without a
// value.
func (p presence) spreadMask(m *bitmask.Mask) *bitmask.Mask {
	out := p.missing()
	if m == nil || p.bits == nil {
		if p.bits == nil {
			return m
		}
		return out
	}
	if out == nil {
		out = bitmask.New(p.points)
	}
	next := 0
	for i := range p.points {
		if p.bits[i/8]>>(7-i%8)&1 != 0 {
			if m.Get(next) {
				out.Set(i)
			}
			next++
		}
	}
	return out
}

// erase makes the values of missing points NaN.
func erase[T float32 | float64](values []T, missing *bitmask.Mask) {
	nan := T(math.NaN())
	for i := range missing.Indices() {
		values[i] = nan
	}
}
