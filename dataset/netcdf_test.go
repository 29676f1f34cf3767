package dataset_test

import (
	"context"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// netcdfObject is an object that was a netCDF variable of one dimension.
func netcdfObject(ref int, name, dim string, length uint64, more map[string]any) dataset.Object {
	n := mapping.NetCDF{Dims: []string{dim}, Attributes: map[string]any{"units": "K"}}
	base := map[string]any{mapping.KeyName: name, mapping.KeyNetCDF: n.Map()}
	for key, value := range more {
		base[key] = value
	}
	return dataset.Object{Ref: ref, Where: name, Base: mapping.Read(base), Shape: []uint64{length}, DType: tgm.Float32}
}

func buildNetCDF(t *testing.T, objects ...dataset.Object) []string {
	t.Helper()
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
		for _, o := range objects {
			if !yield(o, nil) {
				return
			}
		}
	}, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return netcdfHeads(d)
}

// netcdfHeads lists the variables of a dataset with their groups and dimensions.
func netcdfHeads(d *dataset.Dataset) []string {
	var all []string
	for _, g := range d.Groups {
		for _, v := range g.Variables {
			all = append(all, g.Name+"/"+head(v))
		}
	}
	return all
}

func TestNetCDFKeepsItsNames(t *testing.T) {
	got := buildNetCDF(t, netcdfObject(0, "a", "x", 3, nil), netcdfObject(1, "g/b", "y", 2, nil))
	if want := []string{"/a(x: 3)", "g/b(y: 2)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// All values of ragged arrays lie along a dimension of another length than the arrays themselves.
func TestDimensionsOfTwoLengthsAreSeparate(t *testing.T) {
	got := buildNetCDF(t, netcdfObject(0, "counts", "x", 4, nil), netcdfObject(1, "ragged", "x", 10, nil))
	if want := []string{"/counts(x: 4)", "/ragged(ragged_x: 10)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

func TestRecordsAreJoined(t *testing.T) {
	record := func(i uint64) map[string]any { return map[string]any{mapping.KeyRecordIndex: i} }
	n := mapping.NetCDF{Dims: []string{"time", "x"}}
	objects := []dataset.Object{netcdfObject(0, "a", "x", 3, record(1)), netcdfObject(1, "a", "x", 3, record(0))}
	for i := range objects {
		base := map[string]any{mapping.KeyName: "a", mapping.KeyNetCDF: n.Map(), mapping.KeyRecordIndex: uint64(1 - i)}
		objects[i].Base = mapping.Read(base)
	}
	if got, want := buildNetCDF(t, objects...), []string{"/a(time: 2, x: 3)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// record is a variable of n records in a file with an unlimited dimension.
func record(ref int, file string, n uint64, units string) dataset.Object {
	extra := (&mapping.NetCDFFile{Dims: []mapping.FileDim{{Name: "time", Len: n, Unlimited: true}}}).Extra()
	v := mapping.NetCDF{Dims: []string{"time"}, Attributes: map[string]any{"units": units}}
	base := map[string]any{mapping.KeyName: "x", mapping.KeyNetCDF: v.Map()}
	return dataset.Object{Ref: ref, Where: file, File: file, Base: mapping.ReadIn(extra, base), Shape: []uint64{n}, DType: tgm.Float64}
}

func inMessage(n int, o dataset.Object) dataset.Object {
	o.Message = n
	return o
}

// fixed is a variable in a file without an unlimited dimension.
func fixed(o dataset.Object) dataset.Object {
	_, base := o.Base.Maps()
	o.Base = mapping.ReadIn((&mapping.NetCDFFile{Dims: []mapping.FileDim{{Name: "time", Len: o.Shape[0]}}}).Extra(), base)
	return o
}

// split is one record of a variable.
func split(o dataset.Object, n uint64) dataset.Object {
	_, base := o.Base.Maps()
	base[mapping.KeyRecordIndex] = n
	o.Shape = nil
	return o
}

// named is a variable under another name.
func named(name string, o dataset.Object) dataset.Object {
	extra, base := o.Base.Maps()
	base[mapping.KeyName] = name
	o.Base = mapping.ReadIn(extra, base)
	return o
}

// Records of several files follow one another.
func TestFilesAreJoined(t *testing.T) {
	for _, test := range []struct {
		name    string
		objects []dataset.Object
		want    []string
	}{
		{"equal lengths, the last shorter", []dataset.Object{record(0, "a.nc", 4, "K"), record(1, "b.nc", 4, "K"), record(2, "c.nc", 1, "K")}, []string{"/x(time: 9)"}},
		{"another length", []dataset.Object{record(0, "d/a.nc", 4, "K"), record(1, "d/b.nc", 3, "K"), record(2, "d/c.nc", 4, "K")}, []string{"/x(time: 11)"}},
		{"another length of one variable", []dataset.Object{record(0, "a.nc", 4, "K"), named("y", record(1, "a.nc", 4, "K")), record(2, "b.nc", 5, "K"), named("y", record(3, "b.nc", 4, "K"))},
			[]string{"a/x(time: 4)", "a/y(time: 4)", "b/x(time: 5)", "b/y(y_time: 4)"}},
		{"no records in a file", []dataset.Object{record(0, "a.nc", 4, "K"), record(1, "b.nc", 0, "K"), record(2, "c.nc", 4, "K")}, []string{"a/x(time: 4)", "b/x(time: 0)", "c/x(time: 4)"}},
		{"more than can be counted", []dataset.Object{record(0, "a.nc", 4, "K"), record(1, "b.nc", 1<<60, "K")}, []string{"a/x(time: 4)", "b/x(time: 1152921504606846976)"}},
		{"other units", []dataset.Object{record(0, "a.nc", 4, "K"), record(1, "b.nc", 4, "degC")}, []string{"a/x(time: 4)", "b/x(time: 4)"}},
		{"messages of one file", []dataset.Object{inMessage(0, record(0, "m.tgm", 4, "K")), inMessage(1, record(1, "m.tgm", 3, "K"))}, []string{"/x(time: 7)"}},
		{"messages of one file with other units", []dataset.Object{inMessage(0, record(0, "m.tgm", 4, "K")), inMessage(1, record(1, "m.tgm", 4, "degC"))}, []string{"m/x(time: 4)", "m_1/x(time: 4)"}},
		{"messages of one file of other lengths", []dataset.Object{
			inMessage(0, record(0, "m.tgm", 3, "K")), inMessage(1, record(1, "m.tgm", 4, "K")), inMessage(2, record(2, "m.tgm", 3, "K")),
		}, []string{"/x(time: 10)"}},
		{"no records", []dataset.Object{fixed(record(0, "a.nc", 4, "K")), fixed(record(1, "b.nc", 4, "K"))}, []string{"a/x(time: 4)", "b/x(time: 4)"}},
		{"records of two files", []dataset.Object{
			inMessage(0, split(record(0, "m.tgm", 4, "K"), 0)), inMessage(1, split(record(1, "m.tgm", 4, "K"), 1)),
			inMessage(2, split(record(2, "m.tgm", 4, "K"), 0)), inMessage(3, split(record(3, "m.tgm", 4, "K"), 1)),
		}, []string{"/x(time: 4)"}},
		{"records of two files of other lengths", []dataset.Object{
			inMessage(0, split(record(0, "m.tgm", 2, "K"), 0)), inMessage(1, split(record(1, "m.tgm", 2, "K"), 1)),
			inMessage(2, split(record(2, "m.tgm", 1, "K"), 0)),
			inMessage(3, split(record(3, "m.tgm", 2, "K"), 0)), inMessage(4, split(record(4, "m.tgm", 2, "K"), 1)),
		}, []string{"/x(time: 5)"}},
	} {
		d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
			for _, o := range test.objects {
				if !yield(o, nil) {
					return
				}
			}
		}, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range d.Groups {
			for _, v := range g.Variables {
				got = append(got, g.Name+"/"+head(v))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, expected %v", test.name, got, test.want)
		}
	}
}

// A variable that goes unchanged with every record shows once.
func TestRepeatedVariablesShowOnce(t *testing.T) {
	var objects []dataset.Object
	for i := range 3 {
		o := netcdfObject(i, "lat", "lat", 3, nil)
		n := mapping.NetCDF{Dims: []string{"lat"}}
		o.Base = mapping.Read(map[string]any{
			mapping.KeyName: "lat", mapping.KeyDims: []any{"lat"}, mapping.KeyNetCDF: n.Map(), mapping.KeyRecordIndex: uint64(i),
		})
		objects = append(objects, o)
	}
	if got, want := buildNetCDF(t, objects...), []string{"/lat(lat: 3)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// int16s is fields of one array each.
type int16s []int16

func (f int16s) Array(context.Context, int) (array.Array, error) {
	data, err := binary.Append(nil, binary.LittleEndian, []int16(f))
	return array.Memory([]uint64{uint64(len(f))}, tgm.Int16, data), err
}

// TestPackedIntegers reads packed integers as values, and shows them as float32 where the factors
// are.
func TestPackedIntegers(t *testing.T) {
	for _, factors := range []string{"float", "double"} {
		n := mapping.NetCDF{
			Dims: []string{"x"}, AttrTypes: map[string]any{"scale_factor": factors, "add_offset": factors, "valid_range": "short"},
			Attributes: map[string]any{"scale_factor": 0.5, "add_offset": 10.0, "_FillValue": int64(-1), "valid_range": []any{int64(0), int64(8)}},
		}
		o := netcdfObject(0, "a", "x", 3, map[string]any{mapping.KeyNetCDF: n.Map()})
		o.DType = tgm.Int16
		d, err := dataset.Build(dataset.ObjectList([]dataset.Object{o}), dataset.Options{Unpack: true})
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := d.Select("a").Floats(t.Context(), int16s{-1, 0, 8})
		if err != nil || !math.IsNaN(values[0]) || values[1] != 10.0 || values[2] != 14.0 {
			t.Errorf("%s: %v, %v; expected NaN, 10 and 14", factors, values, err)
		}
		a := d.Variable("a")
		want := []dataset.Attribute{{Key: "valid_range", Value: []float64{10, 14}}}
		if single := factors == "float"; (a.Type() == tgm.Float32) != single || reflect.DeepEqual(a.Attrs, want) != single {
			t.Errorf("%s: %s with %v", factors, a.Type(), a.Attrs)
		}
	}
}

func TestTextsAreShownWithoutBytes(t *testing.T) {
	for _, c := range []struct {
		text dataset.Text
		dims []string
		kind string
	}{
		{dataset.NotText, []string{"n", "bytes"}, "uint8"},
		{dataset.TextCharacters, []string{"n", "bytes"}, "S1"},
		{dataset.TextBytes, []string{"n"}, "S7"},
		{dataset.TextUTF8, []string{"n"}, "string"},
	} {
		v := dataset.Variable{Dims: []string{"n", "bytes"}, Shape: []uint64{3, 7}, DType: tgm.Uint8, Text: c.text}
		if dims, kind := v.Shown(); !slices.Equal(dims, c.dims) || kind != c.kind {
			t.Errorf("%d: shown as %v %s, expected %v %s", c.text, dims, kind, c.dims, c.kind)
		}
	}
}

// The fill value of texts is an attribute where clients read UTF-8.
func TestMissingTexts(t *testing.T) {
	const fill, missing = "_FillValue", "missing_value"
	for _, c := range []struct {
		kind  string
		attrs map[string]any
		want  any
	}{
		{"string", nil, nil},
		{"string", map[string]any{fill: "NA"}, "NA"},
		{"string", map[string]any{fill: ""}, ""},
		{"string", map[string]any{missing: "-"}, "-"},
		{"string", map[string]any{fill: "NA", missing: "NA"}, "NA"},
		{"string", map[string]any{fill: "NA", missing: "-"}, []string{"NA", "-"}},
		{"string", map[string]any{fill: int64(0)}, nil},
		{"char", map[string]any{fill: " ", missing: "-"}, nil},
		{"char", map[string]any{"_Encoding": "UTF-8", fill: " "}, nil},
		{"char", map[string]any{"_Encoding": "UTF-8", fill: " ", missing: "-"}, "-"},
	} {
		n := mapping.NetCDF{Type: c.kind, Dims: []string{"n", "bytes"}, Attributes: c.attrs}
		base := mapping.Read(map[string]any{mapping.KeyName: "a", mapping.KeyNetCDF: n.Map()})
		o := dataset.Object{Where: "a", Base: base, Shape: []uint64{3, 7}, DType: tgm.Uint8}
		d, err := dataset.Build(func(yield func(dataset.Object, error) bool) { yield(o, nil) }, dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Groups[0].Variables[0].Attr(missing); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s with %v: %s is %#v, expected %#v", c.kind, c.attrs, missing, got, c.want)
		}
	}
}

// TestLargeUnsignedAttributes wants numbers above the largest int64, which a description holds as
// texts: xarray opens no dataset with an array of integers whose fill value is a text.
func TestLargeUnsignedAttributes(t *testing.T) {
	const text = "18446744073709551615"
	n := mapping.NetCDF{
		Dims:       []string{"x"},
		Attributes: map[string]any{"_FillValue": text, "comment": text, "range": []any{"0", text}, "texts": []string{"0", text}},
		AttrTypes:  map[string]any{"_FillValue": "uint64", "range": "uint64", "texts": "string"},
		File:       &mapping.NetCDFFile{Global: map[string]any{"id": text}, GlobalTypes: map[string]any{"id": "uint64"}},
	}
	base := map[string]any{mapping.KeyName: "a", mapping.KeyNetCDF: n.Map()}
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
		yield(dataset.Object{Where: "a", Base: mapping.ReadIn(n.File.Extra(), base), Shape: []uint64{3}, DType: tgm.Uint64}, nil)
	}, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := d.Group("")
	want := []dataset.Attribute{
		{Key: "_FillValue", Value: uint64(math.MaxUint64)}, {Key: "comment", Value: text},
		{Key: "range", Value: []uint64{0, math.MaxUint64}}, {Key: "texts", Value: []string{"0", text}},
	}
	if got := g.Variables[0].Attrs; !reflect.DeepEqual(got, want) {
		t.Errorf("attributes %v, expected %v", got, want)
	}
	if want := []dataset.Attribute{{Key: "id", Value: uint64(math.MaxUint64)}}; !reflect.DeepEqual(g.Attrs, want) {
		t.Errorf("attributes of the group %v, expected %v", g.Attrs, want)
	}
}

// TestRaggedArrays wants the lengths of sequences to name the dimension of the values, as CF has it.
func TestRaggedArrays(t *testing.T) {
	object := func(name string, n mapping.NetCDF, size uint64, dtype tgm.DType) dataset.Object {
		return dataset.Object{Where: "a", Base: mapping.ReadIn(nil, map[string]any{mapping.KeyName: name, mapping.KeyNetCDF: n.Map()}), Shape: []uint64{size}, DType: dtype}
	}
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) {
		_ = yield(object("g/v_counts", mapping.NetCDF{Dims: []string{"x"}, CountsOf: "g/v"}, 2, tgm.Uint64), nil) &&
			yield(object("g/v", mapping.NetCDF{Dims: []string{"x"}, Counts: "g/v_counts"}, 4, tgm.Int32), nil)
	}, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := d.Group("g")
	if len(g.Variables) != 2 || g.Variables[1].Dims[0] == "x" {
		t.Fatalf("%d variables, the last with dimensions %v", len(g.Variables), g.Variables[len(g.Variables)-1].Dims)
	}
	want := []dataset.Attribute{{Key: "sample_dimension", Value: g.Variables[1].Dims[0]}}
	if got := g.Variables[0].Attrs; !reflect.DeepEqual(got, want) {
		t.Errorf("attributes %v, expected %v", got, want)
	}
}

// Groups without variables and attributes are there, as in xarray's open_datatree. Groups whose variables
// were all left out are not.
func TestEmptyGroups(t *testing.T) {
	file := mapping.NetCDFFile{
		Groups: []mapping.NetCDFGroup{{Name: "/told", Attributes: map[string]any{"a": 1}}},
		Layout: &mapping.NetCDFLayout{
			Groups:    []mapping.LayoutGroup{{Name: "/g"}, {Name: "/g/empty"}, {Name: "/told"}, {Name: "/other"}, {Name: "/other/in"}, {Name: "/e"}, {Name: "/e/f"}},
			Variables: []mapping.LayoutVariable{{Name: "g/b"}, {Name: "other/in/v"}},
		},
	}
	o := netcdfObject(0, "g/b", "y", 2, nil)
	_, base := o.Base.Maps()
	o.Base = mapping.ReadIn(file.Extra(), base)
	d, err := dataset.Build(func(yield func(dataset.Object, error) bool) { yield(o, nil) }, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range d.Groups {
		got = append(got, g.Name)
	}
	if want := []string{"", "g", "e", "e/f", "told", "g/empty"}; !slices.Equal(got, want) {
		t.Errorf("groups %q, expected %q", got, want)
	}
}

// sequences are the values and the lengths of sequences along a dimension.
func sequences(ref int, name, dim string, values, count uint64) []dataset.Object {
	object := func(ref int, name string, n mapping.NetCDF, length uint64, dtype tgm.DType) dataset.Object {
		n.Dims = []string{dim}
		base := map[string]any{mapping.KeyName: name, mapping.KeyNetCDF: n.Map()}
		if n.Counts != "" {
			base[mapping.KeyDims] = []string{name + "_values"}
		}
		return dataset.Object{Ref: ref, Where: name, Base: mapping.Read(base), Shape: []uint64{length}, DType: dtype}
	}
	counts := name + mapping.NetCDFCounts
	return []dataset.Object{
		object(ref, name, mapping.NetCDF{Counts: counts}, values, tgm.Float32),
		object(ref+1, counts, mapping.NetCDF{CountsOf: name}, count, tgm.Uint64),
	}
}

// The values of sequences lie along a dimension of their own. Its name has one length in the groups around
// and below: xarray's open_datatree refuses others.
func TestSequencesInGroups(t *testing.T) {
	objects := slices.Concat(sequences(0, "s", "x", 5, 2), sequences(2, "g/s", "x", 7, 2), sequences(4, "g/h/s", "x", 5, 2), sequences(6, "k/s", "x", 5, 2),
		[]dataset.Object{netcdfObject(8, "a", "x", 2, nil), netcdfObject(9, "k/b", "g_values", 3, nil)}, sequences(10, "g", "x", 3, 2), sequences(12, "k/x", "x", 2, 2))
	want := []string{"/s(s_values: 5)", "/s_counts(x: 2)", "/a(x: 2)", "/g(g_values_1: 3)", "/g_counts(x: 2)",
		"g/s(s_values_1: 7)", "g/s_counts(x: 2)", "k/s(s_values: 5)", "k/s_counts(x: 2)", "k/b(g_values: 3)", "k/x(x_values: 2)", "k/x_counts(x: 2)",
		"g/h/s(s_values: 5)", "g/h/s_counts(x: 2)"}
	if got := buildNetCDF(t, objects...); !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// The sequences of records that were split are joined, also where they have other lengths or none.
func TestSequencesOfRecords(t *testing.T) {
	var objects []dataset.Object
	for i, length := range []uint64{0, 3, 1} {
		for _, o := range sequences(2*i, "s", "time", length, 1) {
			_, base := o.Base.Maps()
			base[mapping.KeyRecordIndex] = uint64(2 - i)
			if o.Base.Name(nil) == "s_counts" {
				o.Shape = nil
			}
			o.Base = mapping.Read(base)
			objects = append(objects, o)
		}
	}
	if got, want := buildNetCDF(t, objects...), []string{"/s(s_values: 4)", "/s_counts(time: 3)"}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// Axes within the elements of a compound follow the dimensions of the file.
func TestInnerAxes(t *testing.T) {
	o := netcdfObject(0, "c/a", "x", 4, nil)
	o.Shape = []uint64{4, 2, 3}
	if got, want := buildNetCDF(t, o), []string{"/", "c/a(x: 4, a_dim_1: 2, a_dim_2: 3)"}; !slices.Equal(got[len(got)-1:], want[1:]) {
		t.Errorf("%v, expected %v", got, want)
	}
}
