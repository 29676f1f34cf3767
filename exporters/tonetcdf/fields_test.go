package tonetcdf_test

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// values reads a variable with scale, offset and fill value applied.
func values(t *testing.T, v *netcdf.Var) []float64 {
	t.Helper()
	raw := elements(t, v).([]byte)
	scale, offset, fill := 1.0, 0.0, math.NaN()
	for name, to := range map[string]*float64{"scale_factor": &scale, "add_offset": &offset} {
		if a := v.Attr(name); a != nil {
			*to = a.Value.([]float64)[0]
		}
	}
	if a := v.Attr("_FillValue"); a != nil && !v.Type.Class.IsFloat() {
		fill = float64(a.Value.([]int64)[0])
	}
	out := make([]float64, len(raw)/v.Type.Size)
	for i := range out {
		b := raw[i*v.Type.Size:]
		var x float64
		switch v.Type.Class {
		case netcdf.UByte:
			x = float64(b[0])
		case netcdf.Short:
			x = float64(int16(binary.LittleEndian.Uint16(b)))
		case netcdf.Int:
			x = float64(int32(binary.LittleEndian.Uint32(b)))
		case netcdf.Float:
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		case netcdf.Double:
			x = math.Float64frombits(binary.LittleEndian.Uint64(b))
		default:
			t.Fatalf("variable %s of type %s", v.Path, v.Type.Describe())
		}
		if out[i] = float64(x*scale) + offset; x == fill {
			out[i] = math.NaN()
		}
	}
	return out
}

// source are the values of the fields of a variable, one after the other as they are in the file.
func source(t *testing.T, f *tgm.File, shortName string) (all []float64) {
	t.Helper()
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			if o.Base()["name"] == shortName {
				v, err := tgm.DecodeValues[float64](o)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, v...)
			}
		}
	}
	return all
}

func same(a, b []float64, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x != x && y != y || math.Abs(x-y) <= tolerance*math.Max(math.Abs(x), math.Abs(y))
	})
}

// TestFields holds that values of fields come through, packed as the source has them or not.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		path, shortName, variable string
		packed                    netcdf.Class
	}{
		{"sanity.grib2", "2t", "t2m", netcdf.Short},
		{"lsm.grib2", "lsm", "lsm", netcdf.Short},
		{"cfgrib/fields_with_missing_values.grib", "2t", "t2m", netcdf.Int},
		{"cfgrib/reduced_gg.grib", "10u", "u10", netcdf.Short},
		{"cfgrib/regular_gg_ml.grib", "t", "t", netcdf.Short},
		{"cfgrib/step_60m.grib", "2t", "t2m", netcdf.Int},
	} {
		f := fromGRIB(t, filepath.Join(fixtures, "grib", c.path))
		want := source(t, f.File, c.shortName)
		for _, pack := range []tonetcdf.Pack{tonetcdf.PackSource, tonetcdf.PackFloat32, tonetcdf.PackFloat64} {
			path, notes := export(t, f, tonetcdf.Options{Pack: pack})
			if len(notes) > 0 && c.path != "sanity.grib2" { // whose coordinates cannot be computed
				t.Errorf("%s: warnings %q", c.path, notes)
			}
			v := open(t, path).Root().Var(c.variable)
			if v == nil {
				t.Errorf("%s: no variable %s", c.path, c.variable)
				continue
			}
			class, tolerance := c.packed, 1e-14
			switch pack {
			case tonetcdf.PackFloat32:
				class, tolerance = netcdf.Float, 6e-8
			case tonetcdf.PackFloat64:
				class, tolerance = netcdf.Double, 0
			}
			if v.Type.Class != class {
				t.Errorf("%s: packing %d makes %s, expected %s", c.path, pack, v.Type.Class, class)
			}
			got := values(t, v)
			if len(got) == len(want) && !same(sorted(got), sorted(want), tolerance) {
				t.Errorf("%s: packing %d changes values", c.path, pack)
			}
			if len(got) < len(want) {
				t.Errorf("%s: %d values, expected %d", c.path, len(got), len(want))
			}
		}
	}
}

// sorted is a sorted copy: levels are in another order than fields.
func sorted(v []float64) []float64 { return slices.Sorted(slices.Values(v)) }

