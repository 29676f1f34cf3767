package zarr

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// An error in a document is a FormatError with its place, and an unimplemented part is an UnsupportedError.
func TestFormatError(t *testing.T) {
	base := strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`)
	for _, test := range []struct{ old, new, field string }{
		{`"zarr_format":3`, `"zarr_format":2`, "zarr_format"},
		{`"node_type":"array"`, `"node_type":"group"`, "node_type"},
		{`"shape":[5,7]`, `"shape":[5,-7]`, "shape[1]"},
		{`"shape":[5,7]`, `"shape":7`, "shape"},
		{`"data_type":"uint16"`, `"data_type":"uint17"`, ""},
		{`"little"`, `"middle"`, "codecs"},
	} {
		document := strings.Replace(base, test.old, test.new, 1)
		if document == base {
			t.Fatalf("%s is not in the document", test.old)
		}
		s := NewDir(fstest.MapFS{"a/zarr.json": &fstest.MapFile{Data: []byte(document)}})
		_, err := OpenArray(t.Context(), s, "a")
		var format *FormatError
		switch {
		case errors.As(err, &format):
			if test.field == "" || format.Field != test.field || format.Document != "a/zarr.json" || !strings.HasPrefix(err.Error(), "zarr: a/zarr.json: "+test.field) {
				t.Errorf("%s: %v, of %s in %s", test.new, err, format.Field, format.Document)
			}
		case !errors.As(err, new(*UnsupportedError)) || test.field != "":
			t.Errorf("%s: %v, expected an error of %q", test.new, err, test.field)
		}
	}
}

// Whatever is wrong with a document, the error is of one of two types, and names the document.
func TestMalformedDocuments(t *testing.T) {
	base := strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`)
	const codecs = `[{"name":"bytes","configuration":{"endian":"little"}}]`
	shard := func(configuration string) [2]string {
		return [2]string{`"codecs":` + codecs, `"codecs":[{"name":"sharding_indexed","configuration":{` + configuration + `}}]`}
	}
	const inner, index = `"codecs":` + codecs, `"index_codecs":` + codecs
	changes := [][2]string{
		{base, ``}, {base, `{`}, {base, `[]`}, {base, `7`}, {base, `null`}, {base, `{}`}, {base, `{"zarr_format":3}`}, {base, base + `{}`},
		{`"shape":[5,7]`, `"shape":[5,7,9]`}, {`"shape":[5,7]`, `"shape":[5,"7"]`}, {`"shape":[5,7]`, `"shape":[5,1e99]`}, {`"shape":[5,7],`, ``},
		{`"data_type":"uint16",`, ``}, {`"data_type":"uint16"`, `"data_type":16`}, {`"data_type":"uint16"`, `"data_type":{}`},
		{`"chunk_shape":[2,3]`, `"chunk_shape":[2]`}, {`"chunk_shape":[2,3]`, `"chunk_shape":[2,0]`}, {`"chunk_shape":[2,3]`, `"chunk_shape":"2"`},
		{`"chunk_shape":[2,3]`, ``}, {`"name":"regular"`, `"name":7`}, {`"name":"regular"`, `"name":"irregular"`},
		{`"separator":"/"`, `"separator":"-"`}, {`"separator":"/"`, `"separator":7`}, {`"name":"default"`, `"name":"v7"`},
		{`"fill_value":9`, `"fill_value":-9`}, {`"fill_value":9`, `"fill_value":"NaN"`}, {`"fill_value":9`, `"fill_value":null`},
		{`"fill_value":9`, `"fill_value":70000`}, {`"fill_value":9`, `"fill_value":[9]`}, {`"fill_value":9,`, ``},
		{`"codecs":` + codecs, `"codecs":[]`}, {`"codecs":` + codecs, `"codecs":7`}, {`"codecs":` + codecs, `"codecs":["bytes",7]`},
		{`"codecs":` + codecs, `"codecs":["bytes","bytes"]`}, {`"codecs":` + codecs, `"codecs":["gzip"]`}, {`"little"`, `7`},
		{`["y",null]`, `["y"]`}, {`["y",null]`, `["y",7]`}, {`{"a":1}`, `[]`}, {`{"a":1}`, `7`},
		shard(inner + `,` + index), shard(`"chunk_shape":[2,2],` + inner + `,` + index), shard(`"chunk_shape":[2],` + inner + `,` + index),
		shard(`"chunk_shape":[0,3],` + inner + `,` + index), shard(`"chunk_shape":[1,3],` + index), shard(`"chunk_shape":[1,3],` + inner),
		shard(`"chunk_shape":[1,3],` + inner + `,` + index + `,"index_location":"middle"`), shard(`"chunk_shape":"1",` + inner + `,` + index),
	}
	for _, change := range changes {
		document := strings.Replace(base, change[0], change[1], 1)
		if document == base {
			t.Fatalf("%s is not in the document", change[0])
		}
		s := NewDir(fstest.MapFS{"a/zarr.json": &fstest.MapFile{Data: []byte(document)}})
		_, openErr := OpenArray(t.Context(), s, "a")
		_, groupErr := OpenGroup(t.Context(), s, "a")
		var listErr error
		for _, err := range Arrays(t.Context(), s, "a") {
			listErr = errors.Join(listErr, err)
		}
		for call, err := range map[string]error{"OpenArray": openErr, "OpenGroup": groupErr, "Arrays": listErr} {
			var format *FormatError
			switch {
			case errors.As(err, &format) && format.Document == "a/zarr.json" && strings.Contains(err.Error(), "a/zarr.json"):
			case errors.As(err, new(*UnsupportedError)) && strings.Contains(err.Error(), "a/zarr.json"):
			default:
				t.Errorf("%s in place of %s: %s: %T %v, expected a FormatError or UnsupportedError of a/zarr.json", change[1], change[0], call, err, err)
			}
		}
	}
}
