package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// Warn prints a warning on standard error.
func Warn(cmd *cobra.Command, text string) {
	fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: warning: "+safetext.Line(text))
}

// WarnBad lists files that cannot be read and were left out.
func WarnBad(cmd *cobra.Command, a *archive.Archive) {
	for _, line := range a.Bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: skipped: "+safetext.Line(line))
	}
	WarnLeftOut(cmd, a)
}

// WarnLeftOut lists variables that cannot be read and were left out.
func WarnLeftOut(cmd *cobra.Command, a *archive.Archive) {
	for _, line := range a.LeftOut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: left out: "+safetext.Line(line))
	}
}

// NotesOf are warnings about the labelled dataset of an archive.
func NotesOf(a *archive.Archive) []string {
	notes := append(LeftOutNotes(a), a.Set.Report.Notes()...)
	if n := a.Set.Report.Duplicates(); n > 0 {
		notes = append(notes, Count(n, "object")+" not written: a later one is at the same place")
	}
	return notes
}

// LeftOutNotes name the variables of an archive that cannot be read, and say why.
func LeftOutNotes(a *archive.Archive) (notes []string) {
	for _, line := range a.LeftOut() {
		notes = append(notes, "left out: "+line)
	}
	return notes
}
