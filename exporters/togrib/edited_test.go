package togrib_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// changed converts a sample and changes its metadata as tgmconv set does.
func changed(t testing.TB, name string, changes ...string) *tgm.File {
	t.Helper()
	f := converted(t, fromgrib.Options{Sections: true}, importers.Options{Coordinates: importers.CoordinatesNone}, "../../fixtures/grib/"+name)
	var list []edit.Change
	for _, text := range changes {
		c, err := edit.ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := m.SharedMetadata()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, err = edit.Write(&out, func(yield func(edit.Item, error) bool) {
		for item, err := range edit.Items(m) {
			if err == nil {
				item.Base, err = edit.Apply(maps.Clone(item.Object.Base()), list, false)
			}
			if !yield(item, err) {
				return
			}
		}
	}, shared.Extra, edit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fileOf(t, out.Bytes())
}

func keyOf(t testing.TB, f *grib.Field, key string) string {
	t.Helper()
	h, err := keys.New(f.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := h.String(key)
	if err != nil {
		t.Errorf("%s: %v", key, err)
	}
	return v
}

// TestEditedKeys: keys set after the conversion are in the message.
func TestEditedKeys(t *testing.T) {
	for _, test := range []struct {
		file        string
		changes     []string
		key, expect string
	}{
		{"2t.grib2", []string{"mars.step:i=12"}, "endStep", "12"},
		{"2t.grib2", []string{"mars.param:i=168"}, "shortName", "2d"},
		{"2t.grib2", []string{"mars.expver=test"}, "expver", "test"},
		{"2t.grib2", []string{"mars.class=rd", "mars.stream=wave"}, "stream", "wave"},
		{"2t.grib2", []string{"name=2d"}, "paramId", "168"},
		{"2t.grib2", []string{"reference_time=2020-02-29T18:00:00Z"}, "dataDate", "20200229"},
		{"2t.grib2", []string{"grib_repro.generatingProcessIdentifier:i=7"}, "generatingProcessIdentifier", "7"},
		{"q_150.grib2", []string{"mars.levelist:i=700"}, "level", "700"},
		{"q_150.grib2", []string{"level:i=700"}, "level", "700"},
		{"q_150.grib2", []string{"note=nothing GRIB knows"}, "level", "150"},
		{"cfgrib/t_analysis_and_fc_0.grib", []string{"mars.levelist:i=250", "mars.date:i=20010203"}, "mars.date", "20010203"},
	} {
		b, report := exported(t, changed(t, test.file, test.changes...), togrib.Options{})
		f := messagesOf(t, b)[0].Fields()[0]
		if got := keyOf(t, f, test.key); got != test.expect {
			t.Errorf("%s, %v: %s=%s, expected %s", test.file, test.changes, test.key, got, test.expect)
		}
		if want := 1; report.Edited != want && !strings.HasPrefix(test.changes[0], "note") {
			t.Errorf("%v: %d fields edited", test.changes, report.Edited)
		}
		if report.Identical != 1 {
			t.Errorf("%v: the values are others", test.changes)
		}
	}
}

// TestNothingWasEdited: labels that differ from ecCodes' keys are no changes. The fields are at 2.5
// hPa, which ecCodes gives as 2, in the layer from 500 hPa to 0, and at a local time, with the date
// of the forecast.
func TestNothingWasEdited(t *testing.T) {
	const name = "testdata/levels-and-local-time-grib_set.grib2"
	f := converted(t, fromgrib.Options{Sections: true}, importers.Options{Coordinates: importers.CoordinatesNone}, name)
	b, report := exported(t, f, togrib.Options{})
	if report.Edited != 0 || !bytes.Equal(b, readFile(t, name)) {
		t.Errorf("%d fields edited, %d bytes; expected none and the bytes of the file", report.Edited, len(b))
	}
}

// TestEditsRefused: a change that a message cannot have is named, and nothing is written.
func TestEditsRefused(t *testing.T) {
	for change, key := range map[string]string{
		"mars.step=x": "mars.step", "mars.levtype=pl": "mars.levtype", "grib_repro.Ni:i=7": "grib_repro.Ni", "geometry.Ni:i=7": "geometry.Ni",
		"name=nonsense": "name.shortName", "mars.nonsense=1": "mars.nonsense", "valid_time=2020-01-01T00:00:00Z": "valid_time",
		"grib_repro.bitsPerValue:i=3": "grib_repro.bitsPerValue",
	} {
		var out bytes.Buffer
		_, err := togrib.Export(context.Background(), &out, objectsOf(changed(t, "2t.grib2", change)), togrib.Options{})
		var edited *togrib.EditError
		var object *togrib.ObjectError
		if !errors.As(err, &edited) || !errors.As(err, &object) || edited.Key != key || out.Len() > 0 {
			t.Errorf("%s: %v, expected an error about %s", change, err, key)
		}
	}
}

func TestSet(t *testing.T) {
	f := converted(t, fromgrib.Options{Sections: true}, importers.Options{}, "../../fixtures/grib/2t.grib2")
	b, _ := exported(t, f, togrib.Options{Set: []togrib.Setting{{Key: "expver", Value: "abcd"}, {Key: "step", Value: "6"}}})
	field := messagesOf(t, b)[0].Fields()[0]
	if keyOf(t, field, "expver") != "abcd" || keyOf(t, field, "stepRange") != "6" {
		t.Error("the keys are not set")
	}
	var key *keys.KeyError
	_, err := togrib.Export(context.Background(), new(bytes.Buffer), objectsOf(f), togrib.Options{Set: []togrib.Setting{{Key: "Ni", Value: "3"}}})
	if !errors.As(err, &key) || key.Key != "Ni" || !errors.Is(err, keys.ErrStructure) {
		t.Errorf("%v, expected an error about Ni", err)
	}
}

// TestPackings: other packings hold the same values.
func TestPackings(t *testing.T) {
	for _, name := range []string{"2t.grib2", "gfs_2p50_f000.grib2", "cfgrib/fields_with_missing_values.grib", "cfgrib/alternate-scanning.grib"} {
		path := "../../fixtures/grib/" + name
		f := converted(t, fromgrib.Options{Sections: true}, importers.Options{Coordinates: importers.CoordinatesNone}, path)
		want := fieldsOf(messagesOf(t, readFile(t, path)))
		for _, p := range []togrib.Packing{togrib.PackSimple, togrib.PackCCSDS, togrib.PackIEEE, togrib.PackComplex} {
			var out bytes.Buffer
			_, err := togrib.Export(context.Background(), &out, objectsOf(f), togrib.Options{Packing: p})
			if want[0].Edition == 1 && p != togrib.PackSimple {
				if err == nil {
					t.Errorf("%s: %s in edition 1", name, p)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, p, err)
				continue
			}
			got := fieldsOf(messagesOf(t, out.Bytes()))
			for i := range got[:min(20, len(got))] {
				compareValues(t, name+" "+string(p), want[i], got[i])
			}
		}
	}
}

// TestHeadsOfOtherPackings: the keys of packings whose heads the sections do not have are not taken
// for changed ones.
func TestHeadsOfOtherPackings(t *testing.T) {
	for _, name := range []string{"second-order-grib_set.grib1", "wide-second-order-grib_set.grib1", "one-group-second-order-grib_set.grib1",
		"matrix-grib_set.grib1"} {
		path := "testdata/" + name
		want := messagesOf(t, readFile(t, path))[0].Fields()[0]
		for _, keep := range []bool{false, true} {
			f := converted(t, fromgrib.Options{Sections: true, KeepData: keep}, importers.Options{Coordinates: importers.CoordinatesNone}, path)
			b, report := exported(t, f, togrib.Options{})
			got := messagesOf(t, b)[0].Fields()[0]
			compareValues(t, name, want, got)
			if report.Edited > 0 || keep && !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s: %d edited, same bytes expected: %t", name, report.Edited, keep)
			}
		}
	}
}
