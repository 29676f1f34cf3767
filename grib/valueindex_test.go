package grib_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// indexFiles are fixtures, and, where TGMCONV_GRIB_FILES is set, the files below that folder.
func indexFiles(t *testing.T) (files []string) {
	for _, folder := range []string{"../fixtures/grib", os.Getenv("TGMCONV_GRIB_FILES")} {
		if folder == "" {
			continue
		}
		err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestValueIndex compares points and runs that are read by an index with the whole field.
func TestValueIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	indexed := 0
	for _, path := range indexFiles(t) {
		file, err := grib.Open(path)
		if err != nil {
			continue
		}
		n := 0
		for m, err := range file.Messages() {
			if err != nil {
				break
			}
			for _, f := range m.Fields() {
				if n++; n <= 40 && compareIndexed(t, path, f, r) {
					indexed++
				}
			}
		}
		file.Close()
	}
	t.Log(indexed, "fields with an index")
	if indexed < 20 {
		t.Errorf("%d fields have an index, expected more", indexed)
	}
}

func compareIndexed(t *testing.T, path string, f *grib.Field, r *rand.Rand) bool {
	want, _, err := f.Decode(nil)
	if err != nil {
		return false
	}
	made, err := f.ValueIndex()
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if made == nil || err != nil {
		return false
	}
	stored, err := made.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := grib.ParseValueIndex(stored)
	if err != nil {
		t.Errorf("%s, field at byte %d: %v", path, f.Offset(), err)
		return false
	}
	if x.Points() != len(want) {
		t.Errorf("%s: %d points, expected %d", path, x.Points(), len(want))
		return false
	}
	if len(want) == 0 {
		return true
	}
	message := bytes.NewReader(f.Message.Data)
	at := []uint64{0, uint64(len(want) - 1), uint64(len(want) - 1)}
	for range 200 {
		at = append(at, r.Uint64N(uint64(len(want))))
	}
	slices.Sort(at)
	got := make([]float64, len(at))
	if err := x.Pick(message, got, at); err != nil {
		t.Errorf("%s: %v", path, err)
		return false
	}
	for i, n := range at {
		if math.Float64bits(got[i]) != math.Float64bits(want[n]) {
			t.Errorf("%s, field at byte %d: point %d is %v, expected %v", path, f.Offset(), n, got[i], want[n])
			return false
		}
	}
	for range 10 {
		first := r.IntN(len(want))
		run := make([]float64, 1+r.IntN(min(20000, len(want)-first)))
		if err := x.Read(message, run, uint64(first)); err != nil {
			t.Errorf("%s: %v", path, err)
			return false
		}
		for i, v := range run {
			if math.Float64bits(v) != math.Float64bits(want[first+i]) {
				t.Errorf("%s, field at byte %d: point %d of a run from %d on is %v, expected %v", path, f.Offset(), first+i, first, v, want[first+i])
				return false
			}
		}
	}
	return true
}

// FuzzParseValueIndex reads damaged indexes, by which points of a message are then read.
func FuzzParseValueIndex(f *testing.F) {
	data, err := os.ReadFile("../fixtures/grib/2t.grib2")
	if err == nil {
		m, err := grib.ParseMessage(data, 0)
		if err == nil {
			if x, err := m.Fields()[0].ValueIndex(); err == nil && x != nil {
				stored, _ := x.AppendBinary(nil)
				f.Add(stored)
			}
		}
	}
	f.Add([]byte{2, 8, 8})
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := grib.ParseValueIndex(b)
		if err != nil || x.Points() == 0 || x.Points() > 1<<20 {
			return
		}
		dst := make([]float64, 2)
		_ = x.Pick(bytes.NewReader(data), dst, []uint64{0, uint64(x.Points() - 1)})
		_ = x.Read(bytes.NewReader(data), dst[:1], uint64(x.Points()-1))
	})
}
