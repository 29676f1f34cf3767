package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// attributes are the attributes of a grid mapping (CF-1.11, appendix F).
type attributes map[string]any

func (a attributes) number(key string, fallback float64) float64 {
	if v, ok := mapping.Float(a[key]); ok {
		return v
	}
	return fallback
}

// parallels returns the standard parallels: one or two.
func (a attributes) parallels() (first, second float64) {
	if list, ok := a["standard_parallel"].([]any); ok && len(list) > 0 {
		first, _ = mapping.Float(list[0])
		second, _ = mapping.Float(list[len(list)-1])
		return first, second
	}
	if list, ok := a["standard_parallel"].([]float64); ok && len(list) > 0 {
		return list[0], list[len(list)-1]
	}
	first = a.number("standard_parallel", math.NaN())
	return first, first
}

// samePlace is the greatest distance, in degrees, between places of a grid and of the file: many files have
// single precision.
const samePlace = 2e-3

// projected returns the geometry of a grid mapping. The places that GRIB computes from it must be in the
// file.
func projected(ctx context.Context, f *look.Field, grid *look.Grid) (map[string]any, error) {
	name, _ := f.Mapping["grid_mapping_name"].(string)
	rows, columns := f.Axes(ctx)
	if name == "" || len(rows) < 2 || len(columns) < 2 || len(rows) != grid.Rows || len(columns) != grid.Cols {
		return nil, errors.New("the latitudes and longitudes are not axes, and there is no grid mapping with its own axes")
	}
	g, err := templateOf(f, name, rows, columns, grid)
	if err != nil {
		return nil, err
	}
	parsed, err := geometry.FromGeometry(g)
	if err != nil {
		return nil, err
	}
	lat, lon, err := parsed.Coordinates()
	if err != nil {
		return nil, err
	}
	separable := parsed.Separable()
	for i := range grid.Lat {
		j, k := i, i
		if separable {
			j, k = i/len(columns), i%len(columns)
		}
		if !(math.Abs(lat[j]-grid.Lat[i]) <= samePlace) || !(math.Abs(math.Remainder(lon[k]-grid.Lon[i], 360))*math.Cos(lat[j]*math.Pi/180) <= samePlace) {
			return nil, fmt.Errorf("point %d lies at %g %g in the grid of %s, and at %g %g in the file", i, lat[j], lon[k], name, grid.Lat[i], grid.Lon[i])
		}
	}
	return g, nil
}

// templateOf returns the geometry of a grid mapping.
func templateOf(f *look.Field, name string, rows, columns []float64, grid *look.Grid) (map[string]any, error) {
	a := attributes(f.Mapping)
	if name == "rotated_latitude_longitude" {
		return rotated(a, rows, columns)
	}
	dx, evenly := increment(columns)
	dy, evenlyToo := increment(rows)
	if !evenly || !evenlyToo {
		return nil, errors.New("the coordinates of the projection have different distances")
	}
	metres := 1.0
	if math.Abs(dx) < 100 { // kilometres, as some files have them
		metres = 1000
	}
	g := map[string]any{
		"edition": int64(2), "numberOfDataPoints": int64(len(rows) * len(columns)), "scanningMode": scanning(rows, columns),
		"latitudeOfFirstGridPointInDegrees": micro(grid.Lat[0]), "longitudeOfFirstGridPointInDegrees": east(grid.Lon[0]),
		"DxInMetres": math.Abs(dx) * metres, "DyInMetres": math.Abs(dy) * metres, "projectionCentreFlag": int64(0),
		"Nx": int64(len(columns)), "Ny": int64(len(rows)),
	}
	a.earth(g)
	first, second := a.parallels()
	switch name {
	case "lambert_conformal_conic":
		g["gridType"], g["gridDefinitionTemplateNumber"] = "lambert", int64(30)
		g["LoVInDegrees"], g["LaDInDegrees"] = east(a.number("longitude_of_central_meridian", math.NaN())), a.number("latitude_of_projection_origin", first)
		g["Latin1InDegrees"], g["Latin2InDegrees"] = first, second
		g["latitudeOfSouthernPoleInDegrees"], g["longitudeOfSouthernPoleInDegrees"] = -90.0, 0.0
	case "polar_stereographic":
		g["gridType"], g["gridDefinitionTemplateNumber"] = "polar_stereographic", int64(20)
		g["LaDInDegrees"] = first
		g["orientationOfTheGridInDegrees"] = east(a.number("straight_vertical_longitude_from_pole", a.number("longitude_of_projection_origin", math.NaN())))
		if a.number("latitude_of_projection_origin", 90) < 0 {
			g["projectionCentreFlag"] = int64(128)
		}
	default:
		return nil, fmt.Errorf("the grid mapping is %s, expected rotated_latitude_longitude, lambert_conformal_conic or polar_stereographic", name)
	}
	return g, nil
}

// rotated returns the geometry of a grid with a rotated pole.
func rotated(a attributes, rows, columns []float64) (map[string]any, error) {
	g, err := regular(rows, columns)
	if err != nil {
		return nil, err
	}
	dj, evenly := increment(rows)
	if !evenly {
		return nil, errors.New("the latitudes of the rotated grid have different distances")
	}
	g["gridType"], g["gridDefinitionTemplateNumber"] = "rotated_ll", int64(1)
	g["jDirectionIncrementInDegrees"] = micro(math.Abs(dj))
	g["latitudeOfSouthernPoleInDegrees"] = -a.number("grid_north_pole_latitude", math.NaN())
	g["longitudeOfSouthernPoleInDegrees"] = east(a.number("grid_north_pole_longitude", math.NaN()) + 180)
	g["angleOfRotationInDegrees"] = a.number("north_pole_grid_longitude", 0)
	return g, nil
}

// earth sets the figure of the Earth (code table 3.2).
func (a attributes) earth(g map[string]any) {
	major := a.number("semi_major_axis", a.number("earth_radius", 6371229))
	minor := a.number("semi_minor_axis", major)
	if f := a.number("inverse_flattening", 0); f != 0 {
		minor = major - major/f
	}
	if major == minor {
		shape := int64(1)
		switch major {
		case 6367470:
			shape = 0
		case 6371229:
			shape = 6
		}
		g["shapeOfTheEarth"], g["earthIsOblate"], g["radius"] = shape, int64(0), major
		return
	}
	g["shapeOfTheEarth"], g["earthIsOblate"] = int64(7), int64(1)
	g["earthMajorAxisInMetres"], g["earthMinorAxisInMetres"] = major, minor
}
