package torefs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

func sampleSet() *Set {
	return &Set{Groups: []Group{{Attributes: map[string]any{"title": "x"}}}, Arrays: []*Array{{
		Path: "t", Chunks: []Chunk{{URL: "file:///a.nc", Offset: 10, Length: 20}, {}, {Data: []byte{1, 2}}},
		Document: &zarr.ArrayMetadata{
			Shape: []uint64{3}, ChunkShape: []uint64{1}, DataType: zarr.Float32, FillValue: "NaN", DimensionNames: []string{"time"},
			Codecs: append(zarr.PlainCodecs(zarr.Float32), zarr.ShuffleCodec(4), zarr.Codec{Name: "numcodecs.zlib", Configuration: map[string]any{"level": int64(4)}}),
		},
	}}}
}

func TestZarray(t *testing.T) {
	a := sampleSet().Arrays[0].Document
	doc, err := zarray(a)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jsontext.Append(nil, doc)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"chunks":[1],"compressor":null,"dimension_separator":".","dtype":"<f4","fill_value":"NaN",` +
		`"filters":[{"elementsize":4,"id":"shuffle"},{"id":"zlib","level":4}],"order":"C","shape":[3],"zarr_format":2}`
	if string(text) != want {
		t.Errorf("found %s, expected %s", text, want)
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := sampleSet().WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var refs struct {
		Version int
		Refs    map[string]any
	}
	if err := json.Unmarshal(out.Bytes(), &refs); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(refs.Refs["t/0"], refs.Refs["t/2"]); got != "[file:///a.nc 10 20]base64:AQI=" || refs.Version != 1 {
		t.Errorf("found %s", got)
	}
	if _, ok := refs.Refs["t/1"]; ok {
		t.Error("an absent chunk has a reference")
	}
}

func TestFillValues(t *testing.T) {
	for _, c := range []struct {
		dtype zarr.DataType
		said  any
		fill  []byte
		holes bool
		want  string
	}{
		{zarr.Int16, nil, nil, false, "<nil>"},
		{zarr.Int16, int64(-9), nil, false, "-9"},
		{zarr.Int16, " ", nil, false, "<nil>"},
		{zarr.Int16, nil, []byte{0, 0}, true, "<nil>"},
		{zarr.Int16, nil, []byte{7, 0}, true, "error"},
		{zarr.Int16, int64(7), []byte{7, 0}, true, "7"},
		{zarr.Int16, int64(0), []byte{0, 0}, true, "0"},
		{zarr.Int16, int64(7), []byte{0, 0}, true, "error"},
		{zarr.Float32, 0.0, []byte{0, 0, 0, 0}, true, "0"},
		{zarr.Float32, -9.0, []byte{0, 0, 0x10, 0xc1}, true, "-9"},
		{zarr.Float32, "NaN", []byte{0, 0, 0xc0, 0x7f}, true, "NaN"},
		{zarr.Float32, nil, []byte{0, 0, 0xc0, 0x7f}, true, "NaN"},
		{zarr.Float32, nil, nil, true, "NaN"},
		{zarr.Float32, nil, []byte{0, 0, 0x80, 0x3f}, true, "error"},
	} {
		a := &zarr.ArrayMetadata{DataType: c.dtype, FillValue: c.dtype.DefaultFill(), Attributes: map[string]any{}}
		if c.said != nil {
			a.Attributes["_FillValue"] = c.said
		}
		err := setFill(a, c.fill, c.holes)
		got := fmt.Sprint(a.FillValue)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s, said %v, fill %v, holes %v: found %s (%v), expected %s", c.dtype, c.said, c.fill, c.holes, got, err, c.want)
		}
	}
}

// TestMissing wants the fill value as xarray reads it in attributes.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		dtype      zarr.DataType
		said, fill any
		want       string
	}{
		{zarr.Int16, int64(-9), int64(-9), "map[_FillValue:-9 units:K]"},
		{zarr.Float32, 1.0, 1.0, "map[_FillValue:AAAAAAAA8D8= units:K]"},
		{zarr.Float64, "NaN", "NaN", "map[_FillValue:AAAAAAAA+H8= units:K]"},
		{zarr.Float64, nil, "NaN", "map[units:K]"},
		{zarr.Uint8, " ", nil, "map[units:K]"},
	} {
		a := &zarr.ArrayMetadata{DataType: c.dtype, FillValue: c.fill, Attributes: map[string]any{"units": "K"}}
		if c.said != nil {
			a.Attributes["_FillValue"] = c.said
		}
		if got := fmt.Sprint(attributes(a)); got != c.want {
			t.Errorf("%s, %v: found %s, expected %s", c.dtype, c.said, got, c.want)
		}
	}
}

// TestConsolidated wants the documents in one where there are groups.
func TestConsolidated(t *testing.T) {
	for groups, want := range map[string]bool{"": false, "a": true} {
		set := sampleSet()
		if groups != "" {
			set.Groups = append(set.Groups, Group{Path: groups})
		}
		var out bytes.Buffer
		if err := set.WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		var refs struct{ Refs map[string]any }
		if err := json.Unmarshal(out.Bytes(), &refs); err != nil {
			t.Fatal(err)
		}
		text, found := refs.Refs[".zmetadata"].(string)
		var all struct{ Metadata map[string]any }
		if found && json.Unmarshal([]byte(text), &all) != nil || found != want || found && (all.Metadata["t/.zarray"] == nil || all.Metadata["a/.zgroup"] == nil) {
			t.Errorf("groups %q: found %q", groups, text)
		}
	}
}

// TestNames wants arrays and groups under the names that the store shows.
// unread are objects that nothing reads.
type unread struct{ dataset.Fields }

func (unread) Presence(int) dataset.Presence { return dataset.There }

func (unread) Layout(context.Context, int) (*importers.Layout, error) {
	return nil, &importers.UnportableError{Why: "nothing reads it"}
}

func TestNames(t *testing.T) {
	var objects []dataset.Object
	for i, name := range []string{"a#b", "a%b", "g?/v"} {
		base := mapping.Read(map[string]any{mapping.KeyName: name, mapping.KeyDims: []any{"x"}, mapping.KeyNetCDF: (&mapping.NetCDF{Dims: []string{"x"}}).Map()})
		objects = append(objects, dataset.Object{Ref: i, Message: i, Base: base, Shape: []uint64{2}, DType: tgm.Float32})
	}
	set, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Collect(t.Context(), set, serve.NewDatasetView(set, unread{}, serve.DatasetOptions{}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range found.Groups {
		got = append(got, g.Path)
	}
	for _, o := range found.LeftOut { // nothing reads them
		got = append(got, o.Path)
	}
	if want := []string{"", "g_", "a_b", "a_b_1", "g_/v"}; !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}

func ExampleSet_WriteJSON() {
	set := &Set{Groups: []Group{{}}}
	if err := set.WriteJSON(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"version":1,"refs":{".zgroup":"{\"zarr_format\":2}",
	// ".zattrs":"{}"}}
}
