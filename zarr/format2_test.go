package zarr

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// old is a store with one array of format 2.
func old(zarray string) mapStore {
	document := map[string]any{"zarr_format": 2, "shape": []int{2}, "chunks": []int{2}, "dtype": "<i4", "compressor": nil, "fill_value": nil, "order": "C", "filters": nil}
	var changes map[string]any
	if err := json.Unmarshal([]byte(zarray), &changes); err != nil {
		panic(err)
	}
	for key, v := range changes {
		document[key] = v
	}
	text, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	return mapStore{"a/.zarray": text, ".zgroup": []byte(`{"zarr_format":2}`)}
}

func TestFormat2IsTranslated(t *testing.T) {
	for _, test := range []struct{ document, dtype, codecs, fill string }{
		{`{}`, "int32", "bytes little", "00000000"},
		{`{"dtype":">i4","fill_value":258}`, "int32", "bytes big", "02010000"},
		{`{"fill_value":3.0}`, "int32", "bytes little", "03000000"},
		{`{"dtype":"|b1","fill_value":1}`, "bool", "bytes little", "01"},
		{`{"dtype":"|b1","fill_value":true}`, "bool", "bytes little", "01"},
		{`{"dtype":"<f4","fill_value":"NaN"}`, "float32", "bytes little", "0000c07f"},
		{`{"dtype":"<f8","fill_value":"-Infinity"}`, "float64", "bytes little", "000000000000f0ff"},
		{`{"dtype":"<c8","fill_value":[1,"NaN"]}`, "complex64", "bytes little", "0000803f0000c07f"},
		{`{"dtype":"<c8","fill_value":1}`, "complex64", "bytes little", "0000803f00000000"},
		{`{"dtype":"|S3","fill_value":"YWI="}`, "null_terminated_bytes", "bytes little", "616200"},
		{`{"dtype":"|S3","fill_value":"?!"}`, "null_terminated_bytes", "bytes little", "3f2100"},
		{`{"dtype":"|S3","fill_value":0}`, "null_terminated_bytes", "bytes little", "000000"},
		{`{"dtype":"<U2","fill_value":"é"}`, "fixed_length_utf32", "bytes little", "e900000000000000"},
		{`{"dtype":"|V2","fill_value":"YWI="}`, "raw_bytes", "bytes little", "6162"},
		{`{"dtype":"<M8[s]"}`, "numpy.datetime64", "bytes little", "0000000000000080"},
		{`{"dtype":"<m8[10ms]","fill_value":5}`, "numpy.timedelta64", "bytes little", "0500000000000000"},
		{`{"dtype":[["a",">i2"],["b","|S2"]],"fill_value":"AQJ4eQ=="}`, "struct", "bytes little", "02017879"},
		{`{"dtype":"|O","filters":[{"id":"vlen-utf8"}],"fill_value":"x"}`, "string", "numcodecs.vlen-utf8", "78"},
		{`{"dtype":"|O","filters":[{"id":"vlen-utf8"}],"fill_value":0}`, "string", "numcodecs.vlen-utf8", "30"},
		{`{"dtype":"|O","filters":[{"id":"vlen-bytes"}],"fill_value":"eA=="}`, "variable_length_bytes", "numcodecs.vlen-bytes", "78"},
		{`{"dtype":"|O","filters":[{"id":"vlen-array","dtype":"<f4"}]}`, listType, "numcodecs.vlen-array", ""},
		{`{"shape":[2,3],"chunks":[1,1],"order":"F"}`, "int32", "transpose F, bytes little", "00000000"},
		{`{"order":"F","compressor":{"id":"zlib","level":1},"filters":[{"id":"delta","dtype":"<i4"}]}`, "int32", "bytes little, numcodecs.delta, numcodecs.zlib", "00000000"},
	} {
		a, err := OpenArray(t.Context(), old(test.document), "a")
		if err != nil {
			t.Errorf("%s: %v", test.document, err)
			continue
		}
		meta := a.Metadata()
		var codecs []string
		for _, c := range meta.Codecs {
			name := c.Name
			for _, key := range []string{"endian", "order"} {
				if v := c.Configuration[key]; v != nil {
					name += fmt.Sprint(" ", v)
				}
			}
			codecs = append(codecs, name)
		}
		fill, err := meta.FillElement()
		if got := strings.Join(codecs, ", "); err != nil || string(meta.DataType) != test.dtype || got != test.codecs || hex.EncodeToString(fill) != test.fill || meta.Format != 2 {
			t.Errorf("%s: %s of %s, fill value %x, %v; expected %s of %s, fill value %s", test.document, got, meta.DataType, fill, err, test.codecs, test.dtype, test.fill)
		}
	}
}