// TestOtherFormats writes fields in every format, with and without filters.
func TestOtherFormats(t *testing.T) {
	f := fromGRIB(t, filepath.Join(fixtures, "grib/cfgrib/step_60m.grib"))
	want, _ := export(t, f, tonetcdf.Options{})
	first := values(t, open(t, want).Root().Var("t2m"))
	for _, kind := range []netcdf.Kind{netcdf.CDF1, netcdf.CDF2, netcdf.CDF5, netcdf.NetCDF4Classic} {
		path, _ := export(t, f, tonetcdf.Options{Kind: kind})
		file := open(t, path)
		if file.Kind != kind || !same(values(t, file.Root().Var("t2m")), first, 0) {
			t.Errorf("%s: kind %s, or other values", kind, file.Kind)
		}
	}
	for _, filters := range [][]netcdf.Filter{{}, {ncwrite.Zstd(3)}, {ncwrite.Shuffle(), ncwrite.Deflate(9)}} {
		path, _ := export(t, f, tonetcdf.Options{Filters: &filters, Chunks: map[string]uint64{"latitude": 2, "step": 0}})
		v := open(t, path).Root().Var("t2m")
		if !slices.Equal(v.Storage.ChunkShape, []uint64{73, 2, 3}) || len(v.Storage.Filters) != len(filters) {
			t.Errorf("chunks %v, filters %v, expected 73x2x3, %v", v.Storage.ChunkShape, v.Storage.Filters, filters)
		}
		if !same(values(t, v), first, 0) {
			t.Errorf("filters %v: other values", filters)
		}
	}
	if _, err := plan(t, f, tonetcdf.Options{Chunks: map[string]uint64{"depth": 1}}); err == nil {
		t.Error("chunks along a dimension that is not there")
	}
}

// TestGroups holds that fields on several grids are groups, or files of their own.
func TestGroups(t *testing.T) {
	f := fromGRIB(t, filepath.Join(fixtures, "grib/cfgrib/tp_on_different_grid_resolutions.grib"))
	path, _ := export(t, f, tonetcdf.Options{})
	if root := open(t, path).Root(); len(root.Groups) == 0 || root.Attr("Conventions") == nil {
		t.Errorf("%d groups, expected some", len(root.Groups))
	}
	p, err := plan(t, f, tonetcdf.Options{Split: true, Kind: netcdf.CDF2})
	if err != nil || len(p.Files) != 2 || p.Files[0].Name == p.Files[1].Name {
		t.Errorf("%+v, %v, expected two files", p, err)
	}
	if _, err := plan(t, f, tonetcdf.Options{Kind: netcdf.CDF2}); err == nil || !strings.Contains(err.Error(), "need groups") {
		t.Errorf("groups in CDF-2: %v", err)
	}
}

// TestSelected holds that a variable comes with its coordinates and without the others.
func TestSelected(t *testing.T) {
	f := fromGRIB(t, filepath.Join(fixtures, "grib/cfgrib/cams-egg4-monthly.grib"))
	path, _ := export(t, f, tonetcdf.Options{Variables: []string{"t2m"}})
	root := open(t, path).Root()
	var names []string
	for _, v := range root.Vars {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	if want := []string{"crs", "latitude", "longitude", "number", "step", "surface", "t2m", "time", "valid_time"}; !slices.Equal(names, want) {
		t.Errorf("variables %v, expected %v", names, want)
	}
	if _, err := plan(t, f, tonetcdf.Options{Variables: []string{"nothing"}}); err != tonetcdf.ErrNothing {
		t.Errorf("a variable that is not there: %v", err)
	}
}

// TestTimesInClassicFormats: the coordinates of GRIB are the same numbers in all formats.
func TestTimesInClassicFormats(t *testing.T) {
	f := fromGRIB(t, fixtures+"/grib/cfgrib/cfrzr_and_cprat.grib")
	for _, kind := range []netcdf.Kind{netcdf.CDF1, netcdf.CDF2, netcdf.CDF5, netcdf.NetCDF4, netcdf.NetCDF4Classic} {
		path, _ := export(t, f, tonetcdf.Options{Kind: kind})
		for name, want := range map[string]float64{"time": 1683741600, "step": 18000, "valid_time": 1683759600} {
			v := open(t, path).Root().Var(name)
			raw := elements(t, v).([]byte)
			got := math.Float64frombits(binary.LittleEndian.Uint64(raw))
			if v.Type.Class == netcdf.Int64 {
				got = float64(int64(binary.LittleEndian.Uint64(raw)))
			}
			if got != want {
				t.Errorf("%s: %s is %v, expected %v", kind, name, got, want)
			}
		}
		if got := values(t, open(t, path).Root().Var("step_bounds")); !slices.Equal(got, []float64{0, 18000}) {
			t.Errorf("%s: bounds %v", kind, got)
		}
	}
}
