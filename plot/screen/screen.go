// Package screen shows pictures in terminals: with the graphics protocol of kitty, as sixels, or as
// half blocks, two coloured pixels a character.
//
// Most callers call [Detect] to find what the terminal supports, and then [Show].
package screen

import (
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
)

// A Protocol is a way to show pictures.
type Protocol string

// The protocols.
const (
	Kitty  Protocol = "kitty"
	Sixel  Protocol = "sixel"
	Blocks Protocol = "blocks" // half blocks in 24-bit colours
	Few    Protocol = "256"    // half blocks in the 256 colours of xterm
	ASCII  Protocol = "ascii"  // characters from light to dark
)

// Protocols returns the names of the protocols, the best first.
func Protocols() []string {
	return []string{string(Kitty), string(Sixel), string(Blocks), string(Few), string(ASCII)}
}

// Detect returns the best protocol that the terminal supports, judged by environment variables,
// which getenv returns.
func Detect(getenv func(string) string) Protocol {
	term, program := getenv("TERM"), getenv("TERM_PROGRAM")
	colours := getenv("COLORTERM")
	inside := getenv("TMUX") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux")
	switch {
	case getenv("NO_COLOR") != "", term == "dumb":
		return ASCII
	case inside: // multiplexers let no pictures through
	case getenv("KITTY_WINDOW_ID") != "", strings.Contains(term, "kitty"), slices.Contains([]string{"ghostty", "WezTerm"}, program):
		return Kitty
	case strings.Contains(term, "sixel"), strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "mlterm"),
		strings.HasPrefix(term, "contour"), program == "iTerm.app", program == "mintty", getenv("WT_SESSION") != "":
		return Sixel
	}
	if colours == "truecolor" || colours == "24bit" || strings.HasSuffix(term, "-direct") {
		return Blocks
	}
	return Few
}

// Size returns the size in pixels of a picture that fills the columns and most of the rows of a
// terminal.
func (p Protocol) Size(columns, rows int) (width, height int) {
	columns, rows = max(columns, 20), max(rows-4, 8)
	switch p {
	case Kitty, Sixel:
		return 8 * columns, 16 * rows // cells are about this large
	case ASCII:
		return columns, rows
	}
	return columns, 2 * rows
}

// Show writes a picture to a terminal.
func Show(w io.Writer, p Protocol, img *image.RGBA) error {
	switch p {
	case Kitty:
		return kitty(w, img)
	case Sixel:
		return sixel(w, img)
	case Blocks:
		return blocks(w, img, trueColour)
	case Few:
		return blocks(w, img, xtermColour)
	case ASCII:
		return ascii(w, img)
	}
	return fmt.Errorf("screen: protocol %q is not known, expected one of %s", p, strings.Join(Protocols(), ", "))
}
