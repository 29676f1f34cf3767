package look

import (
	"math"
	"testing"
)

// rowsAndColumns makes a grid of places that a function gives.
func rowsAndColumns(rows, cols int, at func(j, i int) (lat, lon float64)) *Grid {
	g := &Grid{Rows: rows, Cols: cols}
	for j := range rows {
		for i := range cols {
			lat, lon := at(j, i)
			g.Lat, g.Lon = append(g.Lat, lat), append(g.Lon, lon)
		}
	}
	return g
}

// TestTurnWindOfLambert turns winds on a Lambert conformal grid. There the angle of a row is the distance from the
// central meridian times the constant of the cone.
func TestTurnWindOfLambert(t *testing.T) {
	const lon0, lat0 = 10.0, 50.0
	cone := math.Sin(lat0 * degree)
	rho := func(lat float64) float64 {
		return math.Cos(lat0*degree) / cone * math.Pow(math.Tan(math.Pi/4+lat0*degree/2)/math.Tan(math.Pi/4+lat*degree/2), cone)
	}
	for _, backwards := range []bool{false, true} {
		g := rowsAndColumns(20, 30, func(j, i int) (lat, lon float64) {
			if backwards {
				i = 29 - i
			}
			x, y := float64(i-15)*0.01, rho(lat0)-float64(j-10)*0.01
			r := math.Hypot(x, y)
			tan := math.Tan(math.Pi/4+lat0*degree/2) * math.Pow(rho(lat0)/r, 1/cone)
			return (2*math.Atan(tan) - math.Pi/2) / degree, lon0 + math.Atan2(x, y)/cone/degree
		})
		if backwards {
			g.Params = map[string]any{"edition": int64(2), "gridType": "lambert", "numberOfDataPoints": int64(600), "Ni": int64(30), "Nj": int64(20), "scanningMode": int64(128 + 64)}
		}
		along, across := make([]float64, g.Len()), make([]float64, g.Len())
		for i := range along {
			along[i], across[i] = 8, 3
		}
		if err := new(Field).TurnWind(t.Context(), g, along, across); err != nil {
			t.Fatal(err)
		}
		for i := range along {
			sin, cos := math.Sincos(-cone * (g.Lon[i] - lon0) * degree)
			if east, north := 8*cos-3*sin, 8*sin+3*cos; math.Hypot(along[i]-east, across[i]-north) > 0.003 {
				t.Fatalf("at %.2f %.2f (backwards %v): %.4f and %.4f, want %.4f and %.4f", g.Lat[i], g.Lon[i], backwards, along[i], across[i], east, north)
			}
		}
	}
}

// TestTurnWindOfRotated turns the wind of a body that rotates about the pole of a rotated grid: the wind along the rows
// is the cosine of the latitude there.
func TestTurnWindOfRotated(t *testing.T) {
	const tilt = 40 * degree // of the pole, towards longitude 0
	sin, cos := math.Sincos(tilt)
	g := rowsAndColumns(81, 361, func(j, i int) (lat, lon float64) {
		rlat, rlon := float64(j-40)*2*degree, float64(i)*degree
		x, y, z := math.Cos(rlat)*math.Cos(rlon), math.Cos(rlat)*math.Sin(rlon), math.Sin(rlat)
		x, z = cos*x+sin*z, cos*z-sin*x
		return math.Asin(z) / degree, math.Atan2(y, x) / degree
	})
	along, across := make([]float64, g.Len()), make([]float64, g.Len())
	for i := range along {
		along[i] = math.Cos(float64(i/361-40) * 2 * degree)
	}
	if err := new(Field).TurnWind(t.Context(), g, along, across); err != nil {
		t.Fatal(err)
	}
	for i := range along {
		lat, lon := g.Lat[i]*degree, g.Lon[i]*degree
		// The axis is (sin, 0, cos): its cross product with the place, to the east and north.
		east := cos*math.Cos(lat) - sin*math.Sin(lat)*math.Cos(lon)
		north := sin * math.Sin(lon)
		if math.Abs(lat) < 89*degree && math.Hypot(along[i]-east, across[i]-north) > 0.001 {
			t.Fatalf("at %.2f %.2f: %.4f and %.4f, want %.4f and %.4f", g.Lat[i], g.Lon[i], along[i], across[i], east, north)
		}
	}
	if err := new(Field).TurnWind(t.Context(), g, along[1:], across); err == nil {
		t.Error("a wind of other than the points of the grid is turned")
	}
}
