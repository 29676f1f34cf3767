package togrib_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/mapping"
)

// storedFields yields the fields of a GRIB file.
func storedFields(t *testing.T, path string, match func(*mapping.Known) bool) iter.Seq2[togrib.Object, error] {
	source := fromgrib.New([]importers.Input{{Name: path}}, fromgrib.Options{})
	t.Cleanup(func() { source.Close() })
	return func(yield func(togrib.Object, error) bool) {
		for f, err := range source.Stored(context.Background(), match) {
			if !yield(togrib.Object{Field: f.Field, File: f.Where}, err) {
				return
			}
		}
	}
}

// Fields that share a message and a bitmap keep the octets of the file. A chosen field becomes a message of its own.
// All fields keep their values in every packing.
func TestStoredFields(t *testing.T) {
	const path = "../../cmd/tgmconv/testdata/forms/grib_same_bitmap.grib"
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	report, err := togrib.Export(context.Background(), &all, storedFields(t, path, nil), togrib.Options{})
	if err != nil || !bytes.Equal(all.Bytes(), want) || report.Identical != report.Fields {
		t.Errorf("%+v, %v: the message differs from that of the file", report, err)
	}
	last := func(k *mapping.Known) bool { return k.Place.Object == report.Fields-1 }
	var one bytes.Buffer
	if _, err := togrib.Export(context.Background(), &one, storedFields(t, path, last), togrib.Options{}); err != nil {
		t.Fatal(err)
	}
	fields := decoded(t, want)
	sameFields(t, "one field", decoded(t, one.Bytes()), fields[len(fields)-1:])
	for _, packing := range []togrib.Packing{togrib.PackSimple, togrib.PackCCSDS, togrib.PackIEEE, togrib.PackComplex} {
		var out bytes.Buffer
		report, err := togrib.Export(context.Background(), &out, storedFields(t, path, nil), togrib.Options{Packing: packing})
		if err != nil || report.Repacked != len(fields) {
			t.Errorf("packing %s: %+v, %v", packing, report, err)
			continue
		}
		sameFields(t, string(packing), decoded(t, out.Bytes()), fields)
	}
}

type decodedField struct {
	values  []float64
	missing int
}

func decoded(t *testing.T, file []byte) (fields []decodedField) {
	t.Helper()
	f, err := grib.NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Fields() {
			values, missing, err := f.Decode(nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range values {
				if missing.Get(i) {
					values[i] = 0
				}
			}
			fields = append(fields, decodedField{values, missing.Count()})
		}
	}
	return fields
}

func sameFields(t *testing.T, what string, got, want []decodedField) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d fields, expected %d", what, len(got), len(want))
	}
	for i := range want {
		if got[i].missing != want[i].missing || len(got[i].values) != len(want[i].values) {
			t.Errorf("%s: field %d has %d values, %d of them missing, expected %d and %d", what, i, len(got[i].values), got[i].missing,
				len(want[i].values), want[i].missing)
			continue
		}
		for k, v := range want[i].values {
			if got[i].values[k] != v {
				t.Errorf("%s: field %d, point %d is %v, expected %v", what, i, k, got[i].values[k], v)
				break
			}
		}
	}
}

func TestStoredFieldRefused(t *testing.T) {
	set := togrib.Options{Set: []togrib.Setting{{Key: "Ni", Value: "6"}}}
	_, err := togrib.Export(context.Background(), new(bytes.Buffer), storedFields(t, "../../fixtures/grib/2t.grib2", nil), set)
	var refused *togrib.ObjectError
	if !errors.As(err, &refused) || refused.Where != "../../fixtures/grib/2t.grib2: message 0 at byte 0" {
		t.Errorf("%v, expected an ObjectError with the place of the message", err)
	}
}
