package list

import (
	"fmt"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// columnWidth is the width of all columns, as in grib_ls: the width of the longest title.
func (l *Lister) columnWidth() int {
	width := l.Width
	for _, key := range l.columns {
		width = max(width, len(key.Name))
	}
	return width
}

func (l *Lister) writeHeader() {
	var b []byte
	for _, key := range l.columns {
		b = l.appendCell(b, key.Name, false)
	}
	switch {
	case l.Near != nil:
		b = l.Near.appendTitles(b)
	case l.Indexed:
		b = fmt.Appendf(b, "        value(%d) ", l.Index)
	}
	if len(b) > 0 {
		l.out.Write(append(b, '\n'))
	}
}

// line is a row of the table.
func (l *Lister) line(f fields.Field, near *near) ([]byte, error) {
	b := make([]byte, 0, 160)
	for i, key := range l.columns {
		text, err := l.text(f, key)
		if err != nil {
			return nil, err
		}
		b = l.appendCell(b, text, i == len(l.columns)-1 && near == nil && !l.Indexed)
	}
	switch {
	case near != nil && l.Near.Four:
		for _, v := range near.values {
			b = append(append(b, fields.FormatReal(l.Format, v)...), ' ')
		}
	case near != nil:
		b = l.appendValue(b, near.values[near.chosen])
	}
	if l.Indexed {
		v, err := valueAt(f, l.Index)
		if err != nil {
			return nil, err
		}
		b = l.appendValue(b, v)
	}
	if len(b) == 0 {
		return b, nil
	}
	return append(b, '\n'), nil
}

// appendCell appends a text and the blanks up to the next column; one less after the last one.
func (l *Lister) appendCell(b []byte, text string, last bool) []byte {
	b = append(b, text...)
	n := 1
	if l.Table {
		n = max(2, l.width+2-len(text))
	}
	if last {
		n--
	}
	for ; n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

// appendValue appends a value of the field, after which there are always two blanks.
func (l *Lister) appendValue(b []byte, v float64) []byte {
	b = l.appendCell(b, fields.FormatReal(l.Format, v), false)
	if !l.Table {
		b = append(b, ' ')
	}
	return b
}
