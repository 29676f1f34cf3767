package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

func inputs(path string) []importers.Input {
	return []importers.Input{{Name: filepath.Join("../../fixtures", filepath.FromSlash(path))}}
}

// converted catalogues the conversion of a source.
func converted(t *testing.T, src importers.Source) *Catalog {
	t.Helper()
	var out bytes.Buffer
	if _, err := importers.Convert(t.Context(), src, &out, importers.Options{Coordinates: importers.CoordinatesNone}); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	c := new(Catalog)
	if err := c.AddMessages(t.Context(), f, "a.tgm", refuse); err != nil {
		t.Fatal(err)
	}
	return c
}

// refuse ends at any bad input.
func refuse(b *importers.BadInput) error { return b }

func listed(t testing.TB, src importers.Source) *Catalog {
	t.Helper()
	c := new(Catalog)
	if err := c.AddSource(context.Background(), src, refuse); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSourceAndMessages expects the same entries from a file and from its conversion.
func TestSourceAndMessages(t *testing.T) {
	for path, entries := range map[string]int{
		"grib/gfs_2p50_f000.grib2": 352, "grib/cfgrib/era5-levels-members.grib": 160, "grib/cfgrib/cfrzr_and_cprat.grib": 4,
		"grib/cfgrib/lambert_grid.grib": 1, "grib/cfgrib/spherical_harmonics.grib": 1, "netcdf/multi_var.nc": 0, "netcdf/nc4_groups.nc": 0,
	} {
		open := func() importers.Source {
			if filepath.Ext(path) == ".nc" {
				return fromnetcdf.New(inputs(path), fromnetcdf.Options{})
			}
			return fromgrib.New(inputs(path), fromgrib.Options{})
		}
		want, got := converted(t, open()), listed(t, open())
		if got.Len() != want.Len() || got.Len() == 0 || entries > 0 && got.Len() != entries {
			t.Errorf("%s: %d entries, %d of the converted file, expected %d", path, got.Len(), want.Len(), entries)
			continue
		}
		for i, w := range want.All() {
			g := got.Entry(i)
			if _, ok := g.Part(); !ok {
				t.Errorf("%s: entry %d is no part of a source", path, i)
			}
			w.File, w.Message, w.Object, w.Size, w.offset, w.length, w.format = g.File, g.Message, g.Object, g.Size, g.offset, g.length, g.format
			w.Kind, w.Base, g.Base, w.Form = g.Kind, mapping.Entry{}, mapping.Entry{}, ""
			if !reflect.DeepEqual(g, w) {
				t.Errorf("%s: entry %d is\n%+v, and of the converted file\n%+v", path, i, g, w)
				break
			}
		}
	}
}

// TestPartReadsItsField reads an entry of a GRIB file by its part.
func TestPartReadsItsField(t *testing.T) {
	src := fromgrib.New(inputs("grib/gfs_2p50_f000.grib2"), fromgrib.Options{})
	c := listed(t, src)
	for _, i := range []int{0, 200, 351} {
		e := c.Entry(i)
		part, _ := e.Part()
		names := []string{}
		for f, err := range src.Read(t.Context(), part, nil) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, f.Name)
		}
		if !slices.Equal(names, []string{e.Name}) {
			t.Errorf("entry %d, %s: read %q", i, e.Name, names)
		}
	}
}

func TestSelect(t *testing.T) {
	c := listed(t, fromgrib.New(inputs("grib/cfgrib/era5-levels-members.grib"), fromgrib.Options{}))
	for clauses, want := range map[string]int{
		"name=t": 80, "level>500": 80, "number=0/to/4": 80, "date=2017-01-01": 80, "time=12:00": 80, "class=ea": 160,
		"level_type=isobaric*,name=z,number=9": 8, "step=0": 160, "dtype=float64,shape=[61,120]": 160, "valid_time>2017-01-01T12:00:00Z": 80,
		"none=1": 0, "top=1": 0, "object=0": 160, "message=0": 1,
	} {
		parsed, err := mapping.ParseClauses([]string{clauses})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range c.Select(parsed, nil) {
			n++
		}
		if n != want {
			t.Errorf("%s: %d entries, want %d", clauses, n, want)
		}
	}
}

// TestForeignMessages catalogues files that other programs wrote.
func TestForeignMessages(t *testing.T) {
	paths, err := filepath.Glob("../../fixtures/tgm/*/*.tgm")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	var c Catalog
	for _, path := range paths {
		f, err := tgm.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		before := c.Len()
		if err := c.AddMessages(t.Context(), f, path, refuse); err != nil {
			continue // some are damaged on purpose
		}
		objects := 0
		for m, err := range f.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			for o, err := range m.Objects() {
				if err != nil {
					t.Fatal(err)
				}
				e := c.Entry(before + objects)
				objects++
				if e.File != path || e.Message != m.Index() || e.Object != o.Index() ||
					!understood(o.Base()) && e.Name != ObjectName(o.Base(), o.Index()) ||
					!slices.Equal(e.Shape, o.Descriptor().Shape) || e.DType != o.Descriptor().DType || e.Size != o.Length() {
					t.Errorf("%s: message %d, object %d is catalogued as %+v", path, m.Index(), o.Index(), e)
				}
			}
		}
		if c.Len()-before != objects {
			t.Errorf("%s: %d entries of %d objects", path, c.Len()-before, objects)
		}
	}
	if len(c.Files()) < 3 {
		t.Errorf("only %d files were catalogued", len(c.Files()))
	}
}

func TestBadParts(t *testing.T) {
	src := fromgrib.New(inputs("grib/malformed/era5-levels-corrupted.grib"), fromgrib.Options{SkipBad: true})
	var c Catalog
	bad := 0
	if err := c.AddSource(t.Context(), src, func(*importers.BadInput) error { bad++; return nil }); err != nil || bad == 0 || c.Len() == 0 {
		t.Errorf("%v, %d bad parts, %d entries", err, bad, c.Len())
	}
	var again Catalog
	stop := errors.New("stop")
	if err := again.AddSource(t.Context(), src, func(*importers.BadInput) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := again.AddSource(ctx, src, refuse); err == nil {
		t.Error("a context that is done is not heeded")
	}
}

// TestBytesOfAnEntry holds that an entry takes less than 200 bytes.
func TestBytesOfAnEntry(t *testing.T) {
	const n = 200_000
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	c := new(Catalog)
	reference := time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC)
	for i := range n {
		c.Add(Entry{
			File: "a.tgm", Message: i, Name: fmt.Sprint("name", i%50), Dims: []string{"latitude", "longitude"}, Shape: []uint64{721, 1440}, DType: tgm.Float32,
			Labels: Labels{ReferenceTime: mapping.Some(reference), Level: mapping.Some(float64(i % 10)), Keys: map[string]any{"class": "od"}},
		})
	}
	each := float64(heap()-before) / n
	if each > 200 {
		t.Errorf("an entry takes %.0f bytes", each)
	}
	e := c.Entry(n - 1)
	if e.Name != "name49" || e.Message != n-1 || e.Labels.Level.Value != 9 || !e.Labels.ReferenceTime.Value.Equal(reference) || e.Labels.Number.Known {
		t.Errorf("the last entry is %+v", e)
	}
}
