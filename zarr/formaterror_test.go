package zarr

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// What is wrong in a document is a FormatError that says where, and what is not implemented is an
// UnsupportedError.
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
