package list_test

import (
	"fmt"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
	"github.com/tgmconv/tgmconv/grib/keys"
)

func TestParseOrder(t *testing.T) {
	got, err := list.ParseOrder("step:i asc, level:i DESC,shortName")
	want := []list.Order{
		{Key: fields.Key{Name: "step", Type: fields.Integer}},
		{Key: fields.Key{Name: "level", Type: fields.Integer}, Descending: true},
		{Key: fields.Key{Name: "shortName"}},
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %v, %v, expected %v", got, err, want)
	}
	if got, err := list.ParseOrder(" "); len(got) > 0 || err != nil {
		t.Errorf("a blank text: found %v, %v, expected nothing", got, err)
	}
	for _, bad := range []string{"step up", "step asc desc", "step,,level", ","} {
		if got, err := list.ParseOrder(bad); err == nil {
			t.Errorf("%q: found %v, expected an error", bad, got)
		}
	}
}

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]*list.Place{
		"50.1,8.7":           {Latitude: 50.1, Longitude: 8.7, Four: true},
		" -90, -360 ,4":      {Latitude: -90, Longitude: -360, Four: true},
		"90,360,1":           {Latitude: 90, Longitude: 360},
		"0,0,1,lsm,new.grib": {MaskName: "lsm,new.grib"},
	} {
		got, err := list.ParsePlace(text)
		if err != nil || got.Latitude != want.Latitude || got.Longitude != want.Longitude || got.Four != want.Four || got.MaskName != want.MaskName {
			t.Errorf("%q: found %+v, %v, expected %+v", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "50", "91,0", "0,361", "NaN,0", "0,NaN", "a,b", "0,0,2", "0,0, 1", "0,0,1,"} {
		if got, err := list.ParsePlace(bad); err == nil {
			t.Errorf("%q: found %+v, expected an error", bad, got)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for c, want := range map[string]string{"%g": "%.6g", "%.10e": "%.10e", "%-12f": "%-12.6f", "%+08.3G": "%+08.3G"} {
		if got, err := list.ParseFormat(c); got != want || err != nil {
			t.Errorf("%q: found %q, %v, expected %q", c, got, err, want)
		}
	}
	for _, bad := range []string{"", "g", "%d", "%s", "%g%g", "%.100g", "%2000g"} {
		if got, err := list.ParseFormat(bad); err == nil {
			t.Errorf("%q: found %q, expected an error", bad, got)
		}
	}
}

func TestHeadsSuffice(t *testing.T) {
	name := []fields.Key{{Name: "shortName"}}
	for what, o := range map[string]list.Options{
		"keys of the head":      {Keys: name, Also: name},
		"a namespace of it":     {Namespace: "mars"},
		"a key of the values":   {Keys: []fields.Key{{Name: "max"}}},
		"another such key":      {Also: []fields.Key{{Name: "values"}}},
		"such a namespace":      {Namespace: "statistics"},
		"a place":               {Keys: name, Near: new(list.Place)},
		"a value":               {Keys: name, Indexed: true},
		"a key that is changed": {Keys: name, Set: []keys.Setting{{}}},
		"an order":              {Keys: name, Order: []list.Order{{}}},
	} {
		want := what == "keys of the head" || what == "a namespace of it"
		if got := o.HeadsSuffice(); got != want {
			t.Errorf("%s: found %v, expected %v", what, got, want)
		}
	}
}
