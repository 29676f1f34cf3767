package references

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func TestParseJSON(t *testing.T) {
	for text, want := range map[string]map[string]Reference{
		`{".zgroup":"{}","t/.zarray":{"a":1},"t/0":["/a.nc",8,4],"t/1":["/a.nc"],"t/2":"base64:AAE=","t/3":"plain"}`: {
			".zgroup": {Data: []byte("{}")}, "t/.zarray": {Data: []byte(`{"a":1}`)}, "t/0": {Target: "/a.nc", Offset: 8, Length: 4},
			"t/1": {Target: "/a.nc", Length: -1}, "t/2": {Data: []byte{0, 1}}, "t/3": {Data: []byte("plain")},
		},
		// The example of kerchunk's description of the format.
		`{"version":1,"templates":{"u":"server.domain/path","f":"{{c}}"},
		  "gen":[{"key":"gen_key{{i}}","url":"http://{{u}}_{{i}}","offset":"{{(i + 1) * 1000}}","length":"1000","dimensions":{"i":{"stop":2}}}],
		  "refs":{"key0":"data","key1":["http://target_url",10000,100],"key2":["http://{{u}}",10000,100],"key3":["http://{{f(c='text')}}",10000,100]}}`: {
			"key0": {Data: []byte("data")}, "key1": {Target: "http://target_url", Offset: 10000, Length: 100},
			"key2": {Target: "http://server.domain/path", Offset: 10000, Length: 100}, "key3": {Target: "http://text", Offset: 10000, Length: 100},
			"gen_key0": {Target: "http://server.domain/path_0", Offset: 1000, Length: 1000}, "gen_key1": {Target: "http://server.domain/path_1", Offset: 2000, Length: 1000},
		},
		`{"version":1,"gen":[{"key":"{{v}}/{{i//2}}.{{i%2}}","url":"{{'%02d' % i}}{{v}}","dimensions":{"i":{"start":3,"stop":1,"step":-1},"v":["t","u"]}}]}`: {
			"t/1.1": {Target: "03t", Length: -1}, "u/1.1": {Target: "03u", Length: -1}, "t/1.0": {Target: "02t", Length: -1}, "u/1.0": {Target: "02u", Length: -1},
		},
	} {
		got, err := ParseJSON([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nfound %v, %v\nexpected %v", text, got, err, want)
		}
	}
}

func TestBadJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"t/0":["/a",-1,4]}`: "4 bytes from byte -1", `{"t/0":["/a",1]}`: "a list of 2", `{"t/0":[null]}`: "no file", `{"t/0":3}`: "found 3",
		`{"t/0":"base64:?"}`: "base64", `{"t/0":["",1,1]}`: "no file", `{"version":2,"refs":{}}`: "version is 2", `[]`: "object", `{"t/0":["a",1.5,2]}`: "1.5",
		`{"version":1,"refs":{"t/0":["{{x}}",0,1]}}`:                                                                 "no template or variable",
		`{"version":1,"templates":{"a":"{{a}}"},"refs":{"t/0":["{{a}}",0,1]}}`:                                       "in one another",
		`{"version":1,"templates":{"a":"x"},"refs":{"t/0":["{{a.upper()}}",0,1]}}`:                                   "expected the end",
		`{"version":1,"gen":[{"key":"k","url":"u","offset":"1","dimensions":{}}]}`:                                   "offset and a length",
		`{"version":1,"gen":[{"key":"k","url":"u","dimensions":{"i":{"stop":100000},"j":{"stop":100000}}}]}`:         "more than",
		`{"version":1,"gen":[{"key":"k","url":"u","dimensions":{"i":{"stop":1000000000000}}}]}`:                      "more than",
		`{"version":1,"gen":[{"key":"k","url":"u","offset":"{{i//0}}","length":"1","dimensions":{"i":{"stop":1}}}]}`: "division by 0",
	} {
		if _, err := ParseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v, expected %q", text, err, want)
		}
	}
}

func TestIsJSON(t *testing.T) {
	for text, want := range map[string]bool{
		`{"version": 1, "refs": {".zg`: true, `{"version":1,"templates":{`: true, ` {".zgroup":"{\n  \"zarr_f`: true, `{"refs":{"t/0.0":["a"`: true,
		`{"t/.zarray":{"chunks"`: true, `{"t/0.0":["file:///`: true, `{"zarr.json":"{`: true, `{"t/0":"base64:`: true, `{".zmetadata":"` + strings.Repeat("x", 600): true,
		`{"type":"FeatureCollection"`: false, `{"version":"1.0","refs":{}}`: false, `{"version":1,"files":{`: false, `{"refs":[1]`: false, `{"refs":{"heads":1`: false,
		`{"a/b":["c"]`: false, `[]`: false, ``: false, `{`: false, `{}`: false, `{"1/2":{`: false, `{"zarr_format":3`: false,
	} {
		if got := IsJSON([]byte(text)); got != want {
			t.Errorf("%.60s: %v, expected %v", text, got, want)
		}
	}
}

func TestManifest(t *testing.T) {
	got, err := ParseManifest([]byte(`{"0.1":{"path":"s3://b/k","offset":3,"length":5}}`))
	if want := map[string]Reference{"0.1": {Target: "s3://b/k", Offset: 3, Length: 5}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, %v", got, err)
	}
	if _, err := ParseManifest([]byte(`{"0.1":{"path":"","offset":3,"length":5}}`)); err == nil {
		t.Error("an empty path is no error")
	}
}

// A row has its integers in 32 bits, as kerchunk's have where they fit.
type row struct {
	Path   *string `parquet:"path,optional,dict"`
	Offset int32   `parquet:"offset,optional,plain,gzip"`
	Size   int64   `parquet:"size,plain,zstd"`
	Raw    []byte  `parquet:"raw,optional,plain,snappy"`
}

func written(t testing.TB, rows ...row) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[row](&out)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRecords(t *testing.T) {
	path := "/a.nc"
	data := written(t, row{Path: &path, Offset: 3, Size: 5}, row{}, row{Raw: []byte("xy")}, row{Path: &path})
	got, err := ReadRecords(bytes.NewReader(data), int64(len(data)), 4)
	want := []Reference{{Target: path, Offset: 3, Length: 5}, {}, {Data: []byte("xy")}, {Target: path, Length: -1}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("found %v, %v, expected %v", got, err, want)
	}
	if _, err := ReadRecords(bytes.NewReader(data), int64(len(data)), 3); err == nil {
		t.Error("a reference too many is no error")
	}
	r, err := ParseRecords([]byte(`{"record_size":4,"metadata":{".zgroup":{},"t/.zarray":{"shape":[5,7],"chunks":[2,3]},
		"g/s/.zarray":{"shape":[],"chunks":[]},"u/.zarray":{"shape":[5,7],"chunks":[2,3],"dimension_separator":"/"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"t/0.0": "t/refs.0.parq 0", "t/2.2": "t/refs.2.parq 0", "u/1/2": "u/refs.1.parq 1", "g/s/0": "g/s/refs.0.parq 0",
		"t/3.0": "", "t/0": "", "t/.zattrs": "", "x/0.0": "", "g/s/1": "", "t/-1.0": ""} {
		file, row, ok := r.Find(key)
		if text := strings.TrimSpace(file + " " + string(rune('0'+row))); ok != (want != "") || ok && text != want {
			t.Errorf("%s: found %q, %v, expected %q", key, text, ok, want)
		}
	}
	if r, err := ParseRecords([]byte(`{"metadata":{},"zarr_consolidated_format":1}`)); r != nil || err != nil {
		t.Errorf("without references: %v, %v", r, err)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"version":1,"templates":{"u":"s","f":"{{c}}"},"gen":[{"key":"k{{i}}","url":"{{f(c='x')}}_{{(i+1)*2}}","dimensions":{"i":{"stop":3}}}],"refs":{"t/0":["{{u}}",1,2]}}`))
	f.Add([]byte(`{".zgroup":"{}","t/0":["a",1,2],"t/1":"base64:AAE="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		IsJSON(data)
		found, err := ParseJSON(data)
		for key, r := range found {
			if r.Target != "" && r.check(key) != nil {
				t.Errorf("%q: %v, %v", key, r, err)
			}
		}
		ParseManifest(data)
		if r, err := ParseRecords(data); err == nil && r != nil {
			r.Find("t/0.0")
		}
	})
}

func FuzzRecords(f *testing.F) {
	path := "/a.nc"
	f.Add(written(f, row{Path: &path, Offset: 3, Size: 5}, row{Raw: []byte("x")}))
	f.Fuzz(func(t *testing.T, data []byte) {
		ReadRecords(bytes.NewReader(data), int64(len(data)), 1000)
	})
}
