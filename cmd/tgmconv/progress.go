package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
)

// progressOf is the progress of a command.
func progressOf(cmd *cobra.Command) *terminal.Progress {
	if p := sessionOf(cmd.Context()).progress; p != nil {
		return p
	}
	return new(terminal.Progress)
}

// A readProgress moves the bar as an input is read.
type readProgress struct {
	*diskFile
	progress *terminal.Progress
}

// withProgress returns a reader of an input that moves the bar.
func withProgress(cmd *cobra.Command, f *diskFile) io.ReaderAt {
	return &readProgress{f, progressOf(cmd)}
}

// ReadAt implements io.ReaderAt.
func (r *readProgress) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.diskFile.ReadAt(b, off)
	r.progress.Read(r.name, off, off+int64(n), r.size)
	return n, err
}
