package fromnetcdf_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// convertFile returns the objects of a conversion, and the metadata of its first message.
func convertFile(t *testing.T, src fromnetcdf.Options, name string) ([]object, map[string]any) {
	t.Helper()
	s := fromnetcdf.New([]importers.Input{{Name: filepath.Join(fixtures, name)}}, src)
	defer s.Close()
	var out bytes.Buffer
	if _, err := importers.Convert(t.Context(), s, &out, importers.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	md, err := m.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	all, _ := convert(t, src, name)
	return all, md.Extra
}

// entry is the description of a variable in an object.
func entry(t *testing.T, extra map[string]any, o object) *mapping.NetCDF {
	t.Helper()
	n, ok := mapping.ReadIn(extra, o.base).NetCDF()
	if !ok {
		t.Fatalf("%v is no netCDF variable", o.base)
	}
	return n
}

// TestCompoundText converts characters within compounds: in elements they are text with a dimension for its
// length, in attributes they are text.
func TestCompoundText(t *testing.T) {
	all, extra := convertFile(t, fromnetcdf.Options{}, "../../exporters/tonetcdf/testdata/compound_text.nc")
	o := find(t, all, "station/name")
	if want := "Oslo\x00\x00Bergen"; string(o.array.Data) != want || fmt.Sprint(o.desc.Shape, o.base["dim_names"]) != "[2 6] [x string6]" {
		t.Errorf("%q %v %v, expected %q", o.array.Data, o.desc.Shape, o.base["dim_names"], want)
	}
	if n := entry(t, extra, o); n.Type != "char" {
		t.Errorf("type %q", n.Type)
	}
	n := entry(t, extra, find(t, all, "station/speed"))
	if want := map[string]any{"name": "", "speed": "m/s"}; !reflect.DeepEqual(n.Attributes["units"], want) {
		t.Errorf("units %v, expected %v", n.Attributes["units"], want)
	}
}

// TestForms converts variables that are not arrays of numbers (interop/netcdf/typed.py).
func TestForms(t *testing.T) {
	all, extra := convertFile(t, fromnetcdf.Options{}, "made/typed.h5")
	for name, want := range map[string]struct {
		dtype  tgm.DType
		shape  string
		values string
		kind   string
	}{
		"station/id":            {tgm.Int16, "[2]", "[-7 300]", "compound"},
		"station/at/y":          {tgm.Float64, "[2]", "[2.5 -2]", "compound"},
		"station/corners/x":     {tgm.Float32, "[2 3]", "[1 3 5 7 9 11]", "compound"},
		"station/name":          {tgm.Uint8, "[2 4]", "abcdef\x00\x00", "string"},
		"station/note":          {tgm.Uint8, "[2 7]", "größe\x00\x00\x00\x00\x00\x00\x00", "string"},
		"station/colour":        {tgm.Uint8, "[2]", "[250 1]", "enum"},
		"station/levels":        {tgm.Int32, "[3]", "[1 2 3]", "vlen"},
		"station/levels_counts": {tgm.Uint64, "[2]", "[3 0]", "vlen"},
		"texts":                 {tgm.Uint8, "[3 8]", "größer\x00\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00\x00\x00\x00\x00", "string"},
		"one":                   {tgm.Uint8, "[5]", "alone", "string"},
		"levels":                {tgm.Float32, "[3]", "[1.5 2.5 3.5]", "vlen"},
		"levels_counts":         {tgm.Uint64, "[2 2]", "[2 0 0 1]", "vlen"},
		"times":                 {tgm.Uint8, "[2 8]", "[1 0 0 0 0 0 0 0 2 0 0 0 0 0 0 0]", "opaque"},
		"colour":                {tgm.Uint8, "[3]", "[0 250 1]", "enum"},
		"sparse":                {tgm.Float32, "[1000 1000]", "", ""},
	} {
		o := find(t, all, name)
		if o.desc.DType != want.dtype || fmt.Sprint(o.desc.Shape) != want.shape {
			t.Errorf("%s: %s %v, expected %s %s", name, o.desc.DType, o.desc.Shape, want.dtype, want.shape)
			continue
		}
		n := entry(t, extra, o)
		if n.Type != want.kind {
			t.Errorf("%s: type %q, expected %q", name, n.Type, want.kind)
		}
		switch {
		case want.values == "":
		case want.values[0] == '[':
			if got := fmt.Sprint(numbers(t, o.array)); got != want.values {
				t.Errorf("%s: %s, expected %s", name, got, want.values)
			}
		case !strings.HasPrefix(want.values, string(o.array.Data)) || len(o.array.Data) != len(want.values):
			t.Errorf("%s: %q, expected %q", name, o.array.Data, want.values)
		}
	}
	if n := entry(t, extra, find(t, all, "levels")); n.Counts != "levels_counts" {
		t.Errorf("the lengths of levels are %q", n.Counts)
	}
	if n := entry(t, extra, find(t, all, "texts")); n.Encoding != "utf-8" {
		t.Errorf("the encoding of texts is %q", n.Encoding)
	}
	n := entry(t, extra, find(t, all, "colour"))
	if !reflect.DeepEqual(n.Attributes["flag_meanings"], "blue green red") || fmt.Sprint(n.Attributes["flag_values"]) != "[250 1 0]" {
		t.Errorf("flags of colour: %v", n.Attributes)
	}
	others := map[string]string{}
	for _, o := range n.File.Others {
		others[o.Name] = o.Reason
	}
	if len(others) != 2 || others["refs"] == "" || others["regions"] == "" {
		t.Errorf("without an object are %v, expected refs and regions", others)
	}
	first := entry(t, extra, find(t, all, "station/id")).Attributes["first"].(map[string]any)
	if first["note"] != "größe" || first["at"].(map[string]any)["y"] != 2.5 {
		t.Errorf("the compound attribute is %v", first)
	}
}

// TestFileOnce converts a scalar character variable with attributes, and a group without variables.
// Metadata of the file are in the metadata of the message only.
func TestFileOnce(t *testing.T) {
	all, extra := convertFile(t, fromnetcdf.Options{}, "made/gm_char.nc")
	o := find(t, all, "rotated_pole")
	n := entry(t, extra, o)
	if o.desc.DType != tgm.Uint8 || len(o.desc.Shape) != 0 || n.Type != "char" || n.Attributes["grid_mapping_name"] != "rotated_latitude_longitude" {
		t.Errorf("rotated_pole: %s %v %+v", o.desc.DType, o.desc.Shape, n)
	}
	if g := n.File.Groups; len(g) != 1 || g[0].Name != "/what" || g[0].Attributes["gain"] != 0.5 || g[0].Types["quantity"] != nil || g[0].Types["gain"] != "double" {
		t.Errorf("groups %+v, expected /what with gain and quantity", g)
	}
	for _, o := range all {
		for key := range o.base[mapping.KeyNetCDF].(map[string]any) {
			if key == mapping.NetCDFFileKey || key == mapping.NetCDFGlobal || key == mapping.NetCDFGroups {
				t.Errorf("%v repeats %s", o.base[mapping.KeyName], key)
			}
		}
	}
}

// TestUnsigned reads integers with the sign that _Unsigned says, packed or not.
func TestUnsigned(t *testing.T) {
	all, extra := convertFile(t, fromnetcdf.Options{}, "made/missing.nc")
	o := find(t, all, "uns_b")
	n := entry(t, extra, o)
	if o.desc.DType != tgm.Uint8 || n.Type != "byte" || fmt.Sprint(n.Attributes["_FillValue"]) != "255" || n.AttrTypes["_FillValue"] != "ubyte" {
		t.Errorf("uns_b: %s %+v", o.desc.DType, n)
	}
	if _, has := n.Attributes["_Unsigned"]; has {
		t.Error("_Unsigned is used up and still there")
	}
	if o := find(t, all, "ub_signed"); o.desc.DType != tgm.Int8 {
		t.Errorf("ub_signed: %s, expected int8", o.desc.DType)
	}
	whole := unpacked(t, fromnetcdf.Options{}, "made/missing.nc")
	for _, n := range numbers(t, find(t, whole, "p_uns_b").array) {
		if n == nil {
			continue
		}
		if f, _ := n.Float64(); f < 10 {
			t.Errorf("p_uns_b has %v, expected at least its offset of 10", f)
		}
	}
}

// TestPackedFloatsAreKept keeps packed floating-point numbers, and the missing points among them,
// also where they unpack to their own type.
func TestPackedFloatsAreKept(t *testing.T) {
	of := make(map[string]int)
	for _, stored := range []string{"tetration_cf_3d.nc", "made/missing.nc", "made/packed_floats.nc"} {
		kept, extra := convertFile(t, fromnetcdf.Options{}, stored)
		plain := unpacked(t, fromnetcdf.Options{}, stored)
		for _, o := range kept {
			name := o.base[mapping.KeyName].(string)
			scaling, has := mapping.ReadIn(extra, o.base).Scaling(o.desc.DType)
			if !has || !o.desc.DType.IsFloat() {
				continue
			}
			unpacked := find(t, plain, name)
			of[fmt.Sprint(o.desc.DType, " to ", unpacked.desc.DType)]++
			if scaling.Single != (unpacked.desc.DType == tgm.Float32) {
				t.Errorf("%s, %s: in float32 %v, expected to give %s", stored, name, scaling.Single, unpacked.desc.DType)
			}
			want := numbers(t, unpacked.array)
			for i, x := range numbers(t, o.array) {
				if (x == nil) != (want[i] == nil) {
					t.Fatalf("%s, %s: point %d is %v, expected %v", stored, name, i, x, want[i])
				}
				if x == nil {
					continue
				}
				packed, _ := x.Float64()
				y, _ := want[i].Float64()
				if got, _ := scaling.Value(packed); got != y {
					t.Fatalf("%s, %s: point %d is %v, expected %v", stored, name, i, got, y)
				}
			}
		}
	}
	for _, kind := range []string{"float32 to float32", "float32 to float64", "float64 to float64"} {
		if of[kind] == 0 {
			t.Errorf("no %s were kept, but %v", kind, of)
		}
	}
}

// TestPackedIntegersAreKept compares the integers, unpacked by the attributes beside them, with the
// values.
func TestPackedIntegersAreKept(t *testing.T) {
	for _, file := range []string{"cf_temperature.nc", "made/missing.nc", "attr_type_variants.nc"} {
		kept, extra := convertFile(t, fromnetcdf.Options{CF: true}, file)
		plain := unpacked(t, fromnetcdf.Options{CF: true}, file)
		n := 0
		for _, o := range kept {
			name := o.base[mapping.KeyName].(string)
			e := entry(t, extra, o)
			scale, has := e.Attributes["scale_factor"].(float64)
			if !has || o.desc.DType.IsFloat() || e.Packing != nil {
				continue
			}
			n++
			offset, _ := e.Attributes["add_offset"].(float64)
			want := find(t, plain, name)
			for i, w := range numbers(t, want.array) {
				if w == nil {
					continue
				}
				x, _ := numbers(t, o.array)[i].Float64()
				y, _ := w.Float64()
				if got := x*scale + offset; math.Abs(got-y) > 1e-6*max(1, math.Abs(y)) && !math.IsNaN(got) {
					t.Errorf("%s, %s: %v unpacks to %v, expected %v", file, name, x, got, y)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: no packed integers were kept", file)
		}
	}
}

// TestValidRange gives the valid range in the units of the values.
func TestValidRange(t *testing.T) {
	kept, _ := convert(t, fromnetcdf.Options{CF: true}, "made/missing.nc")
	for what, all := range map[string][]object{"unpacked": unpacked(t, fromnetcdf.Options{CF: true}, "made/missing.nc"), "kept": kept} {
		cf := find(t, all, "p_range").base[mapping.KeyCF].(map[string]any)
		if got := cf["valid_range"].([]any); got[0] != 5.0 || got[1] != 15.0 {
			t.Errorf("%s: valid_range %v, expected 5 to 15", what, got)
		}
	}
	o := find(t, kept, "i_range")
	cf := o.base[mapping.KeyCF].(map[string]any)
	if got := fmt.Sprint(cf["valid_range"]); got != "[0 100]" {
		t.Errorf("valid_range %v of a variable that is not packed, expected 0 to 100", got)
	}
}

// TestImplausibleClaim converts a file in which one variable claims more than the file could hold:
// the others are there, and it is in the report.
func TestImplausibleClaim(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(fixtures, "linked/main.h5"))
	if err != nil {
		t.Fatal(err)
	}
	// The variable far has 2^31 elements.
	report, err := convertBytes(t, b, importers.Options{SkipBad: true}) // variables in other files
	if err != nil || report.Fields == 0 {
		t.Fatalf("%+v, error %v", report, err)
	}
	said := slices.ContainsFunc(report.WarningList, func(w importers.Warning) bool {
		// A machine of 32 bits refuses the dimension already.
		return strings.Contains(w.Text, "variable far is skipped") && strings.Contains(w.Text, "2147483648")
	})
	if !said {
		t.Errorf("warnings %v, expected one about far", report.WarningList)
	}
}
