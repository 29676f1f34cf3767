package totet

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestUnfinishedFileHasNoName: what a killed process leaves behind is nothing, where the system knows
// files without names.
func TestUnfinishedFileHasNoName(t *testing.T) {
	dir := t.TempDir()
	w, err := createLocal(t.Context(), filepath.Join(dir, "a.tet"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 && runtime.GOOS == "linux" {
		t.Errorf("%v in the folder, error %v", left, err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != "a.tet" {
		t.Errorf("%v in the folder, error %v", left, err)
	}
}
