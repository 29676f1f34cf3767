package tonetcdf_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

const fixtures = "../../fixtures"

// A convertedFile is a Tensogram file in a temporary folder.
type convertedFile struct {
	*tgm.File
	path string
}

// convert makes a Tensogram file of sources.
func convert(t *testing.T, s importers.Source, encoding string) convertedFile {
	t.Helper()
	defer s.Close()
	path := filepath.Join(t.TempDir(), "test.tgm")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	opts := importers.Options{TempDir: t.TempDir()}
	opts.Encoding.Encoding = encoding
	if _, err := importers.Convert(t.Context(), s, out, opts); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return convertedFile{f, path}
}

func fromNetCDF(t *testing.T, path string, split fromnetcdf.Split) convertedFile {
	t.Helper()
	return convert(t, fromnetcdf.New([]importers.Input{{Name: path}}, fromnetcdf.Options{Split: split, Opener: &storage.Client{External: true}}), "")
}

func fromGRIB(t *testing.T, path string) convertedFile {
	t.Helper()
	return convert(t, fromgrib.New([]importers.Input{{Name: path}}, fromgrib.Options{}), "")
}

func plan(t *testing.T, f convertedFile, opts tonetcdf.Options) (*tonetcdf.Plan, error) {
	t.Helper()
	var objects []dataset.Object
	a, err := archive.List(t.Context(), []string{f.path}, archive.Options{Select: func(o *dataset.Object) bool {
		objects = append(objects, *o)
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	opts.TempDir, opts.Bare = t.TempDir(), a.Bare()
	return tonetcdf.NewPlan(t.Context(), dataset.ObjectList(objects), a, opts)
}

// export writes the only file of a plan, and returns its path and the warnings.
func export(t *testing.T, f convertedFile, opts tonetcdf.Options) (string, []string) {
	t.Helper()
	p, err := plan(t, f, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) != 1 {
		t.Fatalf("%d files, expected 1", len(p.Files))
	}
	path := filepath.Join(t.TempDir(), "out.nc")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Files[0].Write(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path, p.Notes
}

func open(t *testing.T, path string) *netcdf.File {
	t.Helper()
	f, err := netcdf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// foreign are fixtures that are HDF5 and not netCDF, or broken: the parts with a form in netCDF are
// written, but the files do not come back unchanged.
func foreign(path string) bool {
	for _, part := range []string{"/hdf5/", "/h5py/", "/pyfive/", "/linked/", ".h5", "/sanity-"} {
		if strings.Contains(path, part) {
			return true
		}
	}
	return false
}

// TestRoundTrip holds that netCDF files come back as they were: classic files byte for byte,
// netCDF-4 ones with the same declarations and elements.
func TestRoundTrip(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(filepath.Join(fixtures, "netcdf"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".nc" || foreign(path) {
			return err
		}
		seen++
		t.Run(strings.TrimPrefix(path, fixtures), func(t *testing.T) {
			got, notes := export(t, fromNetCDF(t, path, fromnetcdf.SplitFile), tonetcdf.Options{})
			if len(notes) > 0 {
				t.Errorf("warnings: %q", notes)
			}
			a, b := open(t, path), open(t, got)
			if a.Kind != b.Kind {
				t.Fatalf("kind %s, expected %s", b.Kind, a.Kind)
			}
			if a.Kind == netcdf.NetCDF4 || a.Kind == netcdf.NetCDF4Classic {
				sameGroup(t, a.Root(), b.Root())
				return
			}
			want, _ := os.ReadFile(path)
			if strings.Contains(path, "/wild/wrf") { // the bytes that fill up the records differ; the first file's are kept
				sameGroup(t, a.Root(), b.Root())
				return
			}
			if have, _ := os.ReadFile(got); !bytes.Equal(have, want) {
				t.Errorf("%d bytes that differ from the %d of the source", len(have), len(want))
			}
		})
		return nil
	})
	if err != nil || seen < 10 {
		t.Errorf("%d files, %v", seen, err)
	}
}

// TestCompoundText holds that characters within compounds come back, in elements and in attributes.
func TestCompoundText(t *testing.T) {
	got, notes := export(t, fromNetCDF(t, "testdata/compound_text.nc", fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) > 0 {
		t.Errorf("warnings: %q", notes)
	}
	sameGroup(t, open(t, "testdata/compound_text.nc").Root(), open(t, got).Root())
}

// TestSequenceInCompound holds that a sequence within a compound, which HDF5 has in attributes too,
// comes back.
func TestSequenceInCompound(t *testing.T) {
	source := filepath.Join(fixtures, "netcdf/made/typed.h5")
	got, _ := export(t, fromNetCDF(t, source, fromnetcdf.SplitFile), tonetcdf.Options{})
	first := func(path string) string {
		for _, v := range open(t, path).Root().Vars {
			for _, a := range v.Attrs {
				if v.Name == "station" && a.Name == "first" {
					return fmt.Sprint(a.Value)
				}
			}
		}
		return ""
	}
	if want, have := first(source), first(got); want != have || !strings.Contains(want, "{levels [") {
		t.Errorf("%s, expected %s", have, want)
	}
}

// TestOtherConversions holds that records, variables in messages of their own and unpacked values
// come back as the same file too.
func TestOtherConversions(t *testing.T) {
	for _, path := range []string{"netcdf/unlimited_time.nc", "netcdf/multi_dtype.nc", "netcdf/cf_temperature.nc"} {
		source := filepath.Join(fixtures, path)
		want := open(t, source)
		for _, split := range []fromnetcdf.Split{fromnetcdf.SplitVariable, fromnetcdf.SplitRecord} {
			if split == fromnetcdf.SplitRecord && !strings.Contains(path, "unlimited") {
				continue
			}
			got, _ := export(t, fromNetCDF(t, source, split), tonetcdf.Options{})
			sameGroup(t, want.Root(), open(t, got).Root())
		}
		unpacked := convert(t, fromnetcdf.New([]importers.Input{{Name: source}}, fromnetcdf.Options{}), importers.EncodingNone)
		got, _ := export(t, unpacked, tonetcdf.Options{})
		sameGroup(t, want.Root(), open(t, got).Root())
	}
}

// TestMissingInRecords holds that each record has the elements at its own missing points.
func TestMissingInRecords(t *testing.T) {
	source := filepath.Join(fixtures, "netcdf/made/packed_floats.nc")
	got, _ := export(t, fromNetCDF(t, source, fromnetcdf.SplitRecord), tonetcdf.Options{})
	sameGroup(t, open(t, source).Root(), open(t, got).Root())
}

func sameGroup(t *testing.T, a, b *netcdf.Group) {
	t.Helper()
	if len(a.Dims) != len(b.Dims) || len(a.Vars) != len(b.Vars) || len(a.Groups) != len(b.Groups) || len(a.Types) != len(b.Types) {
		t.Fatalf("group %s: %d dimensions, %d variables, %d groups, %d types, expected %d, %d, %d, %d", a.Path,
			len(b.Dims), len(b.Vars), len(b.Groups), len(b.Types), len(a.Dims), len(a.Vars), len(a.Groups), len(a.Types))
	}
	for i, d := range a.Dims {
		if *d != *b.Dims[i] {
			t.Errorf("dimension %+v, expected %+v", *b.Dims[i], *d)
		}
	}
	sameAttrs(t, "group "+a.Path, a.Attrs, b.Attrs)
	for i := range a.Vars {
		sameVar(t, a.Vars[i], b.Vars[i])
	}
	for i := range a.Groups {
		if a.Groups[i].Name != b.Groups[i].Name {
			t.Fatalf("group %s, expected %s", b.Groups[i].Path, a.Groups[i].Path)
		}
		sameGroup(t, a.Groups[i], b.Groups[i])
	}
}

func sameAttrs(t *testing.T, of string, a, b []netcdf.Attr) {
	t.Helper()
	text := func(list []netcdf.Attr) (lines []string) {
		for _, x := range list {
			if _, isRef := x.Value.([]netcdf.Ref); isRef {
				x.Value = "places in the file"
			}
			lines = append(lines, fmt.Sprintf("%s %s %v", x.Name, x.Type.Describe(), x.Value))
		}
		return lines
	}
	if !slices.Equal(text(a), text(b)) {
		t.Errorf("%s: attributes\n%q, expected\n%q", of, text(b), text(a))
	}
}

func sameVar(t *testing.T, a, b *netcdf.Var) {
	t.Helper()
	if a.Name != b.Name || a.Type.Describe() != b.Type.Describe() || !slices.Equal(a.Shape(), b.Shape()) {
		t.Fatalf("variable %s %s %v, expected %s %s %v", b.Type.Describe(), b.Path, b.Shape(), a.Type.Describe(), a.Path, a.Shape())
	}
	sameAttrs(t, "variable "+a.Path, a.Attrs, b.Attrs)
	if a.Storage.Layout != netcdf.Compact && (a.Storage.Layout != b.Storage.Layout || !slices.Equal(a.Storage.ChunkShape, b.Storage.ChunkShape)) {
		t.Errorf("variable %s: %s %v, expected %s %v", a.Path, b.Storage.Layout, b.Storage.ChunkShape, a.Storage.Layout, a.Storage.ChunkShape)
	}
	if !reflect.DeepEqual(filterNumbers(a), filterNumbers(b)) {
		t.Errorf("variable %s: filters %v, expected %v", a.Path, filterNumbers(b), filterNumbers(a))
	}
	if x, y := elements(t, a), elements(t, b); !reflect.DeepEqual(x, y) {
		t.Errorf("variable %s: other elements", a.Path)
	}
}

func filterNumbers(v *netcdf.Var) (list [][2]int) {
	for _, f := range v.Storage.Filters {
		list = append(list, [2]int{f.ID, f.Level})
	}
	return list
}

func elements(t *testing.T, v *netcdf.Var) any {
	t.Helper()
	var data any
	var err error
	switch v.Type.Class {
	case netcdf.String:
		data, err = v.ReadStrings(t.Context(), nil, nil)
	case netcdf.Vlen:
		data, err = v.ReadRagged(t.Context(), nil, nil)
	case netcdf.Compound: // between its fields may be anything
		var members []any
		for _, path := range v.Type.MemberPaths() {
			m, err := v.Member(path...)
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, elements(t, m))
		}
		return members
	default:
		raw := make([]byte, v.Size())
		err = v.Read(t.Context(), raw, nil, nil)
		data = raw
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
