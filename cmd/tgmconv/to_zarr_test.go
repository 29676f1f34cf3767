package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/zarr"
)

// TestSourceOfChosenObjects wants a run that takes other objects not to go on with the store of an
// interrupted one.
func TestSourceOfChosenObjects(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../fixtures/grib/sanity.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	one := (&converting.ToZarr{Written: looking.WrittenFlags{Where: []string{"level=500"}}}).Source(a)
	if again := (&converting.ToZarr{Written: looking.WrittenFlags{Where: []string{"level=500"}}}).Source(a); again != one {
		t.Errorf("the same objects are %q and %q", one, again)
	}
	for _, where := range [][]string{nil, {"level=850"}, {"level=500", "number=1"}} {
		if other := (&converting.ToZarr{Written: looking.WrittenFlags{Where: where}}).Source(a); other == one {
			t.Errorf("objects where %q are those where level=500: %q", where, one)
		}
	}
}

// TestSourceOfOtherFlags wants a run with other labels not to go on with the store of an interrupted
// one: with --duplicates, only values differ.
func TestSourceOfOtherFlags(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../fixtures/grib/sanity.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	seen := make(map[string]looking.WrittenFlags)
	for _, f := range []looking.WrittenFlags{
		{Dataset: cli.DatasetFlags{Options: dataset.Options{Names: dataset.NamesCF}}}, {Dataset: cli.DatasetFlags{Options: dataset.Options{Time: dataset.TimeValid}}}, {Dataset: cli.DatasetFlags{Options: dataset.Options{Duplicates: dataset.DuplicatesFirst}}},
		{Dataset: cli.DatasetFlags{Options: dataset.Options{MinFill: 0.5}}}, {View: looking.ViewTree}, {},
	} {
		source := (&converting.ToZarr{Written: f}).Source(a)
		if other, ok := seen[source]; ok {
			t.Errorf("%+v is the same as %+v", f, other)
		}
		seen[source] = f
	}
}

// runs runs the command, which must succeed.
func runs(t *testing.T, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	root := rootOf(args)
	root.SetErr(&stderr)
	if code := run(t.Context(), root, args, &stderr); code != cli.ExitOK {
		t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
	}
}

// readArrays reads the arrays of a store: elements, and documents without the members about the
// storage of chunks.
func readArrays(t *testing.T, store zarr.Store) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for a, err := range zarr.Arrays(t.Context(), store, "") {
		if err != nil {
			t.Fatal(err)
		}
		m := a.Metadata()
		n, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, n)
		if err := a.Read(t.Context(), data); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{mapping.AttrSections, mapping.AttrFieldRuns, mapping.AttrFieldOctets} {
			delete(m.Attributes, key) // which are for to-grib
		}
		found[a.Path()] = fmt.Sprint(m.Shape, m.DimensionNames, m.DataType, m.Attributes, sha256.Sum256(data))
	}
	return found
}

// TestWrittenIsServed compares the store of to-zarr with the store of serve with the same flags.
func TestWrittenIsServed(t *testing.T) {
	packed := filepath.Join(t.TempDir(), "packed.tgm")
	runs(t, "convert-netcdf", "-q", "-o", packed, "../../fixtures/netcdf/made/missing.nc")
	folder, twice := t.TempDir(), t.TempDir()
	copyFixture(t, "grib/2t.grib2", filepath.Join(folder, "2t.grib2"))
	copyFixture(t, "grib/2t.grib2", filepath.Join(twice, "a.grib2"))
	copyFixture(t, "grib/2t_simple.grib2", filepath.Join(twice, "b.grib2"))
	const cfgrib = "../../fixtures/grib/cfgrib/"
	for _, test := range []struct{ flags, input, array string }{
		{"", packed, ""},
		{"", folder, "t2m"},
		{"--names cf", folder, "t2m"},
		{"--names short", folder, "2t"},
		{"--names earthkit", folder, "forecast_reference_time"},
		{"--time valid", cfgrib + "multi_param_on_multi_dims.grib", "valid_time"},
		{"--view tree", cfgrib + "t_on_different_level_types.grib", "isobaricInhPa/t"},
		{"--duplicates first", twice, "t2m"},
		{"--duplicates last", twice, "t2m"},
		{"--min-fill 1", cfgrib + "soil-surface-level-mix.grib", ""},
	} {
		t.Run(test.flags+" "+filepath.Base(test.input), func(t *testing.T) {
			flags := append(strings.Fields(test.flags), test.input)
			path := filepath.Join(t.TempDir(), "out.zarr")
			runs(t, append([]string{"to-zarr", "-q", "-o", path}, flags...)...)
			written, err := zarr.OpenFolder(path)
			if err != nil {
				t.Fatal(err)
			}
			defer written.Close()
			base, _, stop := served(t, flags...)
			defer stop()
			shown, err := zarr.NewHTTP(base, http.DefaultClient)
			if err != nil {
				t.Fatal(err)
			}
			got, want := readArrays(t, written), readArrays(t, shown)
			if !maps.Equal(got, want) {
				t.Errorf("to-zarr wrote\n%q\nserve shows\n%q", got, want)
			}
			if test.array != "" && got[test.array] == "" {
				t.Errorf("there is no %s", test.array)
			}
		})
	}
}

// TestEveryFieldHasItsKeys demands that fields come back from a store with the keys that no coordinate has, such as the
// forecast month: section 1 of every message is the same.
func TestEveryFieldHasItsKeys(t *testing.T) {
	const source = "../../fixtures/grib/cfgrib/forecast_monthly_ukmo.grib"
	dir := t.TempDir()
	store, tgm, back := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "a.tgm"), filepath.Join(dir, "a.grib")
	runs(t, "to-zarr", "-q", "-o", store, source)
	runs(t, "convert", "-q", "-o", tgm, store)
	runs(t, "to-grib", "-q", "-o", back, tgm)
	want, got := productSections(t, source), productSections(t, back)
	if len(want) != 168 || len(slices.Compact(slices.Clone(want))) != 168 || !slices.Equal(want, got) {
		t.Errorf("%d fields with other sections than those of the %d of the source", len(got), len(want))
	}
}

// productSections are the sections 1 of the messages of a file of edition 1, in order.
func productSections(t *testing.T, path string) (sections []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for {
		at := bytes.Index(data, []byte("GRIB"))
		if at < 0 {
			slices.Sort(sections)
			return sections
		}
		data = data[at:]
		whole, section := int(data[4])<<16|int(data[5])<<8|int(data[6]), int(data[8])<<16|int(data[9])<<8|int(data[10])
		sections = append(sections, string(data[8:8+section]))
		data = data[whole:]
	}
}
