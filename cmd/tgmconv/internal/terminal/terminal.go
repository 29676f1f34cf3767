// Package terminal writes for people: texts that are safe to show, colours, tables, and progress.
package terminal

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"

	"github.com/tgmconv/tgmconv/internal/safetext"
)

// Messages is standard error, to which no control characters of file contents go.
type Messages struct {
	file   *os.File
	safe   *safetext.Writer
	before func() // is called before anything is written; may be nil
}

// NewMessages writes messages to f.
func NewMessages(f *os.File) *Messages { return &Messages{file: f, safe: safetext.NewWriter(f)} }

// Before has a function called before anything is written.
func (s *Messages) Before(f func()) { s.before = f }

// Write implements io.Writer.
func (s *Messages) Write(p []byte) (int, error) {
	if s.before != nil {
		s.before()
	}
	return s.safe.Write(p)
}

// An Answer is standard output for texts, which are escaped: contents of files may have control characters,
// and characters that change the direction of writing. In a file or a pipe these are escaped as in JSON,
// since the next program may show them.
type Answer struct {
	file        io.Writer
	safe        *safetext.Writer
	interactive bool
	begun       bool   // whether anything was written
	before      func() // is called before anything is written to a terminal
}

// NewAnswer is standard output; before is called before anything is written to a terminal.
func NewAnswer(file io.Writer, before func()) *Answer {
	a := &Answer{file: file, safe: safetext.NewEscaper(file), interactive: Is(file), before: before}
	if a.interactive {
		a.safe = safetext.NewWriter(file)
	}
	return a
}

// Write implements io.Writer.
func (a *Answer) Write(p []byte) (int, error) {
	a.begin(len(p) > 0)
	return a.safe.Write(p)
}

func (a *Answer) begin(something bool) {
	a.begun = a.begun || something
	if a.interactive {
		a.before()
	}
}

// Begun reports whether anything was written.
func (a *Answer) Begun() bool { return a.begun }

// A plainAnswer is standard output for data other than text, and for coloured texts that are
// already safe.
type plainAnswer struct{ *Answer }

// Plain returns w, or standard output as it is.
func Plain(w io.Writer) io.Writer {
	if a, ok := w.(*Answer); ok {
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

// Of is the terminal that w writes to, nil if it is none.
func Of(w io.Writer) *os.File {
	switch out := w.(type) {
	case *Answer:
		return Of(out.file)
	case plainAnswer:
		return Of(out.file)
	case *Messages:
		return Of(out.file)
	case *os.File:
		if term.IsTerminal(int(out.Fd())) {
			return out
		}
	}
	return nil
}

// Is reports whether w is a terminal.
func Is(w io.Writer) bool { return Of(w) != nil }

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
	return Is(w)
}

// A Palette gives texts their colours. The zero value leaves them as they are.
type Palette struct{ on bool }

// Coloured returns where text with colours is written in place of w, and the palette for it. All that comes from
// files must be made safe (package safetext) before: colours are control characters.
func Coloured(w io.Writer) (io.Writer, Palette) {
	if !wantsColours(w) {
		return w, Palette{}
	}
	return Plain(w), Palette{true}
}

// Colours of the terminal's own Palette, so that they suit its background.
const (
	bold  = "1"
	faint = "2"
	cyan  = "36"
)

func (p Palette) paint(colour, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// Bar is a text that is a bar of a picture.
func (p Palette) Bar(s string) string { return p.paint(cyan, s) }

// Title is the title of a column.
func (p Palette) Title(s string) string { return p.paint(bold, s) }

// Cell is a text in the column of a title.
func (p Palette) Cell(title, s string) string {
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
