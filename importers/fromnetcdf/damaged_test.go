package fromnetcdf_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/cases"
)

// TestDamaged converts cut and changed copies of small files: there is a result, or an error that
// names the file; memory stays within a bound.
func TestDamaged(t *testing.T) {
	some := cases.Of(t)
	files := smallFiles(t)
	var before, after runtime.MemStats
	path := filepath.Join(t.TempDir(), "damaged.nc")
	for n := range 30_000 {
		if !some.Has(n, 100) {
			continue
		}
		r := rand.New(rand.NewPCG(3, uint64(n)))
		b := damage(r, files[r.IntN(len(files))])
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		s := fromnetcdf.New([]importers.Input{{Name: path}}, fromnetcdf.Options{CF: true, Split: fromnetcdf.Split(r.IntN(3))})
		runtime.ReadMemStats(&before)
		var out limited
		_, err := importers.Convert(t.Context(), s, &out, importers.Options{Workers: 1})
		runtime.ReadMemStats(&after)
		s.Close()
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("file %d: error %q does not name the file", n, err)
		}
		if mem := after.TotalAlloc - before.TotalAlloc; mem > 1<<30 {
			keep := filepath.Join(os.TempDir(), "damaged.nc")
			os.WriteFile(keep, b, 0o644)
			t.Errorf("file %d (%s): %d MB", n, keep, mem>>20)
		}
	}
}

// smallFiles are the files to damage.
func smallFiles(t *testing.T) (files [][]byte) {
	t.Helper()
	err := filepath.WalkDir(fixtures, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".cdl") {
			return err
		}
		b, err := os.ReadFile(path)
		if len(b) < 64<<10 && len(b) > 8 {
			files = append(files, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"classic_nc3.nc", "classic_nc5.nc", "five_nc5.nc", "unlimited.nc", "width2.h5", "userblock_latest.h5", "dims.h5", "shared_earliest.h5"} {
		files = append(files, odd(t, name))
	}
	return files
}

// damage cuts a copy of a file or changes bits, bytes or whole words of it.
func damage(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	words := []uint32{0, 1, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, r.Uint32()}
	switch r.IntN(3) {
	case 0:
		return b[:r.IntN(len(b))]
	case 1:
		for range 1 + r.IntN(5) {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
	default: // lengths and addresses stand at the beginning more than elsewhere
		for range 1 + r.IntN(3) {
			at := r.IntN(min(len(b), 4096) - 4)
			if w := words[r.IntN(len(words))]; r.IntN(2) == 0 {
				binary.LittleEndian.PutUint32(b[at:], w)
			} else {
				binary.BigEndian.PutUint32(b[at:], w)
			}
		}
	}
	return b
}
