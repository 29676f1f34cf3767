// Package screen shows pictures in terminals, as half blocks: two coloured pixels a character.
//
// Most callers call [Detect] to find which colours the terminal has, and then [Show].
package screen

import (
	"fmt"
	"image"
	"io"
	"strings"
)

// A Protocol is a way to show pictures.
type Protocol string

// The protocols.
const (
	Blocks Protocol = "blocks" // half blocks in 24-bit colours
	Few    Protocol = "256"    // half blocks in the 256 colours of xterm
	ASCII  Protocol = "ascii"  // characters from light to dark
)

// Protocols returns the names of the protocols, the best first.
func Protocols() []string {
	return []string{string(Blocks), string(Few), string(ASCII)}
}

// Detect returns the best protocol that the terminal supports, judged by environment variables,
// which getenv returns.
func Detect(getenv func(string) string) Protocol {
	term, colours := getenv("TERM"), getenv("COLORTERM")
	switch {
	case getenv("NO_COLOR") != "", term == "dumb":
		return ASCII
	case colours == "truecolor", colours == "24bit", strings.HasSuffix(term, "-direct"), strings.Contains(term, "kitty"), getenv("WT_SESSION") != "":
		return Blocks
	}
	return Few
}

// Size returns the size in pixels of a picture that fills the columns and most of the rows of a
// terminal.
func (p Protocol) Size(columns, rows int) (width, height int) {
	columns, rows = max(columns, 20), max(rows-4, 8)
	if p == ASCII {
		return columns, rows
	}
	return columns, 2 * rows
}

// Show writes a picture to a terminal.
func Show(w io.Writer, p Protocol, img *image.RGBA) error {
	switch p {
	case Blocks:
		return blocks(w, img, trueColour)
	case Few:
		return blocks(w, img, xtermColour)
	case ASCII:
		return ascii(w, img)
	}
	return fmt.Errorf("screen: protocol %q is not known, expected one of %s", p, strings.Join(Protocols(), ", "))
}
