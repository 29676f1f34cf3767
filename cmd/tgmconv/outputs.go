package main

import (
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/storage"
)

// openOutput begins an output: a file or an object that appears when it is complete, or standard
// output.
func openOutput(cmd *cobra.Command, name string) (storage.Writer, error) {
	if name != "" && name != storage.Stdin {
		return clientOf(cmd).Create(cmd.Context(), name)
	}
	return standardOutput{cmd.OutOrStdout()}, nil
}

// openBinary is openOutput for what is not shown in a terminal.
func openBinary(cmd *cobra.Command, name string) (storage.Writer, error) {
	out, err := openOutput(cmd, name)
	if stdout, ok := out.(standardOutput); ok && isTerminal(stdout.Writer) {
		return nil, usagef("the output would go to the terminal: name a file with -o, or redirect it")
	}
	return out, err
}

// createRandom begins an output that is not written front to back: a file, an object or standard
// output.
func createRandom(cmd *cobra.Command, name, tempDir string) (storage.RandomWriter, error) {
	out, err := openBinary(cmd, name)
	if err != nil {
		return nil, err
	}
	return storage.Random(out, tempDir)
}

// folderOf is the folder that an output lies in, empty for what is no local file.
func folderOf(output string) string {
	if output == storage.Stdin || storage.IsRemote(output) {
		return ""
	}
	return filepath.Dir(output)
}

// standardOutput is written to as the messages are complete.
type standardOutput struct{ io.Writer }

func (standardOutput) Commit() error { return nil }
func (standardOutput) Abort()        {}

// ReadFrom lets the operating system copy from file to file.
func (s standardOutput) ReadFrom(r io.Reader) (int64, error) { return io.Copy(s.Writer, r) }
