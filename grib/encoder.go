package grib

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// A Packing is how an Encoder stores values.
type Packing int

// The packings that an Encoder writes.
const (
	PackCCSDS   Packing = iota // template 5.42: integers through the adaptive entropy coder
	PackSimple                 // template 5.0: integers one after the other
	PackComplex                // template 5.2 or, with SpatialDifferencing, 5.3: groups of integers
	PackIEEE32                 // template 5.4: floats of 32 bits
	PackIEEE64                 // template 5.4: floats of 64 bits
)

// An Encoder writes messages of edition 2, and of edition 1 in simple packing. The zero value
// writes CCSDS packing with 16 bits.
type Encoder struct {
	Packing Packing
	// Bits is the width of the integers that values are quantised to, 1 to 32; 0 means 16. It has
	// no effect on Draft.Quantised.
	Bits int
	// DecimalScale is the power of ten that values are multiplied by before they are quantised.
	DecimalScale int
	// SpatialDifferencing is the order of differences of PackComplex, 0 to 2.
	SpatialDifferencing int
	// Integer says that the values were integers before they were packed. Packings of integers
	// in edition 2 note it (code table 5.1).
	Integer bool
}

// A Draft is a field to be written: its sections and its values in the order they are stored.
// Either Quantised is set, whose integers are then stored as they are, or Values with Missing. A
// bitmap is written if points are missing, or if Bitmap is set.
//
// In edition 1, Product is section 1 and Grid is section 2, nil for none; the flags and the decimal
// scale factor of section 1 are set to suit the values.
type Draft struct {
	Edition        int    // 1 or 2; 0 means 2
	Discipline     int    // code table 0.0
	Identification []byte // section 1, see Identification.Section
	Local          []byte // section 2, nil for none
	Grid           []byte // section 3, see geometry.Grid.Section
	Product        []byte // section 4, see ProductSection

	Quantised *Quantised
	Values    []float64
	Missing   *Mask // of Values, nil for none; a NaN among Values is missing too
	Bitmap    bool
}

// Draft returns the sections of a header, for values to be added. A field can then be written
// again in another packing. The error is a *BuildError.
func (h Header) Draft() (Draft, error) {
	s, err := h.sections()
	if err != nil {
		return Draft{}, err
	}
	if h.Edition() == 1 {
		return Draft{Edition: 1, Product: s[1], Grid: s[2], Bitmap: h.HasBitmap()}, nil
	}
	return Draft{Discipline: int(s[0][6]), Identification: s[1], Local: s[2], Grid: s[3], Product: s[4], Bitmap: h.HasBitmap()}, nil
}

// Encode appends a message of the fields to dst. Sections 2 and 3 are not repeated where they are
// the same as in the field before; discipline and section 1 are taken from the first field. Errors
// are *BuildError, and dst is then returned as it was.
func (e Encoder) Encode(dst []byte, fields ...Draft) ([]byte, error) {
	if len(fields) == 0 {
		return dst, &BuildError{Msg: "no fields"}
	}
	if fields[0].Edition == 1 {
		return e.encode1(dst, fields)
	}
	start := len(dst)
	out := append(dst, magic...)
	out = append(out, 0, 0, byte(fields[0].Discipline), 2)
	out = append(out, make([]byte, 8)...) // the length
	for i := range fields {
		var before *Draft
		if i > 0 {
			before = &fields[i-1]
		}
		var err error
		if out, err = e.appendField(out, &fields[i], before); err != nil {
			return dst, err
		}
	}
	out = append(out, trailer...)
	binary.BigEndian.PutUint64(out[start+8:], uint64(len(out)-start))
	return out, nil
}