// Valid and refused documents of format 2 are told apart, and the error names the document.
func TestFormat2IsChecked(t *testing.T) {
	for document, want := range map[string]string{
		`{"zarr_format":3}`: "zarr_format",
		`{"shape":null}`:    "shape",
		`{"shape":[-1]}`:    "shape[0]",
		`{"shape":[4611686018427387904,9],"chunks":[1,1]}`: "shape",
		`{"chunks":[0]}`:              "chunk_shape[0]",
		`{"chunks":[2,2]}`:            "chunk_shape",
		`{"order":"K"}`:               "order",
		`{"dimension_separator":"-"}`: "separator",
		`{"dtype":"<i3"}`:             `"<i3"`,
		`{"dtype":"<f16"}`:            `"<f16"`,
		`{"dtype":7}`:                 "dtype",
		`{"dtype":"|O"}`:              "filters",
		`{"dtype":"|O","filters":[{"id":"pickle"}]}`:            "pickle",
		`{"dtype":"|O","filters":[{"id":"msgpack2"}]}`:          "msgpack2",
		`{"dtype":"|O","filters":[{"id":"vlen-array"}]}`:        "lists",
		`{"dtype":[["a","|O"]]}`:                                `"|O"`,
		`{"dtype":[["a"]]}`:                                     "dtype[0]",
		`{"dtype":[["a","<i4"],["a","<i4"]]}`:                   "fields[1]",
		`{"dtype":[["a","<i4",[99999999,99]]]}`:                 "fields[0]",
		`{"fill_value":"x"}`:                                    "fill_value",
		`{"fill_value":1.5}`:                                    "fill_value",
		`{"compressor":{"level":1}}`:                            "id",
		`{"compressor":{"id":"pcodec"}}`:                        "pcodec",
		`{"compressor":{"id":"brotli"}}`:                        "brotli",
		`{"filters":[{"id":"delta","dtype":"<q7"}]}`:            "<q7",
		`{"filters":[{"id":"vlen-utf8"}]}`:                      "vlen-utf8",
		`{"filters":[{"id":"fixedscaleoffset","dtype":"<f4"}]}`: "scale",
		`{"filters":[{"id":"crc32","location":"middle"}]}`:      "location",
		`{"compressor":{"id":"lzma","format":3}}`:               "lzma",
		`{"compressor":{"id":"blosc","cname":"snappy"}}`:        "snappy",
		`{"compressor":{"id":"shuffle","elementsize":0}}`:       "elementsize",
		`{"dtype":"<M8[fortnight]"}`:                            "fortnight",
	} {
		_, err := OpenArray(t.Context(), old(document), "a")
		var format *FormatError
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a/.zarray") ||
			!errors.As(err, &format) && !errors.As(err, new(*UnsupportedError)) {
			t.Errorf("%s: %T %v, expected an error of a/.zarray and %s", document, err, err, want)
		}
	}
}

// A store that says the same in three ways is read in the same way.
func TestHierarchyOfFormat2(t *testing.T) {
	array := string(old(`{}`)["a/.zarray"])
	files := mapStore{
		".zgroup": []byte(`{"zarr_format":2}`), ".zattrs": []byte(`{"title":"t","bad":NaN,"low":[-Infinity,"NaN"]}`),
		"g/.zgroup": []byte(`{"zarr_format":2}`), "g/a/.zarray": []byte(array),
		"g/a/.zattrs": []byte(`{"_ARRAY_DIMENSIONS":["x"],"units":"K"}`), "other/file": nil,
	}
	var paths []string
	for n, err := range Nodes(t.Context(), files, "") {
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, n.Path)
		switch n.Path {
		case "":
			low := n.Group.Attributes["low"].([]any)
			if bad := n.Group.Attributes["bad"].(float64); bad == bad || low[0] != math.Inf(-1) || low[1] != "NaN" || n.Group.Format != 2 {
				t.Errorf("%v", n.Group)
			}
		case "g/a":
			meta := n.Array.Metadata()
			if !slices.Equal(meta.DimensionNames, []string{"x"}) || !reflect.DeepEqual(meta.Attributes, map[string]any{"units": "K"}) {
				t.Errorf("dimensions %v, attributes %v", meta.DimensionNames, meta.Attributes)
			}
		}
	}
	if want := []string{"", "g", "g/a"}; !slices.Equal(paths, want) {
		t.Errorf("nodes %v, expected %v", paths, want)
	}

	metadata := map[string]json.RawMessage{}
	for key, text := range files {
		if key != "other/file" && key != ".zattrs" {
			metadata[key] = text
		}
	}
	metadata["../out/.zarray"] = json.RawMessage(array)
	text, err := json.Marshal(map[string]any{"zarr_consolidated_format": 1, "metadata": metadata})
	if err != nil {
		t.Fatal(err)
	}
	for _, only := range []mapStore{{".zmetadata": text}, {".zmetadata": text, ".zgroup": files[".zgroup"]}} {
		var found, errs []string
		for n, err := range Nodes(t.Context(), only, "") {
			if err != nil {
				errs = append(errs, err.Error())
			} else {
				found = append(found, n.Path)
			}
		}
		if !slices.Equal(found, paths) || len(errs) != 1 || !strings.Contains(errs[0], "../out") {
			t.Errorf("nodes %v, errors %q, expected %v and an error of ../out", found, errs, paths)
		}
	}
}

