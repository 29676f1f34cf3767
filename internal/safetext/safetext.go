// Package safetext keeps control characters of file contents away from terminals, which would obey
// them: they can move the cursor, rename the window, or hide what was printed before.
//
// Most callers put every text that comes from a file through [Line] before they print it. A
// [Writer] around the terminal catches what they forgot.
package safetext

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s on one line and without control characters: each becomes a blank, as do the
// characters that reverse the direction of writing. Bytes that are not UTF-8 become U+FFFD.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if harmful(r) {
			return ' '
		}
		return r
	}, s)
}

// harmful reports whether a terminal does something else than show r: the control characters C0,
// DEL and C1, the separators of lines and paragraphs, and embeddings, overrides and isolates of the
// direction of writing (Unicode annex 9).
func harmful(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// A Writer writes text without control characters other than line feeds and tabs: they become
// U+FFFD.
type Writer struct {
	w    io.Writer
	tail []byte // the beginning of a character that goes on in the next Write
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	b := append(w.tail, p...)
	w.tail = nil
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			w.tail = append(w.tail, b...)
			break
		}
		r, n := utf8.DecodeRune(b)
		if harmful(r) && r != '\n' && r != '\t' {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