// appendField appends sections 1 to 7 of the first field, and the differing sections of any other.
func (e Encoder) appendField(out []byte, d, before *Draft) ([]byte, error) {
	if d.Edition != 0 && d.Edition != 2 {
		return nil, &BuildError{Msg: fmt.Sprintf("a field of edition %d in a message of edition 2", d.Edition)}
	}
	if d.Discipline < 0 || d.Discipline > math.MaxUint8 {
		return nil, &BuildError{Msg: fmt.Sprintf("discipline %d, expected 0 to 255", d.Discipline)}
	}
	for number, s := range map[int][]byte{1: d.Identification, 2: d.Local, 3: d.Grid, 4: d.Product} {
		if number == 2 && s == nil {
			continue
		}
		if len(s) < minLen2[number] || be32(s, 0) != len(s) || int(s[4]) != number {
			return nil, &BuildError{Section: number, Msg: fmt.Sprintf("%d octets that are no section %d", len(s), number)}
		}
	}
	v, err := e.values(d)
	if err != nil {
		return nil, err
	}
	if before == nil {
		out = append(out, d.Identification...)
	}
	sameLocal := before != nil && string(before.Local) == string(d.Local)
	if !sameLocal {
		out = append(out, d.Local...)
	}
	if !sameLocal || string(before.Grid) != string(d.Grid) {
		out = append(out, d.Grid...)
	}
	out = append(out, d.Product...)
	out = append(out, v.section5...)
	out = appendBitmapSection(out, v.points, v.missing, d.Bitmap)
	out = binary.BigEndian.AppendUint32(out, uint32(headerLen2+len(v.data)))
	out = append(out, 7)
	return append(out, v.data...), nil
}

func appendBitmapSection(out []byte, points int, missing *bitmask.Mask, always bool) []byte {
	if missing == nil && !always {
		return append(out, 0, 0, 0, bitmapHead2, 6, 255)
	}
	size := bitmask.Size(points)
	out = binary.BigEndian.AppendUint32(out, uint32(bitmapHead2+size))
	return appendPresence(append(out, 6, bitmapHere), points, missing, size)
}

// encoded is the values of a field, coded.
type encoded struct {
	points         int
	missing        *bitmask.Mask // nil when no point is missing
	section5, data []byte
}

// given returns how many values a field has, and which of them are missing, nil for none.
func (d *Draft) given() (n int, missing *bitmask.Mask, err error) {
	if d.Quantised != nil {
		n, missing = d.Quantised.N, d.Quantised.Missing
	} else {
		n, missing = len(d.Values), missingOf(d.Values, d.Missing)
	}
	if missing != nil && (missing.N != n || len(missing.Bits) < bitmask.Size(n)) {
		return 0, nil, &BuildError{Section: 6, Msg: fmt.Sprintf("a mask of %d points for %d values", missing.N, n)}
	}
	if !missing.Any() {
		missing = nil
	}
	return n, missing, nil
}

// values codes the values of a field.
func (e Encoder) values(d *Draft) (*encoded, error) {
	v := &encoded{points: be32(d.Grid, 6)}
	n, missing, err := d.given()
	if err != nil {
		return nil, err
	}
	if n != v.points {
		return nil, &BuildError{Section: 7, Msg: fmt.Sprintf("%d values for a grid of %d points", n, v.points)}
	}
	v.missing = missing
	if e.Packing == PackIEEE32 || e.Packing == PackIEEE64 {
		return v, e.floats(v, d)
	}
	q := d.Quantised
	if q == nil {
		var err error
		if q, err = e.quantise(d.Values, v.missing, floor32); err != nil {
			return nil, err
		}
	}
	return v, e.integers(v, q)
}

// missingOf returns a mask of missing points, and of NaN.
func missingOf(values []float64, missing *bitmask.Mask) *bitmask.Mask {
	own := false
	for i, x := range values {
		if x == x || missing != nil && i < missing.N && missing.Get(i) {
			continue
		}
		if !own {
			m := bitmask.New(len(values))
			if missing != nil {
				copy(m.Bits, missing.Bits)
			}
			missing, own = m, true
		}
		missing.Set(i)
	}
	return missing
}
