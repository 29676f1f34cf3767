package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// A testObject is an object of a message made for a test.
type testObject struct {
	array    tgm.Array
	pipeline tgm.Pipeline
	base     map[string]any
}

// testMessage writes a message.
func testMessage(t testing.TB, extra map[string]any, objects ...testObject) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
	for _, o := range objects {
		encoded, err := tgm.EncodeArray(o.array, o.pipeline)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(encoded, o.base); err != nil {
			t.Fatal(err)
		}
	}
	w.SetExtra(extra)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func testStore(t testing.TB, data []byte) zarr.Store {
	t.Helper()
	f, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return OpenMessages(f, MessageOptions{})
}

// float32s is an array of consecutive numbers.
func float32s(shape ...uint64) tgm.Array {
	n, _ := nd.Bytes(shape, 1)
	var data []byte
	for i := range n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	return tgm.Array{Shape: shape, DType: tgm.Float32, Data: data}
}

func get(t testing.TB, s zarr.Store, key string) []byte {
	t.Helper()
	data, err := zarr.ReadAll(context.Background(), s, key, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	info, err := zarr.Stat(context.Background(), s, key)
	if err != nil || info.Size != int64(len(data)) {
		t.Errorf("%s: Stat says %+v, %v; there are %d bytes", key, info, err, len(data))
	}
	return data
}

func readDocument(t testing.TB, s zarr.Store, key string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(get(t, s, key), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestMessageViewOfOneMessage(t *testing.T) {
	s := testStore(t, testMessage(t, map[string]any{"source": "test", "n": math.NaN()},
		testObject{array: float32s(2, 3), base: map[string]any{"name": "2t", "mars": map[string]any{"step": int64(6)}, "dim_names": []string{"y", "x"}}},
		testObject{array: float32s(), base: map[string]any{"name": "2t"}},
	))
	const array = `{"attributes":{"_tensogram_compression":"none","_tensogram_encoding":"none","_tensogram_filter":"none",` +
		`"_tensogram_hash":"HASH","dim_names":["y","x"],"mars":{"step":6},"name":"2t"},` +
		`"chunk_grid":{"configuration":{"chunk_shape":[2,3]},"name":"regular"},` +
		`"chunk_key_encoding":{"configuration":{"separator":"/"},"name":"default"},` +
		`"codecs":[{"configuration":{"endian":"little"},"name":"bytes"}],"data_type":"float32","dimension_names":["y","x"],` +
		`"fill_value":"NaN","node_type":"array","shape":[2,3],"zarr_format":3}`
	text := string(get(t, s, "2t/zarr.json"))
	hash := text[strings.Index(text, `hash":"`)+7:][:16]
	if want := strings.Replace(array, "HASH", hash, 1); text != want {
		t.Errorf("2t/zarr.json is\n%s, expected\n%s", text, want)
	}
	scalar := readDocument(t, s, "2t_1/zarr.json")
	for member, want := range map[string]any{
		"shape": []any{}, "dimension_names": []any{},
		"chunk_grid": map[string]any{"name": "regular", "configuration": map[string]any{"chunk_shape": []any{}}},
	} {
		if !reflect.DeepEqual(scalar[member], want) {
			t.Errorf("scalar: %s is %v, expected %v", member, scalar[member], want)
		}
	}
	if got := get(t, s, "2t/c/0/0"); !bytes.Equal(got, float32s(2, 3).Data) {
		t.Errorf("chunk is %x", got)
	}
	if got := get(t, s, "2t_1/c"); len(got) != 4 {
		t.Errorf("chunk of the scalar is %x", got)
	}
	root := readDocument(t, s, "zarr.json")
	wantAttributes := map[string]any{"source": "test", "n": "NaN", "_tensogram_wire_version": 3.0, "_tensogram_variables": []any{"2t", "2t_1"}}
	if !reflect.DeepEqual(root["attributes"], wantAttributes) {
		t.Errorf("attributes of the root are %v", root["attributes"])
	}
	nodes := root["consolidated_metadata"].(map[string]any)["metadata"].(map[string]any)
	if len(nodes) != 2 || !reflect.DeepEqual(nodes["2t_1"], any(scalar)) {
		t.Errorf("consolidated metadata are %v", nodes)
	}
	for _, key := range []string{"0/zarr.json", "2t", "c/0", "", "3t/zarr.json",
		"2t/zarr.json/zarr.json", "/zarr.json", "2t/c/0/00"} {
		if _, err := zarr.Stat(context.Background(), s, key); !errors.Is(err, zarr.ErrNotFound) {
			t.Errorf("%q gives %v", key, err)
		}
	}
	for _, key := range []string{"2t/c/0", "2t/c/0/1", "2t/c/0/0/0", "2t/c", "2t_1/c/0"} {
		if _, err := zarr.Stat(context.Background(), s, key); !errors.Is(err, zarr.ErrGone) {
			t.Errorf("%q, which is not in the grid of the array, gives %v", key, err)
		}
	}
}

func TestMessageViewOfSeveralMessages(t *testing.T) {
	data := slices.Concat(
		testMessage(t, map[string]any{"n": int64(0)}, testObject{array: float32s(2), base: map[string]any{"name": "a"}}),
		testMessage(t, map[string]any{"n": int64(1)}, testObject{array: float32s(3), base: map[string]any{"name": "a"}},
			testObject{array: float32s(4), base: map[string]any{"name": "c"}}),
		testMessage(t, nil))
	s := testStore(t, data)
	if got, want := listAll(t, s, ""), "0/a/c/0 0/a/zarr.json 0/zarr.json 1/a/c/0 1/a/zarr.json 1/c/c/0 1/c/zarr.json 1/zarr.json 2/zarr.json zarr.json"; got != want {
		t.Errorf("the store has %s,\nexpected %s", got, want)
	}
	root := readDocument(t, s, "zarr.json")
	if want := map[string]any{"_tensogram_wire_version": 3.0, "_tensogram_messages": 3.0}; !reflect.DeepEqual(root["attributes"], want) {
		t.Errorf("attributes of the root are %v", root["attributes"])
	}
	nodes := root["consolidated_metadata"].(map[string]any)["metadata"].(map[string]any)
	if len(nodes) != 6 || nodes["1/c"] == nil || nodes["2"] == nil {
		t.Errorf("consolidated metadata are %v", nodes)
	}
	if n := readDocument(t, s, "1/zarr.json")["attributes"].(map[string]any)["n"]; n != 1.0 {
		t.Errorf("n of message 1 is %v", n)
	}
	if got := get(t, s, "1/c/c/0"); len(got) != 16 {
		t.Errorf("chunk is %x", got)
	}
	for _, key := range []string{"3/zarr.json", "00/zarr.json", "-1/zarr.json", "a/zarr.json", "0/b/zarr.json", "0//zarr.json", "99999999999999999999/zarr.json"} {
		if _, err := zarr.Stat(context.Background(), s, key); !errors.Is(err, zarr.ErrNotFound) {
			t.Errorf("%q gives %v", key, err)
		}
	}
}

// listAll walks a store by listing and joins the keys it finds.
func listAll(t testing.TB, s zarr.Store, prefix string) string {
	t.Helper()
	var keys []string
	for key, err := range s.List(context.Background(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(key, "/") {
			keys = append(keys, strings.Fields(listAll(t, s, key))...)
		} else {
			keys = append(keys, key)
			get(t, s, key)
		}
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

// A file without any message is an empty group with a note.
func TestMessageViewOfNoMessage(t *testing.T) {
	s := testStore(t, nil)
	if got := listAll(t, s, ""); got != "zarr.json" {
		t.Errorf("the store has %s", got)
	}
}

func TestNames(t *testing.T) {
	mars := func(key string, value any) map[string]any { return map[string]any{"mars": map[string]any{key: value}} }
	tests := []struct {
		base map[string]any
		want string
	}{
		{map[string]any{"name": "2t", "param": "x"}, "2t"},
		{map[string]any{"param": "x", "shortName": "y"}, "x"},
		{mars("param", int64(165)), "10u"},
		{mars("shortName", "msl"), "msl"},
		{map[string]any{"shortName": "msl"}, "msl_1"},
		{map[string]any{"name": []any{"no text"}}, "object_5"},
		{map[string]any{"name": "2t"}, "2t_1"},
		{map[string]any{"name": "2t_1"}, "2t_1_1"},
		{map[string]any{"name": "2t"}, "2t_2"},
		{map[string]any{"name": `a/b\c?d#e%f` + "\x00g\n"}, "a_b_c_d_e_f_g_"},
		{map[string]any{"name": ""}, "object_10"},
		{map[string]any{"name": ".."}, "_.."},
		{map[string]any{"name": "__x"}, "_x"},
		{map[string]any{"name": "zarr.json"}, "_zarr.json"},
		{map[string]any{"name": "Größe [m²]"}, "Größe [m²]"},
		{map[string]any{"name": strings.Repeat("ä", 1000)}, strings.Repeat("ä", 100)},
	}
	var objects []testObject
	for _, test := range tests {
		objects = append(objects, testObject{array: float32s(1), base: test.base})
	}
	s := testStore(t, testMessage(t, nil, objects...))
	got := readDocument(t, s, "zarr.json")["attributes"].(map[string]any)["_tensogram_variables"].([]any)
	for i, test := range tests {
		if got[i] != test.want {
			t.Errorf("object %d, %v: %q, expected %q", i, test.base, got[i], test.want)
		}
		if !zarr.ValidKey(test.want + "/zarr.json") {
			t.Errorf("object %d: %q is no key", i, test.want)
		}
	}
}

func known(t *testing.T, name string, base map[string]any, extra map[string]any, shape ...uint64) knownArray {
	t.Helper()
	original, _, _ := strings.Cut(name, "~") // "latitude~1" is the second array of the name latitude
	a, err := newKnownArray(strings.Replace(name, "~", "_", 1), original, base, shape, extra)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestDimensionNames(t *testing.T) {
	netcdf := func(dims ...any) map[string]any { return map[string]any{"_dims": dims} }
	arrays := []knownArray{
		known(t, "t", map[string]any{"dim_names": []any{"lat", "lon"}}, nil, 3, 4),
		known(t, "u", map[string]any{"netcdf": netcdf("lat", "lon")}, nil, 3, 4),
		known(t, "v", map[string]any{"netcdf": netcdf("time", "lat", "lon"), "record_index": int64(1)}, nil, 3, 4),
		known(t, "other size", map[string]any{"dim_names": []any{"lat", "lon"}}, nil, 5, 4),
		known(t, "other size again", map[string]any{"dim_names": []any{"lat"}}, nil, 5),
		known(t, "third size", map[string]any{"dim_names": []any{"lat"}}, nil, 6),
		known(t, "wrong number", map[string]any{"dim_names": []any{"lat"}}, nil, 7, 8),
		known(t, "other wrong number", map[string]any{"dim_names": []any{"lat", ""}}, nil, 7, 9),
		known(t, "step", nil, nil, 11),
		known(t, "level", nil, nil, 12),
		known(t, "height", nil, nil, 12),
		known(t, "guessed", nil, nil, 11, 11, 12),
		known(t, "scalar", nil, nil),
	}
	want := [][]string{{"lat", "lon"}, {"lat", "lon"}, {"lat", "lon"}, {"lat_1", "lon"}, {"lat_1"}, {"lat_2"}, {"dim_0", "dim_1"},
		{"dim_0", "dim_1_1"}, {"step"}, {"level"}, {"height"}, {"step", "dim_1_2", "dim_2"}, {}}
	checkDimensions(t, arrays, want)

	bySize := map[string]any{"dim_names": map[string]any{"2": "two", "3": "three"}}
	checkDimensions(t, []knownArray{known(t, "a", nil, bySize, 2, 3), known(t, "b", nil, bySize, 3, 2), known(t, "c", nil, bySize, 2, 4)},
		[][]string{{"two", "three"}, {"three", "two"}, {"dim_0", "dim_1"}})
	list := map[string]any{"dim_names": []any{"p", "q"}}
	checkDimensions(t, []knownArray{known(t, "a", nil, list, 2, 3)}, [][]string{{"p", "q"}})
}

func checkDimensions(t *testing.T, arrays []knownArray, want [][]string) {
	t.Helper()
	got := dimensionNames(arrays)
	for i := range want {
		if !slices.Equal(got[i], want[i]) || got[i] == nil {
			t.Errorf("%s: %q, expected %q", arrays[i].name, got[i], want[i])
		}
	}
}

// Fields on different grids must not be labelled with each other's coordinates, even where the
// grids have one shape.
func TestDimensionsOfSeveralGrids(t *testing.T) {
	field := func(name, grid string, shape ...uint64) knownArray {
		return known(t, name, map[string]any{"dim_names": []any{"latitude", "longitude"}, "geometry": map[string]any{"id": grid}}, nil, shape...)
	}
	coordinate := func(name string, n uint64) knownArray {
		original, _, _ := strings.Cut(name, "~")
		return known(t, name, map[string]any{"dim_names": []any{original}}, nil, n)
	}
	// Each grid has its coordinates.
	checkDimensions(t,
		[]knownArray{field("a", "1", 3, 4), field("b", "2", 3, 4), field("c", "3", 5, 4), field("d", "2", 3, 4),
			coordinate("latitude", 3), coordinate("longitude", 4), coordinate("latitude~1", 3), coordinate("longitude~1", 4),
			coordinate("latitude~2", 5), coordinate("longitude~2", 4)},
		[][]string{{"latitude", "longitude"}, {"latitude_1", "longitude_1"}, {"latitude_2", "longitude_2"}, {"latitude_1", "longitude_1"},
			{"latitude"}, {"longitude"}, {"latitude_1"}, {"longitude_1"}, {"latitude_2"}, {"longitude_2"}})
	// Grids 1 and 2 have the same latitudes, which are stored once: grid 2 must not get the latitudes of grid 3.
	got := dimensionNames([]knownArray{field("a", "1", 3, 4), field("b", "2", 3, 5), field("c", "3", 3, 6),
		coordinate("latitude", 3), coordinate("longitude", 4), coordinate("longitude~1", 5), coordinate("latitude~1", 3), coordinate("longitude~2", 6)})
	if got[0][0] != "latitude" || got[3][0] != "latitude" {
		t.Errorf("latitudes of the first grid are %q, its coordinate has %q", got[0][0], got[3][0])
	}
	unknown := got[6][0]
	for i, dims := range got[:3] {
		if dims[0] == unknown {
			t.Errorf("field %d shares the dimension of a coordinate that may be another grid's: %q", i, dims)
		}
	}
	if want := [][]string{{"longitude"}, {"longitude_1"}, {"longitude_2"}}; got[0][1] != want[0][0] || got[1][1] != want[1][0] || got[2][1] != want[2][0] {
		t.Errorf("longitudes are %q, expected %q", got[:3], want)
	}
	// Coordinates of points, on a grid that is not separable.
	curvilinear := func(name, grid string) knownArray {
		return known(t, name, map[string]any{"dim_names": []any{"y", "x"}, "geometry": map[string]any{"id": grid}}, nil, 3, 4)
	}
	points := func(name string) knownArray {
		return known(t, name, map[string]any{"dim_names": []any{"y", "x"}}, nil, 3, 4)
	}
	checkDimensions(t, []knownArray{curvilinear("a", "1"), curvilinear("b", "2"), points("latitude"), points("longitude"), points("latitude~1"), points("longitude~1")},
		[][]string{{"y", "x"}, {"y_1", "x_1"}, {"y", "x"}, {"y", "x"}, {"y_1", "x_1"}, {"y_1", "x_1"}})
}

// Very many lengths and grids must not take quadratic time, nor clash.
func TestDimensionNamesOfManyLengths(t *testing.T) {
	var arrays []knownArray
	for i := range uint64(50_000) {
		arrays = append(arrays, knownArray{name: fmt.Sprint(i), stated: []string{"x"}, shape: []uint64{i}},
			knownArray{name: fmt.Sprint("g", i), stated: []string{"y"}, shape: []uint64{7}, grid: fmt.Sprint(i)})
	}
	seen := map[string]bool{}
	for _, dims := range dimensionNames(arrays) {
		if seen[dims[0]] {
			t.Fatalf("%s was given to two dimensions", dims[0])
		}
		seen[dims[0]] = true
	}
}

func TestEmptyArrayHasNoChunk(t *testing.T) {
	s := testStore(t, testMessage(t, nil, testObject{array: float32s(3, 0), base: map[string]any{"name": "x"}}))
	a, err := zarr.OpenArray(context.Background(), s, "x")
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{3, 1}; !slices.Equal(a.Metadata().ChunkShape, want) {
		t.Errorf("chunk shape is %v, expected %v", a.Metadata().ChunkShape, want)
	}
	if _, err := zarr.Stat(context.Background(), s, "x/c/0/0"); !errors.Is(err, zarr.ErrGone) {
		t.Errorf("the chunk gives %v", err)
	}
	if err := a.Read(context.Background(), nil); err != nil {
		t.Error(err)
	}
}

// Nothing but the chunk itself may need the payload: the documents of a file whose payloads are
// gone must be whole.
func TestDocumentsDoNotReadPayloads(t *testing.T) {
	data := testMessage(t, nil, testObject{array: float32s(10_000), pipeline: tgm.Pipeline{Compression: "lz4"}, base: map[string]any{"name": "x"}})
	f, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	message, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	object, err := message.Object(0)
	if err != nil {
		t.Fatal(err)
	}
	clear(data[object.PayloadOffset()+64:][:object.PayloadLength()-64])
	s := testStore(t, data)
	get(t, s, "zarr.json")
	get(t, s, "x/zarr.json")
	if info, err := zarr.Stat(context.Background(), s, "x/c/0"); err != nil || info.Size != 40_000 {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := zarr.ReadAll(context.Background(), s, "x/c/0", 1<<20); err == nil || errors.Is(err, zarr.ErrNotFound) {
		t.Errorf("a payload that is gone gives %v", err)
	}
}

func TestGoldenFiles(t *testing.T) {
	files := map[string]string{
		"v0.20/simple_f32":    "object_0=[1 2 3 4]",
		"v0.17/simple_f32":    "object_0=[1 2 3 4]",
		"v0.20/multi_object":  "object_0=[1.5 2.5] object_1=[100 -200 300] object_2=[10 20 30 40 50]",
		"v0.17/multi_object":  "object_0=[1.5 2.5] object_1=[100 -200 300] object_2=[10 20 30 40 50]",
		"v0.20/mars_metadata": "object_0=[1 2 3 4 5 6]",
		"v0.20/multi_message": "0/object_0=[1 2] 1/object_0=[3 4]",
		"v0.17/multi_message": "0/object_0=[1 2] 1/object_0=[3 4]",
		"metadata_parity":     "2t=[0 0 0 0 0 0] msl=[0 0 0 0]",
		"scan/single-msg":     "object_0=[0 1 2 3]",
		"scan/streaming-tail": "",
		"scan/ten-msg-footer": "",
	}
	for name, want := range files {
		f, err := tgm.Open("../fixtures/tgm/" + name + ".tgm")
		if errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for a, err := range zarr.Arrays(context.Background(), OpenMessages(f, MessageOptions{}), "") {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			got = append(got, a.Path()+"="+fmt.Sprint(readNumbers(t, a)))
		}
		if text := strings.Join(got, " "); want != "" && text != want {
			t.Errorf("%s: %s, expected %s", name, text, want)
		}
		if len(got) == 0 {
			t.Errorf("%s has no arrays", name)
		}
		f.Close()
	}
}

func readNumbers(t *testing.T, a *zarr.Array) []float64 {
	t.Helper()
	size, err := a.Metadata().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, size)
	if err := a.Read(context.Background(), data); err != nil {
		t.Fatal(err)
	}
	var numbers []float64
	for width := a.Metadata().DataType.Size(); len(data) > 0; data = data[width:] {
		switch a.Metadata().DataType {
		case zarr.Float32:
			numbers = append(numbers, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		case zarr.Float64:
			numbers = append(numbers, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		case zarr.Int64:
			numbers = append(numbers, float64(int64(binary.LittleEndian.Uint64(data))))
		case zarr.Uint8:
			numbers = append(numbers, float64(data[0]))
		}
	}
	return numbers
}

// Whatever is in a file, looking at it as Zarr gives values or errors, and nothing else.
func FuzzMessageView(f *testing.F) {
	for _, name := range []string{"v0.20/multi_object", "v0.17/multi_message", "metadata_parity", "scan/streaming-tail"} {
		data, err := os.ReadFile("../fixtures/tgm/" + name + ".tgm")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(testMessage(f, nil, testObject{array: float32s(4), pipeline: tgm.Pipeline{Compression: "zstd"}},
		testObject{array: float32s(4), pipeline: tgm.Pipeline{Filter: "shuffle", Compression: "lz4"}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)), tgm.WithLimits(tgm.Limits{Metadata: 1 << 20, Decoded: 1 << 20}))
		if err != nil {
			return
		}
		s := OpenMessages(file, MessageOptions{})
		for a, err := range zarr.Arrays(t.Context(), s, "") {
			if err != nil {
				continue
			}
			if size, err := a.Metadata().Bytes(); err == nil && size <= 1<<20 {
				_ = a.Read(t.Context(), make([]byte, size)) // an error is as good as values
			}
		}
	})
}

// A message of very many objects must be listed, and one of its arrays found, in reasonable time.
func TestManyObjects(t *testing.T) {
	n := 20_000
	if cases.Of(t).All() {
		n = 100_000
	}
	array, err := tgm.EncodeArray(float32s(2, 2), tgm.Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tgm.NewMessageWriter(&out, tgm.WriterOptions{SpoolMemory: 1 << 30})
	for range n {
		if err := w.Append(array, map[string]any{"name": "2t", "dim_names": []any{"latitude", "longitude"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := testStore(t, out.Bytes())
	nodes := readDocument(t, s, "zarr.json")["consolidated_metadata"].(map[string]any)["metadata"].(map[string]any)
	last := fmt.Sprintf("2t_%d", n-1)
	if len(nodes) != n || nodes[last] == nil {
		t.Errorf("%d arrays, expected %d", len(nodes), n)
	}
	if got := get(t, s, last+"/c/0/0"); !bytes.Equal(got, float32s(2, 2).Data) {
		t.Errorf("the chunk of the last array is %x", got)
	}
}
