//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/fixtures/bombs"
)

// TestSpending demands that a command of a small input ends once it has taken too much, leaves nothing behind, and
// goes on where a flag allows it.
func TestSpending(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes 800 MB")
	}
	program, err := exec.LookPath("tgmconv")
	if err != nil {
		t.Fatal(err)
	}
	all := bombs.All()
	i := slices.IndexFunc(all, func(b bombs.Bomb) bool { return b.Name == "curved.nc" })
	path, err := all[i].Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	to := filepath.Join(dir, "out.nc")
	message, err := exec.Command(program, "to-netcdf", "-q", "-o", to, path).CombinedOutput()
	if ended := new(exec.ExitError); !errors.As(err, &ended) || ended.ExitCode() != exitFailed {
		t.Errorf("%v, expected exit code %d", err, exitFailed)
	}
	if text := string(message); !strings.HasPrefix(text, "tgmconv: "+path) || !strings.Contains(text, "--max-work 2048") || strings.Count(text, "\n") != 1 {
		t.Errorf("the command said: %s", text)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if message, err := exec.Command(program, "to-netcdf", "-q", "--max-work", "4096", "-o", to, path).CombinedOutput(); err != nil {
		t.Errorf("with --max-work: %v: %s", err, message)
	}
}
