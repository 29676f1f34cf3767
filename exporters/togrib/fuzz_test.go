package togrib_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// fileWith is a file of one object of values, with these sections.
func fileWith(t testing.TB, values []float64, packed bool, base map[string]any) *tgm.File {
	t.Helper()
	p := tgm.Pipeline{}
	if packed {
		p = tgm.Pipeline{Encoding: "simple_packing", Bits: 16, Compression: "szip"}
	}
	e, err := tgm.EncodeArray(tgm.ArrayOf(values), p)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tgm.NewMessageWriter(&out, tgm.WriterOptions{})
	if err := errors.Join(w.Append(e, base), w.Close()); err != nil {
		t.Fatal(err)
	}
	return fileOf(t, out.Bytes())
}

// FuzzSections writes objects whose sections are anything. The output, if there is any, is GRIB.
func FuzzSections(f *testing.F) {
	for _, name := range []string{"sanity.grib2", "earthkit/t_pl.grib", "cfgrib/spherical_harmonics.grib", "earthkit/test_single_with_missing.grib"} {
		for _, m := range messagesOf(f, readFile(f, "../../fixtures/grib/"+name))[:1] {
			field := m.Fields()[0]
			n, err := field.NumberOfDataPoints()
			if err != nil {
				f.Fatal(err)
			}
			f.Add([]byte(field.Header()), field.DataSections(), n, true)
			f.Add([]byte(field.Header()), []byte(nil), n, false)
		}
	}
	f.Fuzz(func(t *testing.T, header, data []byte, n int, packed bool) {
		values := make([]float64, max(n%2000, -(n%2000)))
		for i := range values {
			values[i] = float64(i % 17)
		}
		entry := map[string]any{mapping.GRIBSections: header}
		if len(data) > 0 {
			entry[mapping.GRIBData] = data
		}
		file := fileWith(t, values, packed && len(values) > 0, map[string]any{mapping.KeyGRIB: entry})
		var out bytes.Buffer
		_, err := togrib.Export(context.Background(), &out, objectsOf(file), togrib.Options{Workers: 1})
		var object *togrib.ObjectError
		if err != nil && !errors.As(err, &object) {
			t.Fatalf("%v is no *ObjectError", err)
		}
		if err == nil {
			if _, err := grib.ParseMessage(out.Bytes(), 0); err != nil {
				t.Fatalf("no GRIB was written: %v", err)
			}
		}
	})
}

// TestBadSections: errors in sections are reported with their place.
func TestBadSections(t *testing.T) {
	good := messagesOf(t, readFile(t, "../../fixtures/grib/sanity.grib2"))[0].Fields()[0].Header()
	for name, entry := range map[string]any{
		"no bytes":       map[string]any{mapping.GRIBSections: "text"},
		"empty":          map[string]any{mapping.GRIBSections: []byte{}},
		"cut off":        map[string]any{mapping.GRIBSections: []byte(good[:100])},
		"missing part":   map[string]any{mapping.GRIBSections: []byte(good), mapping.GRIBShared: []any{int64(3), "abc"}},
		"bad offset":     map[string]any{mapping.GRIBSections: []byte(good), mapping.GRIBShared: []any{int64(-3), "abc"}},
		"odd list":       map[string]any{mapping.GRIBSections: []byte(good), mapping.GRIBShared: []any{int64(3)}},
		"wrong data":     map[string]any{mapping.GRIBSections: []byte(good), mapping.GRIBData: []byte("nonsense")},
		"another length": map[string]any{mapping.GRIBSections: []byte(good)},
	} {
		values := make([]float64, 16)
		if name == "another length" {
			values = values[:7]
		}
		_, err := togrib.Export(context.Background(), new(bytes.Buffer), objectsOf(fileWith(t, values, false, map[string]any{mapping.KeyGRIB: entry})), togrib.Options{})
		var object *togrib.ObjectError
		if !errors.As(err, &object) || object.Where != "test.tgm: message 0, object 0" {
			t.Errorf("%s: %v, expected an *ObjectError with its place", name, err)
		}
	}
}
