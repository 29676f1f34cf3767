package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// copied copies a fixture into a folder.
func copied(t *testing.T, dir, fixture, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../fixtures", fixture))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// converted writes a Tensogram file.
func converted(t *testing.T, dir, fixture, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	src := fromgrib.New([]importers.Input{{Name: filepath.Join("../../fixtures", fixture)}}, fromgrib.Options{Split: true})
	defer src.Close()
	if _, err := importers.Convert(t.Context(), src, out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, opts archive.Options, names ...string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(t.Context(), names, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// A folder of GRIB, netCDF and Tensogram files is one dataset, whatever else is in it.
func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	copied(t, dir, "grib/2t.grib2", "a.grib2")
	converted(t, dir, "grib/q_150.grib2", "b.tgm")
	copied(t, dir, "grib/malformed/era5-levels-corrupted.grib", "bad.grib")
	for name, text := range map[string]string{"notes.txt": "nothing to show", "log.gz": "nothing", "none": "", "empty.nc": "", "page.grib2.gz": "<html>"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.tgm")); err != nil {
		t.Fatal(err)
	}
	a := open(t, archive.Options{Index: archive.IndexNone}, dir)
	for i, name := range []string{"bad.grib: ", "empty.nc: the file is empty", "link.tgm: ", "page.grib2.gz: found no "} {
		if i >= len(a.Bad) || !strings.Contains(a.Bad[i], string(filepath.Separator)+name) {
			t.Errorf("bad: %q, expected %q", a.Bad, name)
		}
	}
	for _, name := range []string{"t2m", "q"} {
		found := false
		for _, g := range a.Set.Groups {
			if v := g.Variable(name); v != nil && !found {
				found = true
				ref := slices.IndexFunc(v.Refs(), func(r int32) bool { return r >= 0 })
				if _, err := dataset.Read(t.Context(), a, int(v.Refs()[ref]), nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if !found {
			t.Errorf("there is no %s", name)
		}
	}
	if _, err := archive.Open(t.Context(), []string{filepath.Join(dir, "notes.txt")}, archive.Options{}); err == nil {
		t.Error("a text is an archive")
	}
}

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "cache"))
	path := copied(t, dir, "grib/2t.grib2", "a.grib2")
	for _, mode := range []archive.IndexMode{archive.IndexBeside, archive.IndexCache} {
		var warnings []string
		opts := archive.Options{Index: mode, Warn: func(text string) { warnings = append(warnings, text) }}
		if a := open(t, opts, path); a.Indexed != 0 {
			t.Errorf("%v: %d files were indexed before the first time", mode, a.Indexed)
		}
		if a := open(t, opts, path); a.Indexed != 1 {
			t.Errorf("%v: the index is not used", mode)
		}
		if len(warnings) > 0 {
			t.Errorf("%v: %q", mode, warnings)
		}
	}
	// A damaged index is made again, with a warning.
	os.WriteFile(path+".tgmidx", []byte("no index"), 0o600)
	var warnings []string
	opts := archive.Options{Index: archive.IndexBeside, Warn: func(text string) { warnings = append(warnings, text) }}
	if a := open(t, opts, path); a.Indexed != 0 || len(warnings) != 1 {
		t.Errorf("%d files indexed, warnings %q", a.Indexed, warnings)
	}
	if a := open(t, opts, path); a.Indexed != 1 || len(warnings) != 1 {
		t.Errorf("%d files indexed after the index was made again, warnings %q", a.Indexed, warnings)
	}
}

// An index serves a file under each of its names, and beside the data also where they are moved.
func TestIndexOfOtherNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "cache"))
	path := copied(t, dir, "grib/2t.grib2", "a.grib2")
	copied(t, dir, "grib/malformed/era5-levels-corrupted.grib", "bad.grib")
	t.Chdir(dir)
	check := func(mode archive.IndexMode, name, prefix string, indexed int) {
		t.Helper()
		a := open(t, archive.Options{Index: mode}, name)
		if a.Indexed != indexed {
			t.Errorf("%v: %d files of %s came from the index, expected %d", mode, a.Indexed, name, indexed)
		}
		if e := a.Catalog.Entry(0); e.File != filepath.Join(prefix, "a.grib2") {
			t.Errorf("%v: %s has the file %s", mode, name, e.File)
		}
		if _, err := dataset.Read(t.Context(), a, 0, nil); err != nil {
			t.Errorf("%v: %s: %v", mode, name, err)
		}
		if len(a.Bad) > 0 && !strings.HasPrefix(a.Bad[0], filepath.Join(prefix, "bad.grib")+":") {
			t.Errorf("%v: %s leaves out %q", mode, name, a.Bad[0])
		}
	}
	for _, mode := range []archive.IndexMode{archive.IndexBeside, archive.IndexCache} {
		check(mode, "a.grib2", "", 0)
		check(mode, path, dir, 1)
		check(mode, ".", "", 0)
		check(mode, dir, dir, 2)
	}
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	check(archive.IndexBeside, moved, moved, 2)
}

