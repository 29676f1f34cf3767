package keys_test

import (
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// TestOceanLevels reads levels and places of ECMWF's ocean products, at 5 m and 7° and at -5.7
// m and 7.9996°. They are integers by type and have three decimals as text. Made with and read
// by ecCodes.
func TestOceanLevels(t *testing.T) {
	b, err := os.ReadFile("testdata/ocean.grib")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[string]struct {
		whole int64
		real  float64
		text  string
	}{
		{"mars.levelist": {5, 5, "5.000"}, "mars.latitude": {7, 7, "7.000"}},
		{"mars.levelist": {-5, -5.7, "-5.700"}, "mars.latitude": {7, 8, "8.000"}},
	} {
		h, err := keys.New(b[i*len(b)/2:][:len(b)/2], nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range want {
			native, _ := h.Get(key)
			whole, _ := h.Int(key)
			real, _ := h.Float(key)
			text, _ := h.String(key)
			if native != want.whole || whole != want.whole || real != want.real || text != want.text {
				t.Errorf("message %d: %s is %v, %d, %v, %q; want %+v", i, key, native, whole, real, text, want)
			}
		}
	}
}
