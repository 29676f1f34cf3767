package grib

import (
	"encoding/binary"
	"fmt"
)

// The shortest length of each section of edition 2 with a whole fixed part.
var minLen2 = [8]int{1: 21, 2: headerLen2, 3: 14, 4: 9, 5: 11, 6: 6, 7: headerLen2}

// parse2 splits an edition 2 message into fields. Sections 2 to 7 may repeat, a repeated section
// replaces the earlier section for the fields that follow, and every section 7 ends a field
// (Manual on Codes, regulation 92.1.4).
func (m *Message) parse2(limits Limits) error {
	length, err := length2(m.Data, m.Offset)
	if err != nil {
		return err
	}
	if length > int64(len(m.Data)) {
		return &FormatError{Offset: m.Offset, Section: 0, Msg: fmt.Sprintf("message of %d bytes is cut off after %d", length, len(m.Data))}
	}
	m.Data = m.Data[:length:length]
	if end := m.Data[length-4:]; string(end) != trailer {
		return noTrailer(m.Offset, length, end)
	}
	return m.walk2(m.inMemory, length, limits)
}

// inMemory is the peeker of a message that is all there.
func (m *Message) inMemory(off int64, n int) ([]byte, error) {
	if off >= int64(len(m.Data)) {
		return nil, nil
	}
	b := m.Data[off:]
	n = min(n, len(b))
	return b[:n:n], nil
}

// walk2 finds the sections of an edition 2 message of length bytes through peek, whose slices it
// keeps.
func (m *Message) walk2(peek peeker, length int64, limits Limits) error {
	w := walker2{m: m, peek: peek, maxPoints: limits.maxPoints(), maxArray: limits.maxArray(), pos: indicatorLen2, end: length - int64(len(trailer))}
	indicator, err := peek(0, indicatorLen2)
	if err != nil {
		return err
	}
	w.current[0] = Section{0, m.Offset, indicator}
	for w.pos < w.end {
		if err := w.section(); err != nil {
			return err
		}
	}
	if w.last != 7 {
		return &FormatError{Offset: m.Offset + w.end, Section: -1, Msg: fmt.Sprintf("message ends after section %d, expected section 7", w.last)}
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
	peek      peeker
	maxPoints int
	maxArray  int64
	pos, end  int64
	last      int // number of the section before pos
	current   [9]Section
	bitmap    Section // the last section 6 that holds a bitmap
	bitmaps   int     // how many sections 6 there were
	own       uint8   // bits of the sections since the last section 7
}

func (w *walker2) section() error {
	off, left := w.m.Offset+w.pos, w.end-w.pos
	if left < headerLen2 {
		return &FormatError{Offset: off, Section: -1, Msg: fmt.Sprintf("%d stray bytes before section 8", left)}
	}
	head, err := w.peek(w.pos, headerLen2)
	if err != nil {
		return err
	}
	n, num := be32(head, 0), int(head[4])
	if num < 1 || num > 7 {
		return &FormatError{Offset: off, Section: -1, Msg: fmt.Sprintf("found section number %d, expected 1 to 7", num)}
	}
	if n < minLen2[num] || int64(n) > left {
		return &FormatError{Offset: off, Section: num, Msg: fmt.Sprintf("length %d, expected %d to %d", n, minLen2[num], left)}
	}
	if !follows(num, w.last) {
		return &FormatError{Offset: off, Section: num, Msg: fmt.Sprintf("comes after section %d", w.last)}
	}
	data := head
	if num != 7 || !w.m.Partial {
		if data, err = w.peek(w.pos, n); err != nil {
			return err
		}
	}
	w.current[num] = Section{num, off, data}
	w.own |= 1 << num
	switch num {
	case 2, 3:
		if num == 2 || w.last == 7 {
			w.bitmap = Section{} // a new grid, which the old grid's bitmap does not fit
		}
	case 6:
		w.bitmaps++
		if data[5] == bitmapHere {
			w.bitmap = w.current[6]
		}
	case 7:
		w.finish()
	}
	w.last = num
	w.pos += int64(n)
	return nil
}

// follows reports whether section num may come after section last. They ascend with only section
// 2 optional, and after a section 7 go back to 2, 3 or 4.
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
	f := &Field{Edition: 2, Message: w.m, Index: len(w.m.fields), sections: w.current, bitmap: w.current[6], maxPoints: w.maxPoints, maxArray: w.maxArray}
	if w.current[6].Data[5] == bitmapBefore {
		f.bitmap = w.bitmap
		f.orphaned = w.bitmaps == 1
	}
	if f.Index > 0 {
		f.own = w.own
	}
	w.own = 0
	w.m.fields = append(w.m.fields, f)
}

// assemble builds an edition 2 message of one field. An indicator 254 is replaced by the bitmap
// that it refers to. Without the data it has no end either, and keeps the length of the message.
func (f *Field) assemble() []byte {
	sections := f.sections
	if f.Edition == 2 && f.bitmap.Data != nil {
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
	if f.Message.Partial {
		return out
	}
	out = append(out, trailer...)
	binary.BigEndian.PutUint64(out[8:], uint64(n))
	return out
}
