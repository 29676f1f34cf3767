package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/look"
)

// pointsGrid returns the geometry of points that each have a latitude and a longitude: the rows of a regular, a
// regular Gaussian or a reduced Gaussian grid, one after the other. GRIB must compute the same places from it as in
// the file.
func pointsGrid(ctx context.Context, grid *look.Grid) (map[string]any, error) {
	lat, pl := rowsOf(grid.Lat)
	if len(lat) < 2 || len(grid.Lat) != len(grid.Lon) {
		return nil, errors.New("the points lie in less than two rows of one latitude")
	}
	if even := pl[0]; sameLengths(pl) && even > 1 {
		rows := &look.Grid{Lat: lat, Lon: grid.Lon[:even], Separable: true}
		for i, lon := range grid.Lon {
			if !(math.Abs(lon-rows.Lon[i%int(even)]) <= samePlace) {
				return nil, fmt.Errorf("point %d lies at longitude %g, and at %g in the first row", i, lon, rows.Lon[i%int(even)])
			}
		}
		return gridOf(ctx, nil, rows) // whose axes say all
	}
	g := map[string]any{
		"edition": int64(2), "gridType": "reduced_gg", "gridDefinitionTemplateNumber": int64(40), "numberOfDataPoints": int64(len(grid.Lat)),
		"Nj": int64(len(lat)), "pl": pl, "scanningMode": int64(0),
		"latitudeOfFirstGridPointInDegrees": micro(lat[0]), "latitudeOfLastGridPointInDegrees": micro(lat[len(lat)-1]),
		"longitudeOfFirstGridPointInDegrees": 0.0, "longitudeOfLastGridPointInDegrees": micro(360 - 360/float64(longest(pl))),
		"shapeOfTheEarth": int64(6), "earthIsOblate": int64(0), "radius": 6371229.0,
	}
	if len(lat)%2 != 0 {
		return nil, fmt.Errorf("rows of different lengths must form a reduced Gaussian grid, which has an even number of them: found %d", len(lat))
	}
	g["N"] = int64(len(lat) / 2)
	parsed, err := geometry.FromGeometry(g)
	if err != nil {
		return nil, err
	}
	wantLat, wantLon, err := parsed.Coordinates()
	if err != nil {
		return nil, err
	}
	if i := apart(grid, wantLat, wantLon); i >= 0 {
		return nil, fmt.Errorf("point %d lies at %g %g in a reduced Gaussian grid of these rows, and at %g %g in the file",
			i, wantLat[i], wantLon[i], grid.Lat[i], grid.Lon[i])
	}
	return g, nil
}

// rowsOf are the latitudes of rows of points, and how many points each has.
func rowsOf(points []float64) (lat []float64, lengths []int64) {
	for i, v := range points {
		if i == 0 || !(math.Abs(v-points[i-1]) <= sameRow) {
			lat, lengths = append(lat, v), append(lengths, 0)
		}
		lengths[len(lengths)-1]++
	}
	return lat, lengths
}

// sameRow is the greatest difference, in degrees, between latitudes in a row: many files have single precision.
const sameRow = 2e-5

func sameLengths(lengths []int64) bool {
	for _, n := range lengths {
		if n != lengths[0] {
			return false
		}
	}
	return true
}

func longest(lengths []int64) (most int64) {
	for _, n := range lengths {
		most = max(most, n)
	}
	return most
}

// apart is the first point that is not where a grid has it, -1 if there is none.
func apart(grid *look.Grid, lat, lon []float64) int {
	if len(lat) != len(grid.Lat) || len(lon) != len(grid.Lon) {
		return 0
	}
	for i := range lat {
		if !(math.Abs(lat[i]-grid.Lat[i]) <= samePlace) || !(math.Abs(math.Remainder(lon[i]-grid.Lon[i], 360))*math.Cos(lat[i]*math.Pi/180) <= samePlace) {
			return i
		}
	}
	return -1
}
