package fromnetcdf_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestExact converts with every encoding that changes values: only data are changed.
func TestExact(t *testing.T) {
	const n = 64
	text := func(key, value string) netcdf.Attr {
		return netcdf.Attr{Name: key, Type: ncwrite.Atomic(netcdf.Char), Value: value}
	}
	roles := map[string]string{ // of the variables, "" for data
		"x": "coordinates", "aux": "coordinates", "track": "coordinates", "bnds": "bounds", "crs": "grid mappings",
		"sfc": "formula terms", "area": "cell measures", "quality": "flags", "count": "integers", "t": "", "u": "",
	}
	attrs := map[string][]netcdf.Attr{
		"x":       {text("bounds", "bnds"), text("formula_terms", "u: sfc")},
		"track":   {text("standard_name", "latitude")},
		"quality": {text("flag_meanings", "good bad")},
		"t":       {text("coordinates", "aux"), text("grid_mapping", "crs"), text("cell_measures", "t: area")},
	}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: n}}}
	data := map[*ncwrite.Var][]byte{}
	want := map[string][]byte{}
	for _, name := range []string{"x", "aux", "track", "bnds", "crs", "sfc", "area", "quality", "count", "t", "u"} {
		v := &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Double), Dims: []string{"x"}, Attrs: attrs[name]}
		if name == "count" {
			v.Type = ncwrite.Atomic(netcdf.Int64)
		}
		for i := range n {
			bits := math.Float64bits(1000500.5 + math.Sin(float64(i))/7)
			if name == "count" {
				bits = uint64(i) << 40
			}
			data[v] = binary.LittleEndian.AppendUint64(data[v], bits)
		}
		want[name] = bytes.Clone(data[v])
		root.Vars = append(root.Vars, v)
	}
	path := writeFile(t, root, data)

	counts := map[string]int{}
	for _, role := range roles {
		if role != "" {
			counts[role]++
		}
	}
	for name, e := range map[string]importers.Encoding{
		"simple_packing":      {Encoding: importers.EncodingSimplePacking},
		"simple_packing szip": {Encoding: importers.EncodingSimplePacking, Bits: 8, Compression: "szip"},
		"zfp": {Encoding: importers.EncodingNone, Compression: "zfp",
			Params: map[string]any{"zfp_mode": "fixed_rate", "zfp_rate": 8.0}},
		"sz3": {Encoding: importers.EncodingNone, Compression: "sz3",
			Params: map[string]any{"sz3_error_bound_mode": "abs", "sz3_error_bound": 0.01}},
	} {
		objects, report, err := tryConvert(t, fromnetcdf.Options{}, importers.Options{Encoding: e}, path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for v, role := range roles {
			if kept := bytes.Equal(find(t, objects, v).array.Data, want[v]); kept != (role != "") {
				t.Errorf("%s: values of %s, which is %q: the same is %t", name, v, role, kept)
			}
		}
		if !maps.Equal(report.Exact, counts) {
			t.Errorf("%s: %v, expected %v", name, report.Exact, counts)
		}
	}
	_, report, err := tryConvert(t, fromnetcdf.Options{}, importers.Options{Encoding: importers.Encoding{Encoding: importers.EncodingNone, Compression: "zstd"}}, path)
	if err != nil || len(report.Exact) > 0 {
		t.Errorf("zstd, which changes nothing: %v, %v", report.Exact, err)
	}
}
