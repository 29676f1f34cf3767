package extract_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/look"
)

// TestCorners interpolates the places themselves: the weighted mean of the four points is the place,
// but for the curvature of cells where these lie askew.
func TestCorners(t *testing.T) {
	for _, file := range []string{
		"grib/2t.grib2", "grib/cfgrib/reduced_gg.grib", "grib/cfgrib/lambert_grid.grib", "grib/earthkit/rotated_wind_20x20.grib",
		"netcdf/wild/roms.nc", "netcdf/wild/wrf.nc", "netcdf/wild/lambert.nc", "netcdf/wild/rotated.nc",
	} {
		t.Run(file, func(t *testing.T) { corners(t, file) })
	}
}

func corners(t *testing.T, file string) {
	var grid *look.Grid
	for _, f := range list(t, file) {
		if f.HasGrid() {
			var err error
			if grid, err = f.Grid(t.Context()); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if grid == nil {
		t.Fatal("no grid")
	}
	around, err := extract.CornersOf(grid)
	if err != nil {
		t.Fatal(err)
	}
	r, at := rand.New(rand.NewPCG(1, 2)), grid.Places()
	found := 0
	for range 200 {
		i := r.IntN(grid.Len())
		lat, lon, err := at.At(i)
		if err != nil {
			t.Fatal(err)
		}
		spacing := grid.Spacing(i)
		step, within := spacing/111/3, spacing*spacing/6371
		switch {
		case grid.Separable:
			within = 1e-3
		case grid.Cols == 0:
			step, within = 0.5, 1e-3
		}
		p := extract.Place{Lat: lat + step*(r.Float64()-0.5), Lon: lon + step*(r.Float64()-0.5)}
		if math.IsNaN(lat) || math.Abs(p.Lat) > 85 {
			continue
		}
		nearest, err := grid.Nearest(p.Lat, p.Lon)
		if err != nil {
			t.Fatal(err)
		}
		four, weights, ok, err := around(p, uint64(nearest))
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue // at the edge
		}
		found++
		var sum, y, x float64
		for k, w := range weights {
			lat, lon, err := at.At(int(four[k]))
			if err != nil {
				t.Fatal(err)
			}
			sum, y, x = sum+w, y+w*lat, x+w*math.Remainder(lon-p.Lon, 360)
		}
		if d := look.Distance(p.Lat, p.Lon, y, p.Lon+x); math.Abs(sum-1) > 1e-12 || d > within {
			t.Errorf("%v: the weights of %v are %v: they are %v, and %v km away", p, four, weights, sum, d)
		}
	}
	if found < 50 {
		t.Errorf("%d places are within the grid", found)
	}
}

// TestNoCorners refuses grids whose points are in no rows.
func TestNoCorners(t *testing.T) {
	g := &look.Grid{Lat: []float64{3, 1, 2, 5, 4}, Lon: []float64{0, 1, 2, 3, 4}, Type: "unstructured_grid"}
	if _, err := extract.CornersOf(g); !errors.As(err, new(*extract.GridError)) {
		t.Error(err)
	}
}
