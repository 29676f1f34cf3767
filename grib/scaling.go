package grib

import (
	"encoding/binary"
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// Scaling returns the scale factors, the reference value and the width of the integers, without the
// integers. It does so for packings that store integers with one scale and offset: simple, CCSDS,
// complex, second order, JPEG 2000 and PNG packing. The result is false for other packings.
func (h Header) Scaling() (*Quantised, bool) {
	s, err := h.sections()
	if err != nil {
		return nil, false
	}
	if h.Edition() == 1 {
		b := s[4]
		flags := b[3] >> 4
		if flags&spectral1 != 0 || flags&additional1 != 0 && flags&complex1 == 0 || sm16(b, 4) == noData1 {
			return nil, false
		}
		bits := int(b[10])
		if flags&complex1 != 0 {
			bits = groupBits(bits)
		}
		return &Quantised{Reference: scale.IBM32(b[6:]), BinaryScale: sm16(b, 4), DecimalScale: sm16(s[1], decimalScale1), Bits: bits}, true
	}
	b := s[5]
	switch template := be16(b, 9); template {
	case 0, 2, 3, 40, 41, 42, 40000, 40010, 50001, 50002:
		if len(b) >= 20 {
			bits := int(b[19])
			if template == 2 || template == 3 || template > 50000 {
				bits = groupBits(bits)
			}
			return &Quantised{Reference: scale.IEEE32(b[11:]), BinaryScale: sm16(b, 15), DecimalScale: sm16(b, 17), Bits: bits}, true
		}
	}
	return nil, false
}

// groupBits returns the width of the integers of a packing in groups, given the bits of a group
// reference. The reference of a single group may have 0 bits, whatever the width of its values; the
// width is then taken as 32.
func groupBits(bits int) int {
	if bits == 0 {
		return 32
	}
	return bits
}

// Value returns the value of an integer.
func (q *Quantised) Value(integer float64) float64 {
	if q.Bits == 0 {
		return q.Reference
	}
	return scale.New(q.Reference, q.BinaryScale, q.DecimalScale).Value(integer)
}

// Values returns the values of integers that are in Samples, NaN where missing.
func (q *Quantised) Values() []float64 {
	out := make([]float64, q.N)
	if q.Samples == nil {
		fill(out, q.Reference)
	} else {
		scale.New(q.Reference, q.BinaryScale, q.DecimalScale).Uint32s(out, q.Samples)
	}
	erase(out, q.Missing)
	return out
}

// DataTemplate returns the data representation template number (5.x) of edition 2, -1 for edition
// 1.
func (h Header) DataTemplate() int {
	s, err := h.sections()
	if err != nil || h.Edition() != 2 {
		return -1
	}
	return be16(s[5], 9)
}

// Differences returns the order of spatial differences of complex packing in edition 2, 0 without them; -1 for another
// packing.
func (h Header) Differences() int {
	switch section, _ := h.Section(5); h.DataTemplate() {
	case 2:
		return 0
	case 3:
		if len(section) > 47 {
			return int(section[47]) // octet 48
		}
	}
	return -1
}

// OfIntegers reports whether the values were integers before they were packed (code table 5.1).
// Only some templates of edition 2 say so, in octet 21 of section 5.
func (h Header) OfIntegers() bool {
	switch h.DataTemplate() {
	case 0, 2, 3, 40, 41, 42:
		section, _ := h.Section(5)
		return len(section) > 20 && section[20] == 1
	}
	return false
}

// Floats returns the bits of IEEE floats that values are stored as, 0 for another packing.
func (h Header) Floats() int {
	s, err := h.sections()
	if err != nil {
		return 0
	}
	c, err := newCoding(s, h.Edition())
	if err != nil || c.precision > 2 {
		return 0
	}
	return 32 * c.precision
}

// HasBitmap reports whether a bitmap says which points have a value.
func (h Header) HasBitmap() bool {
	s, err := h.sections()
	switch {
	case err != nil:
		return false
	case h.Edition() == 1:
		return s[3] != nil
	}
	return s[6][5] == bitmapHere || s[6][5] == bitmapBefore
}

// Message returns a message of the sections without bitmap and values, from which keys can be read.
// Octets are at the same offsets in it and in the header.
func (h Header) Message() ([]byte, error) {
	s, err := h.sections()
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(h)+len(trailer))
	for number, b := range s {
		at := len(out)
		out = append(out, b...)
		switch {
		case h.Edition() == 1 && (number == 3 || number == 4) && b != nil:
			put24(out[at:], len(b))
		case h.Edition() == 2 && number == 6:
			out[at+5] = noBitmap
			fallthrough
		case h.Edition() == 2 && number == 7:
			binary.BigEndian.PutUint32(out[at:], uint32(len(b)))
		}
	}
	out = append(out, trailer...)
	if h.Edition() == 1 {
		put24(out[4:], len(out))
	} else {
		binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
	}
	return out, nil
}

