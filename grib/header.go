package grib

import (
	"fmt"
)

// A Header is a field without its bitmap and its values, as octets: with these Rebuild makes the
// message again. It is made to be stored; its methods read it.
//
//	edition 1   sections 0, 1 [2]  first 6 octets of [3]  first 11 octets of 4 (12 of IEEE floats,
//	            15 or 18 of spectral packing)
//	edition 2   sections 0, 1 [2] 3, 4, 5  first 6 octets of 6  first 5 octets of 7  own
//
// own is one octet, 0 in the first field of a message. In the others bit n is set if the message
// has a section n between the field before and this field. A header holds all sections of its
// field in any case, so that the field can be built alone.
type Header []byte

// The octets of sections with data that a Header has.
const (
	bitmapHead1 = bitmapLen1
	bitmapHead2 = 6
	dataHead2   = headerLen2
)

// Header returns the field's header.
func (f *Field) Header() Header {
	var out Header
	for _, s := range f.sections {
		b := s.Data
		switch {
		case f.Edition == 1 && s.Number == 3 && b != nil:
			b = b[:bitmapHead1]
		case f.Edition == 1 && s.Number == 4:
			b = b[:dataHead1(b)]
		case f.Edition == 2 && s.Number == 6:
			b = b[:bitmapHead2]
		case f.Edition == 2 && s.Number == 7:
			b = b[:dataHead2]
		}
		out = append(out, b...)
	}
	if f.Edition == 2 {
		out = append(out, f.own)
	}
	return out
}

// dataHead1 returns how many octets of section 4 of edition 1 lie before the values.
func dataHead1(b []byte) int {
	switch flags := b[3] >> 4; {
	case flags == additional1|integer1 && len(b) > dataLen1:
		return dataLen1 + 1 // the precision of IEEE floats
	case flags&(spectral1|complex1) == spectral1 && len(b) >= spectralData1:
		return spectralSimple1
	case flags&(spectral1|complex1) == spectral1|complex1 && len(b) >= spectralData1:
		return spectralData1
	}
	return dataLen1
}

// Edition returns the GRIB edition, 0 if it is no header.
func (h Header) Edition() int {
	if len(h) < indicatorLen1 || string(h[:4]) != magic {
		return 0
	}
	return int(h[7])
}

// FirstField reports whether the field begins a message: false for the second and following fields
// of a message of several.
func (h Header) FirstField() bool { return h.Edition() != 2 || h[len(h)-1] == 0 }

// Section returns section n, nil when there is none. Of the sections that hold data it has only the
// first octets.
func (h Header) Section(n int) ([]byte, error) {
	s, err := h.sections()
	if err != nil || n < 0 || n >= len(s) {
		return nil, err
	}
	return s[n], nil
}

// sections splits the header.
func (h Header) sections() (s [9][]byte, err error) {
	switch h.Edition() {
	case 1:
		return h.sections1()
	case 2:
		return h.sections2()
	}
	return s, &BuildError{Msg: "not the header of a GRIB field of edition 1 or 2"}
}

// cut takes the n octets of section number from the front of *rest.
func cut(rest *[]byte, number, n, least int) ([]byte, error) {
	if n < least || n > len(*rest) {
		return nil, &BuildError{Section: number, Msg: fmt.Sprintf("the header has %d octets left for a section of %d, expected at least %d", len(*rest), n, least)}
	}
	s := (*rest)[:n:n]
	*rest = (*rest)[n:]
	return s, nil
}

func (h Header) sections1() (s [9][]byte, err error) {
	s[0] = h[:indicatorLen1:indicatorLen1]
	rest := []byte(h[indicatorLen1:])
	whole := func(number, least int) {
		if err == nil && len(rest) < 3 {
			err = &BuildError{Section: number, Msg: "the header ends before it"}
		}
		if err == nil {
			s[number], err = cut(&rest, number, be24(rest, 0), least)
		}
	}
	if whole(1, productLen1); err != nil {
		return s, err
	}
	if s[1][7]&hasGridFlag1 != 0 {
		whole(2, gridLen1)
	}
	if s[1][7]&hasBitmapFlag1 != 0 && err == nil {
		s[3], err = cut(&rest, 3, bitmapHead1, bitmapHead1)
	}
	if err == nil {
		s[4], err = cut(&rest, 4, len(rest), dataLen1)
	}
	if err == nil {
		// The octets that follow in the message decide how many belong to the header.
		if n := dataHead1(append(s[4], 0, 0, 0)); len(s[4]) != n {
			err = &BuildError{Section: 4, Msg: fmt.Sprintf("%d octets, expected %d", len(s[4]), n)}
		}
	}
	return s, err
}

func (h Header) sections2() (s [9][]byte, err error) {
	if len(h) < indicatorLen2 {
		return s, &BuildError{Msg: fmt.Sprintf("%d octets, expected at least %d", len(h), indicatorLen2)}
	}
	s[0] = h[:indicatorLen2:indicatorLen2]
	rest := []byte(h[indicatorLen2:])
	for last := 0; last < 7; {
		if len(rest) < headerLen2 {
			return s, &BuildError{Section: last + 1, Msg: "the header ends before it"}
		}
		number, n := int(rest[4]), be32(rest, 0)
		if number != last+1 && (number != 3 || last != 1) || number > 7 {
			return s, &BuildError{Section: number, Msg: fmt.Sprintf("comes after section %d", last)}
		}
		least := minLen2[number]
		switch number {
		case 6:
			n, least = bitmapHead2, bitmapHead2
		case 7:
			n, least = dataHead2, dataHead2
		}
		if s[number], err = cut(&rest, number, n, least); err != nil {
			return s, err
		}
		last = number
	}
	if len(rest) != 1 {
		return s, &BuildError{Section: 7, Msg: fmt.Sprintf("%d octets after it, expected 1", len(rest))}
	}
	return s, nil
}
