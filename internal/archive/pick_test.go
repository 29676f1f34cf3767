package archive

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// pickedMost bounds the elements of the arrays that are compared: others are of the same encodings.
const pickedMost = 2 << 20

// TestPick compares elements that are picked with the whole array, for all arrays of the fixtures.
func TestPick(t *testing.T) {
	var files []string
	const fixtures = "../../fixtures/"
	folders := []string{fixtures + "grib", fixtures + "netcdf", fixtures + "tet", fixtures + "tgm", fixtures + "zarr"}
	if more := os.Getenv("TGMCONV_GRIB_FILES"); more != "" {
		folders = []string{more}
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "malformed" {
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
				continue // unreadable arrays
			}
			formats[string(a.formatOf(&e))]++
			comparePicked(t, r, a, ref, whole.Data)
			compareRegions(t, r, a, ref, whole.Data)
		}
		a.Close()
	}
	t.Log(formats)
	if len(formats) < 4 && len(folders) > 1 {
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
	for _, count := range []uint64{1, 20, 20} {
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

// compareRegions compares regions of an array, and of its elements as float32, with the whole.
func compareRegions(t *testing.T, r *rand.Rand, a *Archive, ref int, whole []byte) {
	t.Helper()
	e := a.Catalog.Entry(ref)
	of, err := a.Array(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(of array.Array, whole []byte) bool {
		shape, size := of.Info().Shape, of.Info().DType.Size()
		for range 6 {
			region := array.Region{Start: make([]uint64, len(shape)), Count: make([]uint64, len(shape))}
			for axis, n := range shape {
				region.Start[axis] = r.Uint64N(n)
				region.Count[axis] = 1 + r.Uint64N(min(n-region.Start[axis], 1+n/4))
			}
			got, err := array.Read(t.Context(), of, region, nil)
			if err != nil {
				t.Errorf("%s: %v", e.Where(), err)
				return false
			}
			want := make([]byte, len(got))
			nd.Copy(nd.At(want, region.Count, nil), nd.At(whole, shape, region.Start), region.Count, size)
			if !bytes.Equal(got, want) {
				t.Errorf("%s %s: region %v is not that of the whole", e.File, e.Where(), region)
				return false
			}
		}
		return true
	}
	if !compare(of, whole) {
		return
	}
	coded, err := of.Coded(t.Context(), nil)
	if err != nil {
		t.Errorf("%s: %v", e.Where(), err)
		return
	}
	if coded != nil {
		values := make([]float64, len(coded.Integers))
		coded.Values(values, coded.Integers)
		for i, v := range values {
			if coded.Integers[i]>>coded.Bits != 0 || math.Float64bits(v) != binary.LittleEndian.Uint64(whole[8*i:]) {
				t.Errorf("%s %s: integer %d is %d of %d bits", e.File, e.Where(), i, coded.Integers[i], coded.Bits)
				return
			}
		}
	}
	if single := of.Single(); single != nil && !slices.Contains(e.Shape, 0) {
		all, err := array.Read(t.Context(), single, single.Info().Whole(), nil)
		if err != nil {
			t.Errorf("%s: %v", e.Where(), err)
			return
		}
		compare(single, all)
	}
}
