package fromtgm_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtgm"
	"github.com/tgmconv/tgmconv/importers/internal/sourcetest"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

const fixtures = "../../fixtures/tgm"

func source(path string, opts fromtgm.Options) *fromtgm.Source {
	opts.Entries = fromgrib.NewEntries()
	return fromtgm.New([]importers.Input{{Name: path}}, opts)
}

func opened(t *testing.T, data []byte) *tgm.File {
	t.Helper()
	f, err := fromgrib.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// objects are the objects of a file with their metadata, as CBOR, and values.
func objects(t *testing.T, f *tgm.File) (bases []string, arrays [][]byte) {
	t.Helper()
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			base, err := mapping.MarshalCBOR(o.Base())
			if err != nil {
				t.Fatal(err)
			}
			a := o.Array(nil)
			data, err := array.Read(context.Background(), a, a.Info().Whole(), nil)
			if err != nil {
				t.Fatal(err)
			}
			bases, arrays = append(bases, string(base)), append(arrays, data)
		}
	}
	return bases, arrays
}

// TestFixtures converts each file that is whole, and compares all metadata and values.
func TestFixtures(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(fixtures, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".tgm" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		report, err := tgm.Validate(bytes.NewReader(data), int64(len(data)), tgm.LevelFull, tgm.ValidateOptions{})
		if err != nil || !report.OK() {
			return err
		}
		seen++
		t.Run(path, func(t *testing.T) {
			var out bytes.Buffer
			s := source(path, fromtgm.Options{})
			defer s.Close()
			if _, err := importers.Convert(t.Context(), s, &out, importers.Options{}); err != nil {
				t.Fatal(err)
			}
			bases, arrays := objects(t, opened(t, data))
			gotBases, gotArrays := objects(t, opened(t, out.Bytes()))
			if !slices.Equal(bases, gotBases) {
				t.Errorf("metadata of %d objects differ from those of %d", len(gotBases), len(bases))
			}
			for i := range arrays {
				if i < len(gotArrays) && !bytes.Equal(arrays[i], gotArrays[i]) {
					t.Errorf("values of object %d differ", i)
				}
			}
		})
		return nil
	})
	if err != nil || seen < 20 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func TestParts(t *testing.T) {
	for _, name := range []string{"named_axes.tgm", "v0.20/multi_message.tgm"} {
		listing := func() importers.Source { return source(filepath.Join(fixtures, name), fromtgm.Options{}) }
		reading := func() importers.Source { return fromtgm.New(nil, fromtgm.Options{Entries: fromgrib.NewEntries()}) }
		if n := sourcetest.Parts(t, listing, reading); n == 0 {
			t.Errorf("%s has no parts", name)
		}
	}
}

// fromNetCDF is the path of a file that was made of netCDF.
func fromNetCDF(t *testing.T) string {
	t.Helper()
	s := fromnetcdf.New([]importers.Input{{Name: "../../fixtures/netcdf/cf_temperature.nc"}}, fromnetcdf.Options{})
	defer s.Close()
	path := filepath.Join(t.TempDir(), "a.tgm")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := importers.Convert(t.Context(), s, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWhere: the objects that a chosen object needs go with it.
func TestWhere(t *testing.T) {
	path := fromNetCDF(t)
	for clause, want := range map[string][]string{
		"name=temperature": {"lat", "lon", "time", "temperature"},
		"name=lat":         {"lat"},
		"dtype=float64":    {"time"},
	} {
		clauses, err := mapping.ParseClauses([]string{clause})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		s := source(path, fromtgm.Options{Where: clauses})
		for p, err := range s.Parts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for f, err := range s.Read(t.Context(), p, nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, f.Name)
			}
		}
		s.Close()
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, expected %q", clause, names, want)
		}
	}
}

// TestExact: coordinates keep their precision where data do not.
func TestExact(t *testing.T) {
	s := source(fromNetCDF(t), fromtgm.Options{})
	defer s.Close()
	report, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{Encoding: importers.Encoding{Encoding: importers.EncodingSimplePacking, Bits: 8}})
	if err != nil || report.Fields != 4 || report.Exact["coordinates"] != 3 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestCut: bytes that belong to no message are bad, and the messages before them are there.
func TestCut(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(fixtures, "v0.20/multi_message.tgm"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.tgm")
	if err := os.WriteFile(path, data[:len(data)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	s := source(path, fromtgm.Options{})
	defer s.Close()
	var bad *importers.BadInput
	if _, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{}); !errors.As(err, &bad) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, expected a bad input with the name of the file", err)
	}
	report, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{SkipBad: true})
	if err != nil || report.Messages == 0 || report.Skipped != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}
