package mars

import (
	"errors"
	"fmt"
	"maps"

	"github.com/tgmconv/tgmconv/mapping"
)

// templates are the grid definition templates of ecCodes' grid types.
var templates = map[string]int{
	"regular_ll": 0, "reduced_ll": 0, "rotated_ll": 1, "stretched_ll": 2, "stretched_rotated_ll": 3, "mercator": 10,
	"polar_stereographic": 20, "lambert": 30, "albers": 31, "regular_gg": 40, "reduced_gg": 40, "rotated_gg": 41,
	"reduced_rotated_gg": 41, "stretched_gg": 42, "reduced_stretched_gg": 42, "stretched_rotated_gg": 43,
	"reduced_stretched_rotated_gg": 43, "sh": 50, "rotated_sh": 51, "stretched_sh": 52, "stretched_rotated_sh": 53,
	"space_view": 90, "unstructured_grid": 101, "lambert_azimuthal_equal_area": 140, "healpix": 150,
}

// A KeyError says which key of an entry is missing or wrong.
type KeyError struct {
	Key string
	Err error
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *KeyError) Unwrap() error { return e.Err }

// Geometry describes the grid of an object of a shape by the keys that the reference's importer writes. It reads the
// keys to write the field again, or ecCodes' namespace that its convert-grib --all-keys keeps, or MARS' keys. The
// error is a *KeyError.
func Geometry(e mapping.Entry, shape []uint64) (map[string]any, error) {
	keys := e.Reproduction()
	if keys == nil {
		keys, _ = e.Namespace(mapping.KeyGRIB)["geography"].(map[string]any)
	}
	kind, _ := e.MARS()[mapping.MARSGrid].(string)
	if v, ok := keys["gridType"].(string); ok {
		kind = v
	}
	template, ok := templates[kind]
	if !ok {
		return nil, &KeyError{"gridType", fmt.Errorf("grids of type %q have no template here", kind)}
	}
	points := int64(1)
	for _, n := range shape {
		points *= int64(n)
	}
	g := maps.Clone(keys)
	if g == nil {
		g = map[string]any{}
	}
	g["gridType"], g["edition"], g["gridDefinitionTemplateNumber"], g["numberOfDataPoints"] = kind, int64(2), int64(template), points
	scan := int64(0)
	for key, bit := range map[string]int64{"iScansNegatively": 0x80, "jScansPositively": 0x40, "jPointsAreConsecutive": 0x20, "alternativeRowScanning": 0x10} {
		if n, ok := mapping.Int(keys[key]); ok && n != 0 {
			scan |= bit
		}
	}
	g["scanningMode"] = scan
	if _, ok := g["shapeOfTheEarth"]; !ok {
		g["shapeOfTheEarth"], g["earthIsOblate"], g["radius"] = int64(6), int64(0), 6371229.0
	}
	if _, ok := g["latitudeOfFirstGridPointInDegrees"]; !ok && template == 0 {
		return g, fromArea(g, e, shape)
	}
	return g, nil
}

// fromArea takes the corners of a regular grid from MARS.
func fromArea(g map[string]any, e mapping.Entry, shape []uint64) error {
	area, _ := e.MARS()[mapping.MARSArea].([]any)
	if len(area) != 4 || len(shape) != 2 || shape[0] < 2 || shape[1] < 2 {
		return &KeyError{mapping.KeyMARS + "." + mapping.MARSArea, errors.New("it is missing, and no other key gives the place of the grid")}
	}
	var corner [4]float64 // north, west, south, east
	for i, v := range area {
		corner[i], _ = mapping.Float(v)
	}
	nj, ni := float64(shape[0]), float64(shape[1])
	g["Ni"], g["Nj"] = int64(ni), int64(nj)
	g["latitudeOfFirstGridPointInDegrees"], g["longitudeOfFirstGridPointInDegrees"] = corner[0], corner[1]
	g["latitudeOfLastGridPointInDegrees"], g["longitudeOfLastGridPointInDegrees"] = corner[2], corner[3]
	g["iDirectionIncrementInDegrees"], g["jDirectionIncrementInDegrees"] = (corner[3]-corner[1])/(ni-1), (corner[0]-corner[2])/(nj-1)
	return nil
}