// Follows reports whether a field with this header can come after the field of before in one
// message. Sections that it does not repeat must be in force after it. Whether a bitmap that it
// refers to fits its points is not checked.
func (h Header) Follows(before Header) bool {
	s, err := h.sections()
	if err != nil || h.FirstField() {
		return false
	}
	b, err := before.sections()
	if err != nil || before.Edition() != 2 {
		return false
	}
	own := h[len(h)-1]
	for number := range 6 {
		if own&(1<<number) == 0 && string(s[number]) != string(b[number]) {
			return false
		}
	}
	return true
}

// RefersToBitmap reports whether the field uses the bitmap of a field before it in the
// message.
func (h Header) RefersToBitmap() bool {
	s, err := h.sections()
	return err == nil && h.Edition() == 2 && s[6][5] == bitmapBefore
}

// Repacked returns the header of a message of edition 2 with one field. It was written from the
// [Header.Draft] of h. The result has the place of h in a message of several fields.
func (h Header) Repacked(message []byte) (Header, error) {
	m, err := ParseMessage(message, 0)
	if err != nil {
		return nil, err
	}
	fields := m.Fields()
	if h.Edition() != 2 || m.Edition != 2 || len(fields) != 1 {
		return nil, &BuildError{Msg: fmt.Sprintf("a message of edition %d with %d fields, expected one field of edition 2", m.Edition, len(fields))}
	}
	out := fields[0].Header()
	copy(out, h[:indicatorLen2])
	out[len(out)-1] = h[len(h)-1]
	return out, nil
}

// WithSectionsOf returns the header with the sections of a message that Message returned and in
// which keys were set. The sections of bitmap and values are not taken. The error is a
// *BuildError.
func (h Header) WithSectionsOf(message []byte) (Header, error) {
	s, err := h.sections()
	if err != nil {
		return nil, err
	}
	last, own := 5, 8 // octets of section 0 that are copied: all but the length
	if h.Edition() == 1 {
		last, own = 2, 4
	}
	n := 0
	for _, b := range s[:last+1] {
		n += len(b)
	}
	if n > len(message) || string(message[:own]) != string(h[:own]) && message[7] != h[7] {
		return nil, &BuildError{Msg: fmt.Sprintf("a message of %d octets for a header of %d", len(message), n)}
	}
	out := append(Header(nil), h...)
	copy(out[:own], message)
	copy(out[len(s[0]):n], message[len(s[0]):n])
	_, err = out.sections()
	return out, err
}

// Centre returns the originating centre.
func (h Header) Centre() int {
	s, err := h.sections()
	switch {
	case err != nil:
		return -1
	case h.Edition() == 1:
		return int(s[1][centre1])
	}
	return be16(s[1], 5)
}

// GridSection returns the section that defines the grid, nil when there is none. It is 3 in
// edition 2 and 2 in edition 1.
func (h Header) GridSection() []byte {
	s, err := h.sections()
	if err != nil {
		return nil
	}
	if h.Edition() == 1 {
		return s[2]
	}
	return s[3]
}

// UVRelativeToGrid reports whether the components of vectors lie along the rows and columns of the grid, as bit 5 of
// the resolution and component flags says (flag table 3.3); in place of to the east and north.
func (h Header) UVRelativeToGrid() bool {
	section, octet := h.GridSection(), 17
	if h.Edition() == 2 && len(section) >= 14 {
		switch template := be16(section, 12); {
		case template < 4, template >= 40 && template < 44, template == 140, template >= 32768:
			octet = 55
		default:
			octet = 47
		}
	}
	return len(section) >= octet && section[octet-1]&0x08 != 0
}
