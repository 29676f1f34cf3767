package archive

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
)

// pickedMost bounds the elements of the arrays that are compared: others are of the same encodings.
const pickedMost = 2 << 20

// TestPick compares elements that are picked with those of the whole array, for all arrays of the
// fixtures.
func TestPick(t *testing.T) {
	var files []string
	for _, folder := range []string{"grib", "netcdf", "tet", "tgm", "zarr"} {
		err := filepath.WalkDir("../../fixtures/"+folder, func(path string, d fs.DirEntry, err error) error {
			if d.IsDir() && d.Name() == "malformed" {
				return fs.SkipDir
			}
			if err == nil && !d.IsDir() && filepath.Ext(path) != ".md" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	formats := make(map[string]int)
	for _, file := range files {
		a, err := List(t.Context(), []string{file}, Options{})
		if err != nil || a.Catalog.Len() == 0 {
			continue // others are tested elsewhere
		}
		r := rand.New(rand.NewPCG(1, 2))
		for ref := range a.Catalog.Len() {
			e := a.Catalog.Entry(ref)
			if n := (array.Region{Count: e.Shape}).Elements(); e.DType.Size() == 0 || n == 0 || n > pickedMost {
				continue
			}
			whole, err := dataset.Read(t.Context(), a, ref, nil)
			if err != nil {
				continue // what cannot be read
			}
			formats[string(a.formatOf(&e))]++
			comparePicked(t, r, a, ref, whole.Data)
		}
		a.Close()
	}
	t.Log(formats)
	if len(formats) < 4 {
		t.Errorf("arrays of these formats were compared: %v", formats)
	}
}

func comparePicked(t *testing.T, r *rand.Rand, a *Archive, ref int, whole []byte) {
	t.Helper()
	e := a.Catalog.Entry(ref)
	of, err := a.Array(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	n, size := of.Info().Whole().Elements(), of.Info().DType.Size()
	for _, count := range []uint64{1, 20} {
		at := make([]uint64, count)
		for i := range at {
			at[i] = r.Uint64N(n)
		}
		got := make([]byte, int(count)*size)
		if err := array.Pick(t.Context(), of, at, got); err != nil {
			t.Errorf("%s: %v", e.Where(), err)
			return
		}
		for i, k := range at {
			if want := whole[int(k)*size : (int(k)+1)*size]; !bytes.Equal(got[i*size:(i+1)*size], want) {
				t.Errorf("%s %s: element %d is %x, expected %x", e.File, e.Where(), k, got[i*size:(i+1)*size], want)
				return
			}
		}
	}
}
