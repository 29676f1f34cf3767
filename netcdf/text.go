package netcdf

import (
	"context"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Text reports whether an element is text, or a character of it.
func (t *Type) Text() bool { return t.Class == Char || t.Class == String }

// Encoding returns the name of the character set of a text variable in lower case. It is the
// attribute _Encoding of char variables, else the character set of the type. It is "" when the
// file does not say it.
func (v *Var) Encoding() string {
	if a := v.Attr("_Encoding"); a != nil {
		if s, ok := a.Value.(string); ok {
			return strings.ToLower(s)
		}
	}
	switch {
	case v.Type.Class != String:
		return ""
	case v.Type.UTF8:
		return "utf-8"
	}
	return "ascii"
}

// ReadStrings returns the text of a String or Char variable in C order; start and count are as in
// Read. The last axis of a Char variable is the length of the strings, so that each row is one
// string. A string ends at the first zero byte; a string that was never written is empty.
func (v *Var) ReadStrings(ctx context.Context, start, count []uint64) ([]string, error) {
	t, err := v.ReadTexts(ctx, start, count)
	if err != nil {
		return nil, err
	}
	return t.Strings(), nil
}

// ReadChars returns the text of a String or Char variable as bytes in C order. Each string has
// width bytes, with zero bytes after shorter strings. The width is the length of the last axis of a
// Char variable, the length of text of fixed length, or the length of the longest string of the
// box; at least 1.
func (v *Var) ReadChars(ctx context.Context, start, count []uint64) (chars []byte, width int, err error) {
	t, err := v.ReadTexts(ctx, start, count)
	if err != nil {
		return nil, 0, err
	}
	return t.Chars()
}

// Texts is the text of a String or Char variable.
type Texts struct {
	v     *Var
	raw   [][]byte
	width int // that the file gives all of them, or 0
}

// ReadTexts reads the text of a String or Char variable, as ReadStrings and ReadChars do.
func (v *Var) ReadTexts(ctx context.Context, start, count []uint64) (*Texts, error) {
	raw, width, err := v.text(ctx, start, count)
	if err != nil {
		return nil, err
	}
	return &Texts{v, raw, width}, nil
}

// Strings returns all texts, as [Var.ReadStrings] reads them.
func (t *Texts) Strings() []string {
	s := make([]string, len(t.raw))
	for i, b := range t.raw {
		s[i] = cutNull(b)
	}
	return s
}

// Chars returns all characters, as [Var.ReadChars] reads them.
func (t *Texts) Chars() (chars []byte, width int, err error) {
	if width = t.width; width == 0 {
		width = 1
		for _, b := range t.raw {
			width = max(width, len(b))
		}
	}
	size, ok := wire.Mul(uint64(width), uint64(len(t.raw)))
	if !ok || size > maxTextBytes {
		return nil, 0, t.v.wrap(wire.Unsupported("elements", -1, "%d strings of up to %d bytes at once", len(t.raw), width))
	}
	chars = make([]byte, size)
	for i, b := range t.raw {
		copy(chars[i*width:], b)
	}
	return chars, width, nil
}

// Null reports whether string i is a null pointer in the file. Such a string is printed as NIL by
// ncdump, and read as an empty text.
func (t *Texts) Null(i int) bool { return t.raw[i] == nil }

// maxTextBytes bounds the result of ReadChars: one long string among many short ones.
const maxTextBytes = 1 << 30

// text returns the bytes of each string, and their common length in the file, or 0.
func (v *Var) text(ctx context.Context, start, count []uint64) ([][]byte, int, error) {
	switch v.Type.Class {
	case String:
		raw, err := v.readVlen(ctx, start, count)
		return raw, v.Type.TextBytes, err
	case Char:
		return v.rows(ctx, start, count)
	}
	return nil, 0, v.wrap(wire.Unsupported("elements", -1, "reading type %s as text", v.Type.Describe()))
}

// rows returns the rows of a Char variable.
func (v *Var) rows(ctx context.Context, start, count []uint64) ([][]byte, int, error) {
	if err := v.CheckRead(start, count); err != nil {
		return nil, 0, err
	}
	start, count, n, err := v.slab(start, count)
	if err != nil {
		return nil, 0, err
	}
	raw := make([]byte, n)
	if err := v.Read(ctx, raw, start, count); err != nil {
		return nil, 0, err
	}
	width := 1
	if len(count) > 0 {
		width = int(count[len(count)-1])
	}
	if width == 0 {
		return nil, 0, nil
	}
	list := make([][]byte, len(raw)/width)
	for i := range list {
		list[i] = raw[i*width:][:width:width]
	}
	return list, width, nil
}
