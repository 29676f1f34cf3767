package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/look"
)

// gridOf returns the geometry of the places of a field. It is a regular or a regular Gaussian grid of latitudes and
// longitudes that are axes, the grid of points in rows, or the grid of a projection. With an error it returns the
// corners of a single row or column.
func gridOf(ctx context.Context, f *look.Field, grid *look.Grid) (map[string]any, error) {
	if !grid.Separable && grid.Rows == 0 && len(grid.Lat) > 0 && len(f.Dims) == 1 {
		return pointsGrid(ctx, grid)
	}
	if !grid.Separable {
		return projected(ctx, f, grid)
	}
	if len(grid.Lat) < 2 || len(grid.Lon) < 2 {
		return cornersOf(grid.Lat, grid.Lon), errors.New("the grid has less than two rows or columns")
	}
	g, err := regular(grid.Lat, grid.Lon)
	if err != nil {
		return nil, err
	}
	if dj, evenly := increment(grid.Lat); evenly {
		g["gridType"], g["gridDefinitionTemplateNumber"] = "regular_ll", int64(0)
		g["jDirectionIncrementInDegrees"] = micro(math.Abs(dj))
		return g, nil
	}
	g["gridType"], g["gridDefinitionTemplateNumber"] = "regular_gg", int64(40)
	return g, gaussian(g, grid.Lat)
}

// regular returns the keys that regular, Gaussian and rotated grids share.
func regular(lat, lon []float64) (map[string]any, error) {
	di, evenly := increment(lon)
	if !evenly {
		return nil, errors.New("the longitudes have different distances")
	}
	g := cornersOf(lat, lon)
	g["edition"], g["iDirectionIncrementInDegrees"] = int64(2), micro(math.Abs(di))
	g["shapeOfTheEarth"], g["earthIsOblate"], g["radius"] = int64(6), int64(0), 6371229.0
	return g, nil
}

// cornersOf returns the keys of a grid that a single row or column has too.
func cornersOf(lat, lon []float64) map[string]any {
	if len(lat) == 0 || len(lon) == 0 {
		return nil
	}
	nj, ni := len(lat), len(lon)
	return map[string]any{
		"gridType": "regular_ll", "numberOfDataPoints": int64(ni * nj), "Ni": int64(ni), "Nj": int64(nj), "scanningMode": scanning(lat, lon),
		"latitudeOfFirstGridPointInDegrees": micro(lat[0]), "latitudeOfLastGridPointInDegrees": micro(lat[nj-1]),
		"longitudeOfFirstGridPointInDegrees": east(lon[0]), "longitudeOfLastGridPointInDegrees": east(lon[ni-1]),
	}
}

// scanning returns the scanning mode of rows and columns in the order of two axes.
func scanning(rows, columns []float64) int64 {
	mode := int64(0)
	if columns[len(columns)-1] < columns[0] {
		mode |= 0x80
	}
	if rows[len(rows)-1] > rows[0] {
		mode |= 0x40
	}
	return mode
}

// micro rounds degrees to the millionths that GRIB has.
func micro(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 }

// east is a longitude from 0 to 360.
func east(degrees float64) float64 {
	if degrees = micro(math.Mod(degrees, 360)); degrees < 0 {
		degrees = micro(degrees + 360)
	}
	return degrees
}

// increment returns the distance of the values of an axis. It reports whether they are evenly spaced, but for
// the rounding of single precision.
func increment(axis []float64) (d float64, evenly bool) {
	n := len(axis)
	d = (axis[n-1] - axis[0]) / float64(n-1)
	tolerance := math.Max(math.Abs(d)*1e-3, 2e-5)
	for i, v := range axis {
		if !(math.Abs(axis[0]+float64(float64(i)*d)-v) <= tolerance) {
			return 0, false
		}
	}
	return d, d != 0
}

// sameLatitude is the greatest distance, in degrees, of a latitude from the Gaussian one that it is taken
// for.
const sameLatitude = 1e-3

// gaussian sets N, the number of parallels between a pole and the equator, if the latitudes are
// Gaussian ones.
func gaussian(g map[string]any, lat []float64) error {
	spacing := math.Abs(lat[len(lat)-1]-lat[0]) / float64(len(lat)-1)
	guess := int64(math.Round(90 / spacing))
	for _, n := range []int64{guess, guess - 1, guess + 1, int64(len(lat)+1) / 2} {
		if n < 1 || n > 1<<15 {
			continue
		}
		g["N"] = n
		parsed, err := geometry.FromGeometry(g)
		if err != nil {
			return err
		}
		if want, _, err := parsed.Coordinates(); err == nil && within(lat, want, sameLatitude) {
			return nil
		}
	}
	return fmt.Errorf("the %d latitudes have different distances, and are not Gaussian ones", len(lat))
}

// within reports whether two axes are the same within a tolerance.
func within(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if !(math.Abs(v-b[i]) <= tolerance) {
			return false
		}
	}
	return true
}
