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

// TestPipesNeedNoDisk passes a message of 320 MB through the verbs that take it object by object,
// where no temporary file can be made.
func TestPipesNeedNoDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("passes 1 GB through pipes")
	}
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.tgm")
	for _, args := range [][]string{
		{"set", "-s", "extra.run=2", "-", out}, {"merge", "--stream", "-", out}, {"validate", "-"},
	} {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(t.TempDir(), "none"))
		cmd.Stdin = floats(40)
		if most := peakMemory(t, cmd); most > mostMemory {
			t.Errorf("%v took %d MB, expected at most %d", args, most>>20, int64(mostMemory)>>20)
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
