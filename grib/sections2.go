package grib

import (
	"encoding/binary"
	"fmt"
)

// The shortest each section of edition 2 can be so that its fixed part is whole.
var minLen2 = [8]int{1: 21, 2: headerLen2, 3: 14, 4: 9, 5: 11, 6: 6, 7: headerLen2}

// parse2 splits an edition 2 message into fields. Sections 2 to 7 may repeat, a repeated section replaces the one before for
// the fields that follow, and every section 7 ends a field (Manual on Codes, regulation 92.1.4).
func (m *Message) parse2(opts Options) error {
	length, err := length2(m.Data, m.Offset)
	if err != nil {
		return err
	}
	if length > int64(len(m.Data)) {
		return &FormatError{Offset: m.Offset, Section: 0, Msg: fmt.Sprintf("message of %d bytes is cut off after %d", length, len(m.Data))}
	}
	m.Data = m.Data[:length:length]
	if string(m.Data[length-4:]) != trailer {
		return &FormatError{Offset: m.Offset + length - 4, Section: 8, Msg: fmt.Sprintf(`found %q, expected "7777"`, m.Data[length-4:])}
	}
	w := walker2{m: m, maxPoints: opts.maxPoints(), pos: indicatorLen2, end: int(length) - 4}
	w.current[0] = Section{0, m.Offset, m.Data[:indicatorLen2:indicatorLen2]}
	for w.pos < w.end {
		if err := w.section(); err != nil {
			return err
		}
	}
	if w.last != 7 {
		return &FormatError{Offset: m.Offset + int64(w.end), Section: -1, Msg: fmt.Sprintf("message ends after section %d, expected section 7", w.last)}
	}
	return nil
}

// length2 returns the total length that section 0 of an edition 2 message claims.
func length2(b []byte, offset int64) (int64, error) {
	if len(b) < indicatorLen2 {
		return 0, &FormatError{Offset: offset, Section: 0, Msg: fmt.Sprintf("cut off after %d bytes, expected %d", len(b), indicatorLen2)}
	}
	n := binary.BigEndian.Uint64(b[8:])
	if n < indicatorLen2+uint64(minLen2[1])+4 || n > 1<<62 {
		return 0, &FormatError{Offset: offset, Section: 0, Msg: fmt.Sprintf("impossible message length %d", n)}
	}
	return int64(n), nil
}

// walker2 goes through the sections of one message.
type walker2 struct {
	m         *Message
	maxPoints int
	pos, end  int
	last      int // number of the section before pos
	current   [9]Section
	bitmap    Section // the last section 6 that holds a bitmap
}

func (w *walker2) section() error {
	off := w.m.Offset + int64(w.pos)
	rest := w.m.Data[w.pos:w.end]
	if len(rest) < headerLen2 {
		return &FormatError{Offset: off, Section: -1, Msg: fmt.Sprintf("%d stray bytes before section 8", len(rest))}
	}
	n, num := be32(rest, 0), int(rest[4])
	if num < 1 || num > 7 {
		return &FormatError{Offset: off, Section: -1, Msg: fmt.Sprintf("found section number %d, expected 1 to 7", num)}
	}
	if n < minLen2[num] || n > len(rest) {
		return &FormatError{Offset: off, Section: num, Msg: fmt.Sprintf("length %d, expected %d to %d", n, minLen2[num], len(rest))}
	}
	if !follows(num, w.last) {
		return &FormatError{Offset: off, Section: num, Msg: fmt.Sprintf("comes after section %d", w.last)}
	}
	w.current[num] = Section{num, off, rest[:n:n]}
	switch num {
	case 2, 3:
		if num == 2 || w.last == 7 {
			w.bitmap = Section{} // a new grid: a bitmap of the old one does not fit
		}
	case 6:
		if rest[5] == bitmapHere {
			w.bitmap = w.current[6]
		}
	case 7:
		w.finish()
	}
	w.last = num
	w.pos += n
	return nil
}

// follows says whether section num may come after section last: ascending with only section 2 optional, and after a section 7 back to 2, 3 or 4.
func follows(num, last int) bool {
	switch num {
	case 2:
		return last == 1 || last == 7
	case 3:
		return last == 1 || last == 2 || last == 7
	case 4:
		return last == 3 || last == 7
	}
	return num == last+1
}

// finish makes a field of the sections in force.
func (w *walker2) finish() {
	f := &Field{Edition: 2, Message: w.m, Index: len(w.m.fields), sections: w.current, bitmap: w.current[6], maxPoints: w.maxPoints}
	if w.current[6].Data[5] == bitmapBefore {
		f.bitmap = w.bitmap
	}
	w.m.fields = append(w.m.fields, f)
}

// assemble builds an edition 2 message of one field, with the bitmap that an indicator 254 refers to in its place.
func (f *Field) assemble() []byte {
	sections := f.sections
	if f.bitmap.Data != nil {
		sections[6] = f.bitmap
	}
	n := len(trailer)
	for _, s := range sections {
		n += len(s.Data)
	}
	out := make([]byte, 0, n)
	for _, s := range sections {
		out = append(out, s.Data...)
	}
	out = append(out, trailer...)
	binary.BigEndian.PutUint64(out[8:], uint64(n))
	return out
}
