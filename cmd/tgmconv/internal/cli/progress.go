package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
)

// ProgressOf is the progress of a command.
func ProgressOf(cmd *cobra.Command) *terminal.Progress {
	if p := SessionOf(cmd.Context()).Progress; p != nil {
		return p
	}
	return new(terminal.Progress)
}

// A readProgress moves the bar as an input is read.
type readProgress struct {
	*DiskFile
	progress *terminal.Progress
}

// WithProgress returns a reader of an input that moves the bar.
func WithProgress(cmd *cobra.Command, f *DiskFile) io.ReaderAt {
	return &readProgress{f, ProgressOf(cmd)}
}

// ReadAt implements io.ReaderAt.
func (r *readProgress) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.DiskFile.ReadAt(b, off)
	r.progress.Read(r.Name, off, off+int64(n), r.Size)
	return n, err
}
