package togrib

import (
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
)

// TestCut checks that a part of a grid has the keys of its grid. All other octets of the header stay the
// same.
func TestCut(t *testing.T) {
	for _, name := range []string{"2t.grib2", "cfgrib/era5-levels-members.grib"} {
		data, err := os.ReadFile("../../fixtures/grib/" + name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := grib.ParseMessage(data[:lengthOf(data)], 0)
		if err != nil {
			t.Fatal(err)
		}
		header := f.Fields()[0].Header()
		s := Slice{Shape: []uint64{3, 5}, Base: map[string]any{mapping.KeyGeometry: map[string]any{
			"gridType": "regular_ll", "scanningMode": int64(0x40),
			"latitudeOfFirstGridPointInDegrees": -6.0, "longitudeOfFirstGridPointInDegrees": 354.0,
			"latitudeOfLastGridPointInDegrees": 0.0, "longitudeOfLastGridPointInDegrees": 6.0,
		}}}
		cut := s.cut(header)
		if len(cut) != len(header) {
			t.Fatalf("%s: a header of %d octets, expected %d", name, len(cut), len(header))
		}
		message, err := cut.Message()
		if err != nil {
			t.Fatal(err)
		}
		h, err := keys.New(message, nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]float64{
			"Ni": 5, "Nj": 3, "jScansPositively": 1, "iScansNegatively": 0, "numberOfDataPoints": 15,
			"latitudeOfFirstGridPointInDegrees": -6, "longitudeOfFirstGridPointInDegrees": 354,
			"latitudeOfLastGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 6,
		} {
			if got, err := h.Float(key); (err != nil || got != want) && !(key == "numberOfDataPoints" && header.Edition() == 1) {
				t.Errorf("%s: %s is %v, %v, expected %v", name, key, got, err, want)
			}
		}
		differ := 0
		for i := range header {
			if header[i] != cut[i] {
				differ++
			}
		}
		if differ == 0 || differ > len(header.GridSection()) {
			t.Errorf("%s: %d octets of the header differ, expected some of the %d of the grid", name, differ, len(header.GridSection()))
		}
		s.Base[mapping.KeyGeometry].(map[string]any)["gridType"] = "lambert"
		if s.cut(header) != nil {
			t.Errorf("%s: a part of another type of grid has a header", name)
		}
	}
}

// lengthOf is the length of the message at the beginning of data.
func lengthOf(data []byte) int {
	if data[7] == 1 {
		return int(data[4])<<16 | int(data[5])<<8 | int(data[6])
	}
	n := 0
	for _, b := range data[8:16] {
		n = n<<8 | int(b)
	}
	return n
}