// The labels of axes of .tet files are coordinates, also when they come from the index. There are none when
// the file changes.
func TestCoordinates(t *testing.T) {
	path := copied(t, t.TempDir(), "tet/tetpy/weather.tet", "weather.tet")
	wants := map[string][]float64{"time": {1775260800, 1775347200}, "lat": {60, 50, 40, 30, 20}}
	for _, indexed := range []int{0, 1} {
		a := open(t, archive.Options{Index: archive.IndexBeside}, path)
		if a.Indexed != indexed {
			t.Errorf("%d files indexed, expected %d", a.Indexed, indexed)
		}
		for name, want := range wants {
			got, _, err := a.Set.Select(name).Floats(t.Context(), a)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s is %v, %v, expected %v", name, got, err, want)
			}
		}
	}
	a := open(t, archive.Options{Index: archive.IndexNone}, path)
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	var changed *archive.ChangedError
	if _, _, err := a.Set.Select("lat").Floats(t.Context(), a); !errors.As(err, &changed) {
		t.Errorf("%v, expected a ChangedError", err)
	}
}

// Layouts say where elements lie in the files, and read them only in the state that was catalogued.
// An error about a damaged object says which file it is in, and where in that.
func TestErrorsSayWhere(t *testing.T) {
	path := converted(t, t.TempDir(), "grib/cfgrib/regular_gg_pl.grib", "a.tgm")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := len(whole)
	whole = append(whole, whole...)
	whole[start+5000] ^= 1
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := archive.List(t.Context(), []string{path}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	damaged := 0
	for ref, e := range a.Catalog.All() {
		_, err := dataset.Read(t.Context(), a, ref, nil)
		if err == nil {
			continue
		}
		damaged++
		at := regexp.MustCompile(`^` + regexp.QuoteMeta(path) + `: message 1, object \d+, at byte (\d+): hash: `).FindStringSubmatch(err.Error())
		if at == nil || e.Message != 1 {
			t.Fatalf("message %d: %v", e.Message, err)
		}
		if n, _ := strconv.Atoi(at[1]); n < start || n > start+5000 {
			t.Errorf("at byte %d, expected %d to %d", n, start, start+5000)
		}
		if again := a.Located(ref, err); again != err {
			t.Errorf("%v, expected the place once", again)
		}
		other := a.Located(ref, errors.New("it rains"))
		if want := fmt.Sprintf("%s: message 1, object %d: it rains", path, e.Object); other.Error() != want {
			t.Errorf("%v, expected %s", other, want)
		}
	}
	if damaged != 1 || a.Located(0, nil) != nil {
		t.Errorf("%d damaged objects, expected one", damaged)
	}
}

func TestLayout(t *testing.T) {
	dir := t.TempDir()
	path := copied(t, dir, "netcdf/cf_temperature_deflate.nc", "a.nc")
	a := open(t, archive.Options{Index: archive.IndexNone}, path)
	l, err := a.Layout(t.Context(), int(a.Set.Variable("lat").Refs()[0]))
	if err != nil || len(l.Transforms) != 2 || l.Transforms[1].Name != "deflate" {
		t.Fatalf("%+v, %v", l, err)
	}
	at, _, _ := l.Extent([]uint64{0})
	if _, err := at.File.ReadAt(make([]byte, at.Length), at.Offset); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	var changed *archive.ChangedError
	if _, err := at.File.ReadAt(make([]byte, 8), 0); !errors.As(err, &changed) {
		t.Errorf("%v, expected a ChangedError", err)
	}

	second := filepath.Join("../../fixtures/tgm/v0.20/multi_message.tgm")
	whole, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	a = open(t, archive.Options{Index: archive.IndexNone}, second)
	found := 0
	for ref := range a.Catalog.All() {
		l, err := a.Layout(t.Context(), ref)
		if err != nil {
			continue // of a form of its own
		}
		found++
		object, err := a.Object(ref)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := object.EncodedPayload()
		at, _, _ := l.Extent(make([]uint64, len(l.Chunk)))
		if err != nil || !bytes.Equal(whole[at.Offset:][:at.Length], payload) || !a.Alike(t.Context(), ref, ref) {
			t.Errorf("object %d is not at %d: %v", ref, at.Offset, err)
		}
	}
	if found < 2 {
		t.Errorf("%d layouts, expected some", found)
	}
}

// Select is called for every object with all its metadata, and chooses.
func TestListSelects(t *testing.T) {
	for _, name := range []string{"grib/gfs_2p50_f000.grib2", "tgm/v0.20/multi_message.tgm", "netcdf/multi_var.nc", "tet/tetpy/weather.tet"} {
		name = filepath.Join("../../fixtures", name)
		var all []string
		a, err := archive.List(t.Context(), []string{name}, archive.Options{Select: func(o *dataset.Object) bool {
			all = append(all, o.Where)
			return len(all)%2 == 1
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		whole := open(t, archive.Options{Index: archive.IndexNone}, name)
		if len(all) != whole.Catalog.Len() || a.Catalog.Len() != (len(all)+1)/2 || a.Set != nil || a.State() != whole.State() {
			t.Errorf("%s: %d objects, %d kept, of %d", name, len(all), a.Catalog.Len(), whole.Catalog.Len())
		}
		for ref, e := range a.Catalog.All() {
			if e.Where() != all[2*ref] {
				t.Errorf("object %d is %s, expected %s", ref, e.Where(), all[2*ref])
			}
		}
	}
}

// A folder whose index is beside it is catalogued again only where it changed.
func TestGrowth(t *testing.T) {
	dir := t.TempDir()
	copied(t, dir, "grib/2t.grib2", "a.grib2")
	opts := archive.Options{Index: archive.IndexBeside}
	first := open(t, opts, dir)
	if changed, err := first.Changed(t.Context()); err != nil || changed {
		t.Errorf("changed %v, %v", changed, err)
	}
	copied(t, dir, "grib/q_150.grib2", "b.grib2")
	if changed, err := first.Changed(t.Context()); err != nil || !changed {
		t.Errorf("changed %v, %v after a file was added", changed, err)
	}
	next, err := first.Again(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if next.Indexed != 1 || next.Catalog.Len() != 2 {
		t.Errorf("%d files were known, %d entries; expected 1 and 2", next.Indexed, next.Catalog.Len())
	}
}

// A file that changes gives an error, and never other bytes.
func TestChangedFiles(t *testing.T) {
	for _, format := range []string{"grib", "tgm"} {
		for _, test := range []struct {
			what, reason string
			change       func(path string) error
		}{
			{"removed", "vanished", os.Remove},
			{"folder", "vanished", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
			{"shorter", "shrank", func(path string) error { return os.Truncate(path, 100) }},
			{"empty", "shrank", func(path string) error { return os.Truncate(path, 0) }},
			{"replaced", "changed", func(path string) error {
				b, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(path+"new", append(b, b...), 0o600), os.Rename(path+"new", path))
			}},
			{"overwritten", "changed", func(path string) error {
				b, err := os.ReadFile(path)
				before, errBefore := os.Stat(path)
				for i := range b {
					b[i] ^= 0x55
				}
				err = errors.Join(err, errBefore, os.WriteFile(path, b, 0o600))
				later := before.ModTime().Add(time.Second) // the clock of the file system may stand still
				return errors.Join(err, os.Chtimes(path, later, later))
			}},
		} {
			t.Run(format+" "+test.what, func(t *testing.T) {
				dir := t.TempDir()
				var path string
				if format == "grib" {
					path = copied(t, dir, "grib/2t.grib2", "a.grib2")
				} else {
					path = converted(t, dir, "grib/2t.grib2", "a.tgm")
				}
				a := open(t, archive.Options{Index: archive.IndexNone}, path)
				if _, err := dataset.Read(context.Background(), a, 0, nil); err != nil {
					t.Fatal(err)
				}
				if err := test.change(path); err != nil {
					t.Fatal(err)
				}
				var changed *archive.ChangedError
				if _, err := dataset.Read(context.Background(), a, 0, nil); !errors.As(err, &changed) || changed.Reason != test.reason {
					t.Errorf("%v, expected that the file %s", err, test.reason)
				}
			})
		}
	}
}

func Example() {
	a, err := archive.Open(context.Background(), []string{"../../fixtures/grib/cfgrib/era5-levels-members.grib"}, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	t, _, err := a.Set.Select("t").Label("number", 0).Label("isobaricInhPa", 850).Nearest("latitude", 48.2).Nearest("longitude", 16.4).
		Floats(context.Background(), a)
	fmt.Printf("%.1f %v\n", t, err)
	// Output: [275.9 276.2 275.6 271.3] <nil>
}

// TestNamesOfNetCDFAndGRIB: a netCDF variable with the name of a coordinate of the GRIB fields
// beside it does not hide it.
func TestNamesOfNetCDFAndGRIB(t *testing.T) {
	a := open(t, archive.Options{Index: archive.IndexNone}, "../../fixtures/grib/2t.grib2", "../../fixtures/netcdf/unlimited_time.nc")
	times := 0
	for _, g := range a.Set.Groups {
		names := make(map[string]bool)
		for _, v := range g.Variables {
			if names[v.Name] {
				t.Errorf("group %q has two variables %q", g.Name, v.Name)
			}
			if names[v.Name] = true; v.Name == "time" {
				times++
			}
		}
	}
	if times != 2 {
		t.Errorf("%d variables are named time, expected that of the GRIB fields and that of the netCDF file", times)
	}
}
