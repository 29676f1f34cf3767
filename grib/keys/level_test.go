package keys_test

import (
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// TestLevel has pressures of edition 2 that are no whole hectopascals, and layers up to the top of
// the atmosphere. Keys asked for before do not matter.
func TestLevel(t *testing.T) {
	message, err := os.ReadFile("../../fixtures/grib/earthkit/chem_ll.grib2")
	if err != nil {
		t.Fatal(err)
	}
	surface := func(which, kind, factor, value string) []keys.Setting {
		return []keys.Setting{
			{Key: "typeOf" + which + "FixedSurface", Value: kind},
			{Key: "scaleFactorOf" + which + "FixedSurface", Value: factor}, {Key: "scaledValueOf" + which + "FixedSurface", Value: value},
		}
	}
	for _, test := range []struct {
		kind               string
		settings           []keys.Setting
		level, top, bottom float64
	}{
		{"isobaricInhPa", surface("First", "100", "0", "250"), 2.5, 2.5, 2.5},
		{"isobaricInhPa", surface("First", "100", "0", "85000"), 850, 850, 850},
		{"isobaricInhPa", surface("First", "100", "1", "2505"), 2.505, 2.505, 2.505},
		{"isobaricInPa", surface("First", "100", "0", "40"), 40, 40, 40},
		{"isobaricLayer", append(surface("First", "100", "0", "50000"), surface("Second", "100", "0", "0")...), 500, 500, 0},
		{"heightAboveGround", surface("First", "103", "1", "15"), 1.5, 2, 2}, // no layer: ecCodes' values
	} {
		b, err := keys.SetAll(message, append([]keys.Setting{{Key: "typeOfSecondFixedSurface", Value: "255"}}, test.settings...)...)
		if err != nil {
			t.Fatal(err)
		}
		h, err := keys.New(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.Float("bottomLevel") // of 0 changes the unit of topLevel
		if kind, _ := h.String("typeOfLevel"); kind != test.kind {
			t.Errorf("%v: found %s, expected %s", test.settings, kind, test.kind)
		}
		for key, want := range map[string]float64{"level": test.level, "topLevel": test.top, "bottomLevel": test.bottom} {
			if got, err := h.Level(key); err != nil || got != want {
				t.Errorf("%v: %s is %v, %v; expected %v", test.settings, key, got, err, want)
			}
		}
	}
}
