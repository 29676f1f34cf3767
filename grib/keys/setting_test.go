package keys_test

import (
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func TestParseSetting(t *testing.T) {
	for text, want := range map[string]keys.Setting{
		"level=3":         {Key: "level", Value: "3"},
		"shortName:s=q":   {Key: "shortName", Value: "q"},
		" hour:i =7":      {Key: "hour", Value: "7"},
		"expver=a=b":      {Key: "expver", Value: "a=b"},
		"expver=":         {Key: "expver"},
		"mars:x=1":        {Key: "mars:x", Value: "1"},
		"latitude:d=50.5": {Key: "latitude", Value: "50.5"},
	} {
		if got, err := keys.ParseSetting(text); err != nil || got != want {
			t.Errorf("%q: found %+v, %v, expected %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "level", "=3", " =3"} {
		if got, err := keys.ParseSetting(text); err == nil {
			t.Errorf("%q: found %+v, expected an error", text, got)
		}
	}
}
