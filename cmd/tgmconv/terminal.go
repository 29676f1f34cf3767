package main

import (
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tgmconv/tgmconv/internal/safetext"
)

// A safeOutput is standard error, to which no control characters of file contents go.
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

// An answer is standard output for texts, which are escaped: contents of files have control
// characters, and those that change the direction of writing, in them. A file or a pipe takes them
// as JSON has them, since the next program may show them.
type answer struct {
	file        io.Writer
	safe        *safetext.Writer
	interactive bool
	begun       bool   // whether anything was written
	before      func() // is called before anything is written to a terminal
}

func newAnswer(file io.Writer, before func()) *answer {
	a := &answer{file: file, safe: safetext.NewEscaper(file), interactive: isTerminal(file), before: before}
	if a.interactive {
		a.safe = safetext.NewWriter(file)
	}
	return a
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	a.begin(len(p) > 0)
	return a.safe.Write(p)
}

func (a *answer) begin(something bool) {
	a.begun = a.begun || something
	if a.interactive {
		a.before()
	}
}

// A plainAnswer is standard output for all that is no text, and for texts with colours, which have
// been made safe before.
type plainAnswer struct{ *answer }

// plain returns w, or standard output as it is.
func plain(w io.Writer) io.Writer {
	if a, ok := w.(*answer); ok {
		return plainAnswer{a}
	}
	return w
}

// Write implements io.Writer.
func (a plainAnswer) Write(p []byte) (int, error) {
	a.begin(len(p) > 0)
	return a.file.Write(p)
}

// ReadFrom lets the operating system copy from file to file.
func (a plainAnswer) ReadFrom(r io.Reader) (int64, error) {
	a.begin(true)
	return io.Copy(a.file, r)
}

// terminalOf is the terminal that w writes to, nil if it is none.
func terminalOf(w io.Writer) *os.File {
	switch out := w.(type) {
	case *answer:
		return terminalOf(out.file)
	case plainAnswer:
		return terminalOf(out.file)
	case *safeOutput:
		return terminalOf(out.file)
	case *os.File:
		if term.IsTerminal(int(out.Fd())) {
			return out
		}
	}
	return nil
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
// files must be made safe (package safetext) before: colours are control characters.
func coloured(cmd *cobra.Command) (io.Writer, palette) {
	w := cmd.OutOrStdout()
	if !wantsColours(w) {
		return w, palette{}
	}
	return plain(w), palette{true}
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
