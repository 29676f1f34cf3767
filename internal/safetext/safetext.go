// Package safetext keeps control characters of file contents away from terminals, which would obey them: they
// can move the cursor, rename the window, or hide earlier text.
//
// Most callers put every text that comes from a file through [Line] before they print it. A [Writer] around
// the terminal catches forgotten texts.
package safetext

import (
	"fmt"
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
// DEL and C1, the separators of lines and paragraphs, and marks, embeddings, overrides and isolates of
// the direction of writing (Unicode annex 9).
func harmful(r rune) bool {
	switch {
	case unicode.IsControl(r):
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// A Writer writes text without control characters other than line feeds and tabs: they become
// U+FFFD.
type Writer struct {
	w      io.Writer
	escape bool
	tail   []byte // the beginning of a character that goes on in the next Write
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// NewEscaper returns a Writer that writes \uXXXX, as JSON has it, in place of U+FFFD: JSON stays the
// same. It leaves bytes that are not UTF-8, and carriage returns, as they are.
func NewEscaper(w io.Writer) *Writer { return &Writer{w: w, escape: true} }

// plain reports whether p has no characters beyond ASCII, and no control characters but line feeds
// and tabs.
func plain(p []byte) bool {
	for _, c := range p {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if len(w.tail) == 0 && plain(p) {
		return w.w.Write(p)
	}
	b := append(w.tail, p...)
	w.tail = nil
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			w.tail = append(w.tail, b...)
			break
		}
		r, n := utf8.DecodeRune(b)
		switch {
		case !harmful(r) || r == '\n' || r == '\t' || w.escape && r == '\r':
			if w.escape {
				out = append(out, b[:n]...) // also bytes that are not UTF-8
			} else {
				out = utf8.AppendRune(out, r)
			}
		case w.escape:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, utf8.RuneError)
		}
		b = b[n:]
	}
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
