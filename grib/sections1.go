package grib

import "fmt"

// Layout constants of edition 1.
const (
	indicatorLen1  = 8  // "GRIB", length uint24, edition
	productLen1    = 28 // the fixed part of section 1
	gridLen1       = 6  // section 2 up to the data representation type
	bitmapLen1     = 6  // section 3 up to the bitmap
	dataLen1       = 11 // section 4 up to the bits per value
	largeFlag1     = 1 << 23
	largeUnit1     = 120
	hasGridFlag1   = 0x80
	hasBitmapFlag1 = 0x40

	partialData1 = 64 // of section 4 in a message without its data: the description of the data
)

// layout1 is where the sections of an edition 1 message lie, relative to its first byte.
type layout1 struct {
	length     int64 // of the message
	next       int64 // where the section after the last found section begins
	start, end [5]int64
}

// A peeker gives n bytes of a message from off on, fewer when the input ends there.
type peeker func(off int64, n int) ([]byte, error)

// walk1 finds the sections of an edition 1 message, reading their headers only.
//
// The 24 bits of the length count to 16 MB. ECMWF writes larger messages by a convention of its
// own: with the top bit set and a section 4 whose length is below 120, the other 23 bits count
// units of 120 bytes, and section 4's "length" is by how much the message is shorter, plus 4.
// Section 4 then reaches to the trailer.
func walk1(peek peeker, offset int64) (l layout1, err error) {
	b, err := peek(0, indicatorLen1)
	if err != nil {
		return l, err
	}
	if len(b) < indicatorLen1 {
		return l, &FormatError{Offset: offset, Section: 0, Msg: fmt.Sprintf("cut off after %d bytes, expected %d", len(b), indicatorLen1)}
	}
	coded := int64(be24(b, 4))
	l.length, l.next, l.end[0] = coded, indicatorLen1, indicatorLen1
	product, err := l.add(peek, 1, productLen1, offset)
	if err != nil {
		return l, err
	}
	flags := product[7]
	if flags&hasGridFlag1 != 0 {
		if _, err = l.add(peek, 2, gridLen1, offset); err != nil {
			return l, err
		}
	}
	if flags&hasBitmapFlag1 != 0 {
		if _, err = l.add(peek, 3, bitmapLen1, offset); err != nil {
			return l, err
		}
	}
	return l, l.data(peek, coded, offset)
}

// add places section num after the last found section and returns the first min bytes of it.
func (l *layout1) add(peek peeker, num, min int, offset int64) ([]byte, error) {
	at := l.next
	b, err := peek(at, min)
	if err != nil {
		return nil, err
	}
	if len(b) < min {
		return nil, &FormatError{Offset: offset + at, Section: num, Msg: fmt.Sprintf("cut off after %d bytes, expected %d", len(b), min)}
	}
	n := int64(be24(b, 0))
	if n < int64(min) {
		return nil, &FormatError{Offset: offset + at, Section: num, Msg: fmt.Sprintf("length %d, expected at least %d", n, min)}
	}
	l.start[num], l.end[num], l.next = at, at+n, at+n
	return b, nil
}

// data places section 4, undoing the convention for large messages.
func (l *layout1) data(peek peeker, coded, offset int64) error {
	at := l.next
	b, err := peek(at, 3)
	if err != nil {
		return err
	}
	if len(b) < 3 {
		return &FormatError{Offset: offset + at, Section: 4, Msg: fmt.Sprintf("cut off after %d bytes, expected %d", len(b), dataLen1)}
	}
	n := int64(be24(b, 0))
	if coded&largeFlag1 != 0 && n < largeUnit1 {
		l.length = (coded&^largeFlag1)*largeUnit1 - n + 4
		n = l.length - at - int64(len(trailer))
	}
	if n < dataLen1 || at+n+int64(len(trailer)) > l.length {
		return &FormatError{Offset: offset + at, Section: 4, Msg: fmt.Sprintf("length %d, expected %d to %d", n, dataLen1, l.length-at-int64(len(trailer)))}
	}
	l.start[4], l.end[4] = at, at+n
	return nil
}

// parse1 splits an edition 1 message into its sections.
func (m *Message) parse1(limits Limits) error {
	l, err := walk1(m.inMemory, m.Offset)
	if err != nil {
		return err
	}
	if l.length > int64(len(m.Data)) {
		return &FormatError{Offset: m.Offset, Section: 0, Msg: fmt.Sprintf("message of %d bytes is cut off after %d", l.length, len(m.Data))}
	}
	m.Data = m.Data[:l.length:l.length]
	if end := m.Data[l.length-4:]; string(end) != trailer {
		return noTrailer(m.Offset, l.length, end)
	}
	return m.field1(m.inMemory, l, limits)
}

// field1 makes the field of an edition 1 message with that layout.
func (m *Message) field1(peek peeker, l layout1, limits Limits) error {
	f := &Field{Edition: 1, Message: m, maxPoints: limits.maxPoints(), maxArray: limits.maxArray()}
	for num := range 5 {
		start, n := l.start[num], l.end[num]-l.start[num]
		if n == 0 {
			continue
		}
		if num == 4 && m.Partial {
			f.dataLength = int64(n)
			n = min(n, partialData1)
		}
		data, err := peek(start, int(n))
		if err != nil {
			return err
		}
		f.sections[num] = Section{num, m.Offset + start, data}
	}
	f.bitmap = f.sections[3]
	m.fields = []*Field{f}
	return nil
}
