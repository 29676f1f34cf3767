//go:build unix

package main

import (
	"bytes"
	"context"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Every verb that waits for its input stops when the user does, and leaves nothing behind.
func TestInterruptedWhileWaitingForInput(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for _, verb := range [][]string{
		{"info"}, {"ls"}, {"dump"}, {"get", "-p", "name"}, {"validate"}, {"serve", "--addr", "127.0.0.1:0"}, {"grib", "ls"}, {"grib", "dump"},
		{"convert"}, {"convert-grib"}, {"convert-netcdf"},
	} {
		for _, input := range []string{"-", fifo} {
			args := append(verb[:len(verb):len(verb)], input)
			stdin, never := io.Pipe()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			root := newRoot()
			root.SetIn(stdin)
			root.SetOut(io.Discard)
			var stderr bytes.Buffer
			root.SetErr(&stderr)
			if code := run(ctx, root, args, &stderr); code != cli.ExitInterrupted || stderr.String() != "tgmconv: interrupted\n" {
				t.Errorf("%v: exit code %d, expected %d; %s", args, code, cli.ExitInterrupted, &stderr)
			}
			cancel()
			never.Close()
		}
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, error %v", left, err)
	}
}
