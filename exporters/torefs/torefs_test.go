package torefs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

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
	text, err := zarr.AppendJSON(nil, doc)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"chunks":[1],"compressor":{"id":"zlib","level":4},"dimension_separator":".","dtype":"<f4","fill_value":"NaN",` +
		`"filters":[{"elementsize":4,"id":"shuffle"}],"order":"C","shape":[3],"zarr_format":2}`
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

func ExampleSet_WriteJSON() {
	set := &Set{Groups: []Group{{}}}
	if err := set.WriteJSON(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"version":1,"refs":{".zgroup":"{\"zarr_format\":2}",
	// ".zattrs":"{}"}}
}