// An array that cannot be read does not keep the others from being read.
func TestOneBadArray(t *testing.T) {
	s := old(`{}`)
	s["b/.zarray"] = old(`{"compressor":{"id":"brotli"}}`)["a/.zarray"]
	s["c/.zarray"] = s["a/.zarray"]
	var paths, errs []string
	for a, err := range Arrays(t.Context(), s, "") {
		if err != nil {
			errs = append(errs, err.Error())
		} else {
			paths = append(paths, a.Path())
		}
	}
	if !slices.Equal(paths, []string{"a", "c"}) || len(errs) != 1 || !strings.Contains(errs[0], `b/.zarray: zarr: codec "numcodecs.brotli"`) {
		t.Errorf("arrays %v, errors %q", paths, errs)
	}
}

// Where a folder has documents of both formats, format 3 counts.
func TestDocumentsInOrderOfTrust(t *testing.T) {
	s := old(`{}`)
	s["a/zarr.json"] = []byte(`{"zarr_format":3,"node_type":"group"}`)
	if g, err := OpenGroup(t.Context(), s, "a"); err != nil || g.Format != 3 {
		t.Errorf("%v, %v, expected a group of format 3", g, err)
	}
	if _, err := OpenGroup(t.Context(), s, "b"); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "b/zarr.json") {
		t.Errorf("%v, expected that b/zarr.json was not found", err)
	}
}

func FuzzFormat2(f *testing.F) {
	f.Add([]byte(old(`{}`)["a/.zarray"]), []byte(`{"_ARRAY_DIMENSIONS":["x"]}`), []byte("12345678"))
	f.Add([]byte(old(`{"dtype":[["a",">i2"],["b","<U2",[2]]],"compressor":{"id":"zlib"},"order":"F"}`)["a/.zarray"]), []byte(`{"a":NaN}`), []byte{})
	f.Add([]byte(old(`{"dtype":"|O","filters":[{"id":"vlen-utf8"}]}`)["a/.zarray"]), []byte(`{}`), []byte("\x02\x00\x00\x00\x01\x00\x00\x00a\x01\x00\x00\x00b"))
	f.Add([]byte(old(`{"dtype":"|O","filters":[{"id":"json2"}]}`)["a/.zarray"]), []byte(`{}`), []byte(`["a","b","|O",[2]]`))
	f.Add([]byte(old(`{"dtype":"|O","filters":[{"id":"categorize","labels":["a"],"astype":"|u1"}]}`)["a/.zarray"]), []byte(`{}`), []byte("\x00\x01"))
	f.Fuzz(func(t *testing.T, document, attributes, chunk []byte) {
		s := mapStore{".zarray": document, ".zattrs": attributes, ".zmetadata": document, "0": chunk, "0.0": chunk}
		for a, err := range Arrays(t.Context(), s, "") {
			if err == nil {
				readSmall(t, a)
			}
		}
	})
}

// readSmall reads an array unless it is large. It may fail.
func readSmall(t *testing.T, a *Array) {
	size, err := a.Metadata().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	chunks := uint64(1)
	for _, n := range a.Metadata().Grid() {
		if chunks *= n; chunks > 1<<10 || n > 1<<10 {
			return
		}
	}
	if size > 1<<20 {
		return
	}
	_ = a.Read(t.Context(), make([]byte, size))
	_, _ = a.ReadStrings(t.Context(), make([]uint64, len(a.Metadata().Shape)), a.Metadata().Shape)
}
