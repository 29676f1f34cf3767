//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
)

// TestLargeMessagesInPipes passes a message of 320 MB through verbs in little memory, and checks
// their outputs and the files that they leave.
func TestLargeMessagesInPipes(t *testing.T) {
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	temporary, out := t.TempDir(), filepath.Join(t.TempDir(), "out.tgm")
	for _, args := range [][]string{
		{"set", "-s", "extra.run=2", "-", out}, {"merge", "--force", "--stream", "-", out}, {"validate", "-"},
	} {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
		cmd.Stdin = floats(40)
		if most := peakMemory(t, cmd); most > mostMemory {
			t.Errorf("%v took %d MB, expected at most %d", args, most>>20, int64(mostMemory)>>20)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%v left %v in the folder of temporary files: %v", args, left, err)
		}
	}
	f, err := tgm.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := m.NumObjects(); n != 40 || err != nil {
		t.Errorf("%d objects, expected 40: %v", n, err)
	}
}

// floats is a pipe with a streamed message of arrays of 8 MiB.
func floats(objects int) io.Reader {
	r, out := io.Pipe()
	go func() {
		w := tgm.NewStreamWriter(out, tgm.WriterOptions{})
		array := tgm.ArrayOf(make([]float64, 1<<20))
		var err error
		for i := 0; i < objects && err == nil; i++ {
			err = w.AppendArray(fmt.Sprint("part ", i), array, tgm.Pipeline{})
		}
		out.CloseWithError(errors.Join(err, w.Close()))
	}()
	return r
}
