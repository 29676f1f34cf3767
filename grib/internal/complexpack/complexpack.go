// Package complexpack reads complex packing and complex packing with spatial differencing: GRIB 2
// data templates 7.2 and 7.3.
//
// The numbers are cut into groups, each with a reference, a width and a length of its own. The data
// lie as
//
//	[differencing: Order first values, then the overall minimum, ExtraOctets each]   7.3 only
//	group references, Bits each
//	group widths, WidthBits each, less WidthReference
//	group lengths, LengthBits each, less LengthReference and divided by LengthIncrement; the last
//	one is in the template
//	the numbers, less their group's reference
//
// where each of the four arrays begins at an octet boundary. Missing points can be numbers with all
// bits set (and, with two kinds of missing, all but the last bit); in a group without bits the
// reference stands for the numbers.
package complexpack

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// Missing marks a missing point among the integers.
const Missing = math.MaxInt64

// Params are octets 20 to 49 of section 5, under their names in the templates.
type Params struct {
	N                 int // number of values
	Bits              int // width of a group reference
	MissingManagement int // code table 5.5: 0 none, 1 primary, 2 primary and secondary
	Groups            int
	WidthReference    int
	WidthBits         int
	LengthReference   int
	LengthIncrement   int
	LastLength        int
	LengthBits        int
	Order             int // of spatial differencing, 0 to 2
	ExtraOctets       int
}

// chunk is how many integers are decoded before they are passed on: they stay in the first-level
// cache.
const chunk = 2048

// maxWidth bounds the widths of all parts; larger widths cannot be told from damage.
const maxWidth = 57

// decoder is the state of one pass over a section 7.
type decoder struct {
	Params
	src                       []byte
	refs, widths, lens, value int // bit positions
	diff                      differences
	left                      int // values still to come
}

// Decode calls emit with the integers in order, in pieces that are valid during the call. It calls
// it for N integers in all or returns an error.
func Decode(p Params, src []byte, emit func(q []int64) error) error {
	d, err := newDecoder(p, src)
	if err != nil {
		return err
	}
	var buf [chunk]int64
	fill := 0
	for g := range p.Groups {
		ref, width, length, err := d.group(g)
		if err != nil {
			return err
		}
		for length > 0 {
			n := min(length, chunk-fill)
			d.values(buf[fill:fill+n], ref, width)
			length -= n
			if fill += n; fill == chunk {
				if err := d.flush(buf[:], emit); err != nil {
					return err
				}
				fill = 0
			}
		}
	}
	if d.left != 0 {
		return fmt.Errorf("the groups hold %d values, expected %d", p.N-d.left, p.N)
	}
	return d.flush(buf[:fill], emit)
}

func newDecoder(p Params, src []byte) (*decoder, error) {
	switch {
	case p.Bits > maxWidth:
		return nil, fmt.Errorf("group references of %d bits, expected at most %d", p.Bits, maxWidth)
	case p.Groups > max(8*len(src), p.N):
		return nil, fmt.Errorf("%d groups for %d values in %d bytes", p.Groups, p.N, len(src)) // empty ones, without a bit each
	case p.WidthBits > 32 || p.LengthBits > 32:
		return nil, fmt.Errorf("group widths of %d bits and lengths of %d bits, expected at most 32", p.WidthBits, p.LengthBits)
	case p.MissingManagement > 2:
		return nil, fmt.Errorf("missing value management %d, expected 0 to 2", p.MissingManagement)
	case p.Order > 2 || p.ExtraOctets > 8:
		return nil, fmt.Errorf("spatial differencing of order %d with %d octets, expected at most order 2 and 8 octets", p.Order, p.ExtraOctets)
	}
	d := &decoder{Params: p, src: src, left: p.N}
	if p.Order > 0 {
		d.refs = (p.Order + 1) * 8 * p.ExtraOctets
	}
	// One array after the other: the parts before pos have been checked, so the sums
	// cannot overflow.
	pos := d.refs
	for _, part := range []struct {
		at    *int
		width int
		name  string
	}{{&d.refs, p.Bits, "references"}, {&d.widths, p.WidthBits, "widths"}, {&d.lens, p.LengthBits, "lengths"}} {
		if !bits.Fits(src, pos, p.Groups, part.width) {
			return nil, fmt.Errorf("%d group %s of %d bits do not fit %d bytes of data", p.Groups, part.name, part.width, len(src))
		}
		*part.at = pos
		pos = (pos + p.Groups*part.width + 7) &^ 7
	}
	d.value = min(pos, 8*len(src))
	if p.Order > 0 {
		d.diff.read(src, p.Order, 8*p.ExtraOctets)
	}
	return d, nil
}

// group returns the description of group g and checks that its values are there.
func (d *decoder) group(g int) (ref int64, width, length int, err error) {
	ref = int64(bits.Uint(d.src, d.refs, d.Bits))
	width = d.WidthReference + int(bits.Uint(d.src, d.widths, d.WidthBits))
	length = d.LengthReference + d.LengthIncrement*int(bits.Uint(d.src, d.lens, d.LengthBits))
	d.refs += d.Bits
	d.widths += d.WidthBits
	d.lens += d.LengthBits
	if g == d.Groups-1 {
		length = d.LastLength
	}
	if length > d.left {
		return 0, 0, 0, fmt.Errorf("group %d of %d has %d values, at most %d are left", g, d.Groups, length, d.left)
	}
	if width > maxWidth || !bits.Fits(d.src, d.value, length, width) {
		return 0, 0, 0, fmt.Errorf("group %d of %d: %d values of %d bits do not fit the data", g, d.Groups, length, width)
	}
	d.left -= length
	return ref, width, length, nil
}

// values unpacks the next values of a group.
func (d *decoder) values(dst []int64, ref int64, width int) {
	switch {
	case width == 0:
		if d.isMissing(ref, d.Bits) {
			ref = Missing
		}
		for i := range dst {
			dst[i] = ref
		}
		return
	case d.MissingManagement != 0:
		bits.Unpack(dst, d.src, d.value, width)
		for i, q := range dst {
			if d.isMissing(q, width) {
				dst[i] = Missing
			} else {
				dst[i] = q + ref
			}
		}
	default:
		bits.UnpackAdd(dst, d.src, d.value, width, ref)
	}
	d.value += len(dst) * width
}

// isMissing reports whether q, of width bits, means a missing point.
func (d *decoder) isMissing(q int64, width int) bool {
	all := int64(1)<<width - 1
	return d.MissingManagement > 0 && q == all || d.MissingManagement > 1 && q == all-1
}

// flush undoes the differencing and hands the integers on.
func (d *decoder) flush(q []int64, emit func([]int64) error) error {
	if len(q) == 0 {
		return nil
	}
	if d.Order > 0 {
		d.diff.undo(q, d.MissingManagement != 0)
	}
	return emit(q)
}
