package fromzarr_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// document is the document of an array of int16 in big-endian order.
func document(shape, chunk, more string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{"zarr_format":3,"node_type":"array","shape":%s,"data_type":"int16","fill_value":-1,
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":%s}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
"codecs":[{"name":"bytes","configuration":{"endian":"big"}}]%s}`, shape, chunk, more)}
}

func groupDocument(attributes string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{"zarr_format":3,"node_type":"group","attributes":%s}`, attributes)}
}

func open(t *testing.T, files fstest.MapFS) *netcdf.File {
	t.Helper()
	f, err := fromzarr.Model(t.Context(), zarr.NewDir(files), "one")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestModel(t *testing.T) {
	f := open(t, fstest.MapFS{
		"zarr.json":       groupDocument(`{"title":"x","list":[1,2],"mixed":[1,"a"],"map":{"b":1},"none":null,"yes":true,"f":[1,2.5],"_NCProperties":"v=2"}`),
		"x/zarr.json":     document("[3]", "[3]", `,"dimension_names":["x"]`),
		"x/c/0":           {Data: []byte{0, 10, 0, 20, 0, 30}},
		"g/zarr.json":     groupDocument(`{}`),
		"g/t/zarr.json":   document("[2,3]", "[2,2]", `,"dimension_names":["y","x"],"attributes":{"_FillValue":-1,"valid_max":70000}`),
		"g/t/c/0/0":       {Data: []byte{0, 1, 0, 2, 0, 4, 0, 5}}, // the other chunk is absent
		"g/u/zarr.json":   document("[3,3]", "[3,3]", `,"attributes":{"_ARRAY_DIMENSIONS":["x","x"]}`),
		"g/v/zarr.json":   document("[4,4]", "[3,3]", ``),
		"g/w/zarr.json":   document("[5]", "[5]", `,"dimension_names":["y"]`),
		"g/bad/zarr.json": {Data: []byte(strings.Replace(string(document("[5]", "[5]", ``).Data), `"bytes"`, `"strange"`, 1))},
	})
	if f.Kind != netcdf.Zarr {
		t.Errorf("kind %s", f.Kind)
	}
	got := make(map[string]string)
	for _, a := range f.Root().Attrs {
		got[a.Name] = fmt.Sprintf("%s %#v", a.Type.Class, a.Value)
	}
	want := map[string]string{
		"title": `char "x"`, "list": `int64 []int64{1, 2}`, "mixed": `char "[1,\"a\"]"`, "map": `char "{\"b\":1}"`, "none": `char "null"`,
		"yes": `int64 []int64{1}`, "f": `double []float64{1, 2.5}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("attributes %v, expected %v", got, want)
	}
	g := f.Root().Groups[0]
	dims := make(map[string][]string)
	for _, v := range g.Vars {
		for _, d := range v.Dims {
			dims[v.Name] = append(dims[v.Name], fmt.Sprint(d.Name, " ", d.Len))
		}
	}
	if want := map[string][]string{
		"t": {"y 2", "x 3"}, "u": {"x 3", "x 3"}, "v": {"phony_dim_0 4", "phony_dim_1 4"}, "w": {"y_5 5"},
	}; !reflect.DeepEqual(dims, want) {
		t.Errorf("dimensions %v, expected %v", dims, want)
	}
	v := g.Var("t")
	if v.Dims[1] != f.Root().Var("x").Dims[0] {
		t.Error("the dimension x of the group is not that of the group around it")
	}
	if a := v.Attr("_FillValue"); a.Type.Class != netcdf.Short || !reflect.DeepEqual(a.Value, []int64{-1}) {
		t.Errorf("fill value %+v", a)
	}
	if a := v.Attr("valid_max"); a.Type.Class != netcdf.Int64 { // which no element can have
		t.Errorf("valid_max %+v", a)
	}
	raw := make([]byte, 12)
	if err := v.Read(t.Context(), raw, nil, nil); err != nil || !slices.Equal(raw, []byte{1, 0, 2, 0, 255, 255, 4, 0, 5, 0, 255, 255}) {
		t.Errorf("elements % x, %v", raw, err)
	}
	if len(g.Skipped) != 1 || g.Skipped[0].Name != "bad" || !strings.Contains(g.Skipped[0].Err.Error(), `strange`) {
		t.Errorf("skipped %+v", g.Skipped)
	}
}

// A store that is one array has a variable of the name of the store.
func TestModelOfArray(t *testing.T) {
	f := open(t, fstest.MapFS{"zarr.json": document("[3]", "[3]", ``)})
	if vars := f.Root().Vars; len(vars) != 1 || vars[0].Name != "one" || vars[0].Path != "/one" {
		t.Errorf("variables %+v", vars)
	}
}

// Fill values of floats are numbers, names of numbers that JSON does not have, or base64 as xarray writes it.
func TestModelFillValues(t *testing.T) {
	for text, want := range map[string]string{`-9`: "[-9]", `"NaN"`: "[NaN]", `"-Infinity"`: "[-Inf]", `"AAAAAAAA8D8="`: "[1]", `"x"`: "x", `[1,2]`: "[1 2]"} {
		d := document("[3]", "[3]", `,"attributes":{"_FillValue":`+text+`}`)
		d.Data = []byte(strings.NewReplacer("int16", "float32").Replace(string(d.Data)))
		f := open(t, fstest.MapFS{"zarr.json": d})
		if a := f.Root().Vars[0].Attr("_FillValue"); fmt.Sprint(a.Value) != want {
			t.Errorf("%s: %v, expected %s", text, a.Value, want)
		}
	}
}

// Attributes of format 2 may have numbers that JSON does not have. The netCDF library writes the types of
// numbers.
func TestAttributesOfFormat2(t *testing.T) {
	f := open(t, fstest.MapFS{
		".zgroup":   {Data: []byte(`{"zarr_format":2}`)},
		"v/.zarray": {Data: []byte(`{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"<i2","fill_value":null,"order":"C","compressor":null,"filters":null}`)},
		"v/.zattrs": {Data: []byte(`{"bare":NaN,"list":[0.5,-Infinity],"nested":{"a":[NaN,1]},"scale_factor":0.5,"range":[1,2],"quoted":"NaN","text":"NaN",
			"_nczarr_attr":{"types":{"scale_factor":"<f4","range":"<i2","quoted":"<f8","text":">S1"}}}`)},
	})
	var got []string
	for _, a := range f.Root().Vars[0].Attrs {
		got = append(got, fmt.Sprintf("%s %v = %v", a.Type.Class, a.Name, a.Value))
	}
	want := []string{"double bare = [NaN]", "double list = [0.5 -Inf]", `char nested = {"a":["NaN",1]}`, "double quoted = [NaN]", "short range = [1 2]", "float scale_factor = [0.5]", "char text = NaN"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Arrays of the netCDF library 4.9.0: dimensions of groups are known by their paths, scalars have a dimension of 1,
// and characters have a type of four bytes and take one.
func TestNCZarr(t *testing.T) {
	array := func(shape, dtype, described string) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":%s,"chunks":%s,"dtype":%q,"fill_value":null,"order":"C","compressor":null,"filters":null,"_NCZARR_ARRAY":%s}`,
			shape, shape, dtype, described)}
	}
	group := &fstest.MapFile{Data: []byte(`{"zarr_format":2}`)}
	f := open(t, fstest.MapFS{
		".zgroup": group, "g/.zgroup": group,
		"g/v/.zarray": array("[2]", "|u1", `{"dimrefs":["/g/n"],"storage":"chunked"}`), "g/v/0": {Data: []byte{1, 2}},
		"pi/.zarray": array("[1]", "|u1", `{"dimrefs":[],"storage":"scalar"}`), "pi/0": {Data: []byte{3}},
		"text/.zarray": array("[3]", "<U1", `{"dimrefs":["/len"],"storage":"chunked"}`), "text/0": {Data: []byte("abc")},
	})
	root := f.Root()
	for _, want := range []struct {
		v                   *netcdf.Var
		described, elements string
	}{
		{root.Groups[0].Var("v"), "ubyte v(n)", "\x01\x02"}, {root.Var("pi"), "ubyte pi", "\x03"}, {root.Var("text"), "char text(len)", "abc"},
	} {
		v := want.v
		got := make([]byte, v.Size())
		if err := v.Read(t.Context(), got, nil, nil); err != nil || string(got) != want.elements {
			t.Errorf("%v: %q, %v", v, got, err)
		}
		if fmt.Sprint(v) != want.described {
			t.Errorf("%v, expected %s", v, want.described)
		}
	}
}
