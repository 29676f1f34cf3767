package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/storage"
)

// OpenOutput begins an output: a file or an object that appears when it is complete, or standard
// output.
func OpenOutput(cmd *cobra.Command, name string) (storage.Writer, error) {
	if name != "" && name != storage.Stdin {
		return ClientOf(cmd).Create(cmd.Context(), name)
	}
	out := cmd.OutOrStdout()
	if terminal.Is(out) {
		return StandardOutput{out}, nil
	}
	return StandardOutput{terminal.Plain(out)}, nil
}

// OpenBinary is OpenOutput for bytes that a terminal cannot show.
func OpenBinary(cmd *cobra.Command, name string) (storage.Writer, error) {
	out, err := OpenOutput(cmd, name)
	if stdout, ok := out.(StandardOutput); ok && terminal.Is(stdout.Writer) {
		return nil, Usagef("the output would go to the terminal: name a file with -o, or redirect it")
	}
	return out, err
}

// CreateRandom begins an output that is not written front to back: a file, an object or standard
// output.
func CreateRandom(cmd *cobra.Command, name, tempDir string) (storage.RandomWriter, error) {
	out, err := OpenBinary(cmd, name)
	if err != nil {
		return nil, err
	}
	return storage.Random(out, tempDir)
}

// otherWriters is how long a command waits for another process that writes to its output.
const otherWriters = 10 * time.Minute

// WaitForOthers are the options of the lock of an output. The wait is announced.
func WaitForOthers(cmd *cobra.Command) storage.LockOptions {
	return storage.LockOptions{Wait: otherWriters, Waiting: func(by *storage.LockedError) {
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: waiting for up to %d minutes: %v\n", int(otherWriters.Minutes()), by)
	}}
}

// FolderOf is the folder of an output, empty if the output is not a local file.
func FolderOf(output string) string {
	if output == storage.Stdin || storage.IsRemote(output) {
		return ""
	}
	return filepath.Dir(output)
}

// StandardOutput is written to as the messages are complete.
type StandardOutput struct{ io.Writer }

func (StandardOutput) Commit() error { return nil }
func (StandardOutput) Abort()        {}

func (s StandardOutput) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	return n, toStandardOutput(err)
}

// ReadFrom lets the operating system copy from file to file.
func (s StandardOutput) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(s.Writer, r)
	return n, toStandardOutput(err)
}

// toStandardOutput names standard output in an error of writing to it.
func toStandardOutput(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Path == os.Stdout.Name() {
		return &storage.WriteError{LocationError: storage.LocationError{Location: "standard output", Err: fmt.Errorf("writing: %w", path.Err)}}
	}
	return err
}

// An OutputWriter turns errors of writing into an OutputError.
type OutputWriter struct{ W io.Writer }

// OutputTo returns a writer of the output of a verb.
func OutputTo(w io.Writer) io.Writer { return OutputWriter{w} }

// Write implements io.Writer.
func (w OutputWriter) Write(p []byte) (int, error) {
	n, err := w.W.Write(p)
	return n, Written(err)
}

// IsFolder reports whether a name is the name of a local folder.
func IsFolder(name string) bool {
	st, err := os.Stat(storage.LocalPath(name))
	return !storage.IsRemote(name) && err == nil && st.IsDir()
}

// OutputOf is the output of a name, or an error with advice if there are too many outputs.
func OutputOf(outputs *storage.Outputs, name string) (storage.Writer, error) {
	out, err := outputs.Get(name)
	var many *storage.TooManyOutputsError
	if errors.As(err, &many) {
		err = fmt.Errorf("%w: select objects with --where, or use split", err)
	}
	return out, err
}

// IsNew reports whether no local file has the name.
func IsNew(name string) bool {
	if storage.IsRemote(name) {
		return false
	}
	_, err := os.Lstat(storage.LocalPath(name))
	return errors.Is(err, fs.ErrNotExist)
}
