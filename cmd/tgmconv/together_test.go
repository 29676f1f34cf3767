package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// The files of split appear together, or in as few steps as there may be open files.
func TestSplitFilesAppearTogether(t *testing.T) {
	var message bytes.Buffer
	values := []int32{77777777, 88888888}
	w := tgm.NewMessageWriter(&message, tgm.WriterOptions{})
	if err := w.AppendArray("x", tgm.ArrayOf(values, 2), tgm.Pipeline{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(message.Bytes(), []byte{0x71, 0xcb, 0xa2, 0x04}, []byte{0x71, 0xcb, 0xa2, 0x05}, 1)
	if bytes.Equal(damaged, message.Bytes()) {
		t.Fatal("the values are not found in the message")
	}
	for only, messages := range map[string]int{"--only": storage.MaxOutputs + 1, "--only=false": 3} {
		written := messages / storage.MaxOutputs * storage.MaxOutputs
		dir := t.TempDir()
		in := filepath.Join(dir, "in.tgm")
		if err := os.WriteFile(in, append(bytes.Repeat(message.Bytes(), messages-1), damaged...), 0o666); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		root := rootOf([]string{"split"})
		root.SetErr(&stderr)
		code := run(t.Context(), root, []string{"split", only, "-o", filepath.Join(dir, "out_[index].tgm"), in}, &stderr)
		files, err := filepath.Glob(filepath.Join(dir, "*out*"))
		if err != nil || code != cli.ExitFailed || len(files) != written {
			t.Errorf("%s: exit code %d, %d files, expected %d: %v", only, code, len(files), written, err)
		}
		said := strings.Contains(stderr.String(), fmt.Sprintf("(%d files were written before, ", written))
		if !strings.Contains(stderr.String(), "hash") || said != (written > 0) {
			t.Errorf("%s: %s", only, &stderr)
		}
	}
}

// A repair in place waits for others that write to the file.
func TestTetRepairWaits(t *testing.T) {
	content, err := os.ReadFile("../../fixtures/tet/plan.tet")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "plan.tet"), filepath.Join(dir, "link.tet")
	if err := os.WriteFile(file, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"tet", "repair", "--apply", "footer_invalid", link}, {"tet", "verify", "--repair", file}} {
		lock, err := new(storage.Client).Lock(t.Context(), storage.LockName(file), storage.LockOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		stderr := &stopper{cancel: cancel}
		root := rootOf(args)
		root.SetOut(new(bytes.Buffer))
		root.SetErr(stderr)
		code := run(ctx, root, args, stderr)
		now, err := os.ReadFile(file)
		if code != cli.ExitInterrupted || !strings.Contains(stderr.String(), "waiting for up to") || !bytes.Equal(now, content) || err != nil {
			t.Errorf("%q: exit code %d: %s, %v", args, code, stderr, err)
		}
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	runs(t, "tet", "verify", "--repair", link)
	if now, err := os.ReadFile(file); err != nil || len(now) != 360 {
		t.Errorf("%d bytes after the repair, expected 360: %v", len(now), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A stopper cancels a command when it says something.
type stopper struct {
	bytes.Buffer
	cancel context.CancelFunc
}

func (s *stopper) Write(p []byte) (int, error) {
	s.cancel()
	return s.Buffer.Write(p)
}
