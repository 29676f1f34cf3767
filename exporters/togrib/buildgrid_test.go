package togrib

import (
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
)

// TestNamespacesSayWhere: the namespaces of ecCodes that the reference keeps with --all-keys give the grid
// and the type of level.
func TestNamespacesSayWhere(t *testing.T) {
	b := &builder{points: 6, shape: []uint64{2, 3}, entry: mapping.Read(map[string]any{"grib": map[string]any{
		"vertical": map[string]any{"typeOfLevel": "isobaricInhPa"},
		"geography": map[string]any{
			"gridType": "regular_ll", "Ni": int64(3), "Nj": int64(2), "jScansPositively": int64(1),
			"latitudeOfFirstGridPointInDegrees": 10.0, "latitudeOfLastGridPointInDegrees": 11.0, "jDirectionIncrementInDegrees": 1.0,
			"longitudeOfFirstGridPointInDegrees": 5.0, "longitudeOfLastGridPointInDegrees": 7.0, "iDirectionIncrementInDegrees": 1.0,
		},
	}})}
	g, err := b.geometry()
	if err != nil || g["latitudeOfFirstGridPointInDegrees"] != 10.0 || g["scanningMode"] != int64(0x40) {
		t.Errorf("%v, %v; expected a grid from 10 degrees to the north", g, err)
	}
	if kind := b.levelType(mapping.Labels{}); kind != "isobaricInhPa" {
		t.Errorf("levels of kind %q", kind)
	}
}
