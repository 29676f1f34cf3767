package grib

import "github.com/tgmconv/tgmconv/internal/codec/bitmask"

// A Field is one set of values with the sections that describe it. A Field may be used by several
// goroutines at once.
type Field struct {
	Edition int
	Message *Message // the message it is part of
	Index   int      // position among the fields of the message, from 0

	sections  [9]Section // by number; Data is nil when absent
	bitmap    Section    // edition 2: the section 6 that indicator 254 refers to, else section 6 itself
	orphaned  bool       // edition 2: indicator 254 in the first section 6 of the message
	own       uint8      // edition 2: bit n is set when section n stands between the field before and this field
	maxPoints int
	maxArray  int64

	dataLength int64 // of section 4 of a Partial edition 1 message
}

// Offset returns where the field's message begins in the input.
func (f *Field) Offset() int64 { return f.Message.Offset }

// Section returns the bytes of section n, header included, nil when the field has none. In a
// message of several fields it is the section in force for this field, repeated or not.
func (f *Field) Section(n int) []byte {
	if n < 0 || n >= len(f.sections) {
		return nil
	}
	return f.sections[n].Data
}

// Sections returns the sections in force for this field, in order.
func (f *Field) Sections() []Section {
	s := make([]Section, 0, len(f.sections))
	for _, x := range f.sections {
		if x.Data != nil {
			s = append(s, x)
		}
	}
	return s
}

// GridTemplate returns the grid definition template number of edition 2 (3.x). In edition 1 it
// is the data representation type (section 2, octet 6), and -1 when the message has no grid
// definition.
func (f *Field) GridTemplate() int {
	if f.Edition == 2 {
		return be16(f.sections[3].Data, 12)
	}
	if g := f.sections[2].Data; g != nil {
		return int(g[5])
	}
	return -1
}

// ProductTemplate returns the product definition template number (4.x) of edition 2, -1 in edition
// 1.
func (f *Field) ProductTemplate() int {
	if f.Edition == 2 {
		return be16(f.sections[4].Data, 7)
	}
	return -1
}

// DataTemplate returns the data representation template number (5.x) of edition 2. For edition 1
// it returns the four flag bits of section 4, octet 4 (8 spectral, 4 complex or second order, 2
// integers, 1 further flags in octet 14).
func (f *Field) DataTemplate() int {
	if f.Edition == 2 {
		return be16(f.sections[5].Data, 9)
	}
	return int(f.sections[4].Data[3] >> 4)
}

// NumberOfDataPoints returns how many values Decode gives, missing values included. It is
// the message's claim, not yet checked against the data.
func (f *Field) NumberOfDataPoints() (int, error) { return f.points() }

// Bytes returns a message of this field alone, as ecCodes sees it. It is the message's own bytes
// when it has one field, else a message put together from the sections in force. For a Partial
// message it returns the bytes that were read, up to the beginning of the data.
func (f *Field) Bytes() []byte {
	if len(f.Message.fields) == 1 && !f.Message.Partial {
		return f.Message.Data
	}
	return f.assemble()
}

// A Mask marks points of a field. Its methods are Get, Count and Any; a nil *Mask marks none.
type Mask = bitmask.Mask

// Decode returns the values in the order they are stored, appended to dst[:0] when dst has room.
// The scanning mode is not undone. Missing points are NaN, and set in missing, which is nil when
// no point is missing. Spectral fields give real and imaginary parts in turn, see Field.Spectral.
func (f *Field) Decode(dst []float64) (values []float64, missing *Mask, err error) {
	return decode(f, dst, coded.decode)
}

// Quantised returns the integers the values are stored as, without a float in between, or
// ErrNotQuantised.
func (f *Field) Quantised() (*Quantised, error) { return f.quantised(true) }

// Integers is Quantised with the integers unpacked: they are in Samples, never in Packed or AEC.
func (f *Field) Integers() (*Quantised, error) { return f.quantised(false) }
