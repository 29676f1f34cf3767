package main

import (
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tgmconv/tgmconv/internal/safetext"
)

// A safeOutput is a terminal, or a file in place of one, to which no control characters of file
// contents go.
type safeOutput struct {
	file   *os.File
	safe   *safetext.Writer
	before func() // is called before anything is written; may be nil
}

func newSafeOutput(f *os.File) *safeOutput { return &safeOutput{file: f, safe: safetext.NewWriter(f)} }

// Write implements io.Writer.
func (s *safeOutput) Write(p []byte) (int, error) {
	if s.before != nil {
		s.before()
	}
	return s.safe.Write(p)
}

// An answer is what a command writes to standard output.
type answer struct {
	io.Writer
	interactive bool
	begun       bool   // whether anything was written
	before      func() // is called before anything is written to a terminal
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	if !a.begun && len(p) > 0 {
		a.begun = true
		a.interactive = isTerminal(a.Writer)
	}
	if a.interactive {
		a.before()
	}
	return a.Writer.Write(p)
}

// ReadFrom lets the operating system copy from file to file.
func (a *answer) ReadFrom(r io.Reader) (int64, error) {
	a.begun = true
	return io.Copy(a.Writer, r)
}

// terminalOf is the terminal that w writes to, nil if it is none.
func terminalOf(w io.Writer) *os.File {
	if a, isAnswer := w.(*answer); isAnswer {
		w = a.Writer
	}
	f, ok := w.(*os.File)
	if s, isScreen := w.(*safeOutput); isScreen {
		f, ok = s.file, true
	}
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return f
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool { return terminalOf(w) != nil }

// wantsColours reports whether texts written to w may be coloured: w is a terminal that knows
// colours, and the user does not object (https://no-color.org).
func wantsColours(w io.Writer) bool {
	switch {
	case os.Getenv("NO_COLOR") != "", os.Getenv("TERM") == "dumb":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	case runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" && os.Getenv("TERM") == "":
		return false
	}
	return isTerminal(w)
}

// A palette gives texts their colours. The zero value leaves them as they are.
type palette struct{ on bool }

// coloured returns where coloured text is written, and the palette for it. All that comes from
// files must be made safe (package safetext) before: colours are control characters, so a terminal
// is written to directly.
func coloured(cmd *cobra.Command) (io.Writer, palette) {
	w := cmd.OutOrStdout()
	if !wantsColours(w) {
		return w, palette{}
	}
	if a, ok := w.(*answer); ok {
		if s, ok := a.Writer.(*safeOutput); ok {
			return &answer{Writer: s.file, before: a.before}, palette{true}
		}
	}
	return w, palette{true}
}

// Colours of the terminal's own palette, so that they suit its background.
const (
	bold  = "1"
	faint = "2"
	red   = "1;31"
	green = "32"
	amber = "33"
	cyan  = "36"
)

func (p palette) paint(colour, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// title is the title of a column.
func (p palette) title(s string) string { return p.paint(bold, s) }

// cell is a text in the column of a title.
func (p palette) cell(title, s string) string {
	switch {
	case s == "N/A":
		return p.paint(faint, s)
	case title == "name" || title == "shortName":
		return p.paint(cyan, s)
	case title == "object" || title == "encoding" || title == "storage":
		return p.paint(faint, s)
	}
	return s
}
