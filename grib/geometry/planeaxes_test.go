package geometry

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// The first point lies on the origin of the projection. Rows and columns then begin at 0 and end
// where the lengths of the grid say.
func TestPlaneAxes(t *testing.T) {
	common := map[string]any{
		"edition": int64(2), "numberOfDataPoints": int64(6), "Nx": int64(3), "Ny": int64(2), "scanningMode": int64(64),
		"latitudeOfFirstGridPointInDegrees": 50.0, "longitudeOfFirstGridPointInDegrees": 10.0,
	}
	sphere := map[string]any{"shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0}
	oblate := map[string]any{"shapeOfTheEarth": int64(5), "earthIsOblate": int64(1), "earthMajorAxisInMetres": 6378137.0, "earthMinorAxisInMetres": 6356752.314}
	lengths := map[string]any{"DxInMetres": 2000.0, "DyInMetres": 3000.0}
	cone := map[string]any{"LaDInDegrees": 50.0, "LoVInDegrees": 10.0, "Latin1InDegrees": 40.0, "Latin2InDegrees": 60.0,
		"latitudeOfSouthernPoleInDegrees": 0.0, "longitudeOfSouthernPoleInDegrees": 0.0, "projectionCentreFlag": int64(0)}
	for _, test := range []struct {
		gridType string
		template int64
		more     []map[string]any
	}{
		{"lambert", 30, []map[string]any{lengths, cone}},
		{"albers", 31, []map[string]any{lengths, cone}},
		{"polar_stereographic", 20, []map[string]any{lengths, {"LaDInDegrees": 60.0, "orientationOfTheGridInDegrees": 10.0,
			"projectionCentreFlag": int64(0), "latitudeOfFirstGridPointInDegrees": 90.0}}},
		{"lambert_azimuthal_equal_area", 140, []map[string]any{{"standardParallelInDegrees": 50.0, "centralLongitudeInDegrees": 10.0,
			"xDirectionGridLengthInMillimetres": int64(2000000), "yDirectionGridLengthInMillimetres": int64(3000000)}}},
	} {
		for _, earth := range []map[string]any{sphere, oblate} {
			m := maps.Clone(common)
			m["gridType"], m["gridDefinitionTemplateNumber"] = test.gridType, test.template
			for _, part := range append(slices.Clone(test.more), earth) {
				maps.Copy(m, part)
			}
			g, err := FromGeometry(m)
			if err != nil {
				t.Fatal(test.gridType, err)
			}
			rows, columns, err := g.PlaneAxes()
			if err != nil {
				t.Fatal(test.gridType, err)
			}
			for _, axis := range []struct{ got, want []float64 }{{rows, []float64{0, 3000}}, {columns, []float64{0, 2000, 4000}}} {
				if !slices.EqualFunc(axis.got, axis.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }) {
					t.Errorf("%s: %v, expected %v", test.gridType, axis.got, axis.want)
				}
			}
		}
	}
}
