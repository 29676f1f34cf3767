package grib

import "encoding/binary"

// Accessors of the sections for other packages, without counting octets.

// Centre returns the originating centre (common code table C-11; edition 1: table 0).
func (f *Field) Centre() int {
	if f.Edition == 2 {
		return be16(f.sections[1].Data, 5)
	}
	return int(f.sections[1].Data[centre1])
}

// Data returns the section that holds the values. It is 7 in edition 2; 4 in edition 1, which
// describes them as well.
func (f *Field) Data() []byte {
	if f.Edition == 2 {
		return f.Section(7)
	}
	return f.Section(4)
}

// GridSection returns the section that defines the grid, nil when there is none. It is 3 in
// edition 2 and 2 in edition 1.
func (f *Field) GridSection() []byte {
	if f.Edition == 2 {
		return f.sections[3].Data
	}
	return f.sections[2].Data
}

// Parameter returns the numbers that name the quantity. They are discipline, category and number
// in edition 2, table version and indicator in edition 1.
func (f *Field) Parameter() []int {
	if f.Edition == 1 {
		b := f.sections[1].Data
		return []int{int(b[3]), int(b[8])}
	}
	p := []int{int(f.sections[0].Data[6])}
	if b := f.sections[4].Data; len(b) > 10 {
		p = append(p, int(b[9]), int(b[10]))
	}
	return p
}

// SingleFloats reports whether the values are IEEE floats of 32 bits (edition 2, template 5.4 with
// precision 1).
func (f *Field) SingleFloats() bool {
	if f.Edition != 2 || f.DataTemplate() != 4 {
		return false
	}
	b := f.sections[5].Data
	return len(b) > 11 && b[11] == 1
}

// WithoutData returns a message of this field alone without its values. The data section of edition
// 2 is empty, in edition 1 it ends after the description of the values. The section is there
// because some keys exist only with it.
func (f *Field) WithoutData() []byte {
	sections := f.sections
	if f.Edition == 2 && f.bitmap.Data != nil {
		sections[6] = f.bitmap
	}
	var out []byte
	for _, s := range sections {
		b := s.Data
		switch {
		case f.Edition == 2 && s.Number == 7:
			out = append(out, 0, 0, 0, headerLen2, 7)
			continue
		case f.Edition == 1 && s.Number == 4:
			b = b[:min(len(b), partialData1)]
		}
		at := len(out)
		out = append(out, b...)
		if f.Edition == 1 && s.Number == 4 {
			put24(out[at:], len(b))
		}
	}
	out = append(out, trailer...)
	if f.Edition == 2 {
		binary.BigEndian.PutUint64(out[8:], uint64(len(out)))
	} else {
		put24(out[4:], len(out))
	}
	return out
}

func put24(b []byte, n int) { b[0], b[1], b[2] = byte(n>>16), byte(n>>8), byte(n) }
