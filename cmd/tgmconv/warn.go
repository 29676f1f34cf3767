package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

func warn(cmd *cobra.Command, text string) {
	fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: warning: "+safetext.Line(text))
}

// warnBad lists files that cannot be read and were left out.
func warnBad(cmd *cobra.Command, a *archive.Archive) {
	for _, line := range a.Bad {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: skipped: "+safetext.Line(line))
	}
	warnLeftOut(cmd, a)
}

// warnLeftOut lists variables that cannot be read and were left out.
func warnLeftOut(cmd *cobra.Command, a *archive.Archive) {
	for _, line := range a.LeftOut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: left out: "+safetext.Line(line))
	}
}

// notesOf are what users should know of the labelled dataset of an archive.
func notesOf(a *archive.Archive) []string {
	notes := append(leftOutNotes(a), a.Set.Report.Notes()...)
	if n := a.Set.Report.Duplicates(); n > 0 {
		notes = append(notes, count(n, "object")+" not written: a later one is at the same place")
	}
	return notes
}

// leftOutNotes name the variables of an archive that cannot be read, and say why.
func leftOutNotes(a *archive.Archive) (notes []string) {
	for _, line := range a.LeftOut() {
		notes = append(notes, "left out: "+line)
	}
	return notes
}
