package togrib

import (
	"errors"
	"fmt"
	"maps"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/mapping"
)

// gridSection makes section 3.
func (b *builder) gridSection() error {
	g := b.entry.Geometry()
	if g == nil {
		var err error
		if g, err = b.geometry(); err != nil {
			return err
		}
	}
	grid, err := geometry.FromGeometry(g)
	if err == nil && grid.NumberOfDataPoints != b.points {
		err = fmt.Errorf("a grid of %d points for %d values", grid.NumberOfDataPoints, b.points)
	}
	uv := b.integer(0, "uvRelativeToGrid") != 0
	switch b.grid = grid; {
	case err != nil:
	case b.edition == 1:
		b.draft.Edition = 1
		b.draft.Grid, err = grid.Section1(uv)
	default:
		b.draft.Grid, err = grid.Section(uv)
	}
	if err != nil {
		return &BuildError{mapping.KeyGeometry, err}
	}
	return nil
}

// templates are the grid definition templates of ecCodes' grid types.
var templates = map[string]int{
	"regular_ll": 0, "reduced_ll": 0, "rotated_ll": 1, "stretched_ll": 2, "stretched_rotated_ll": 3, "mercator": 10,
	"polar_stereographic": 20, "lambert": 30, "albers": 31, "regular_gg": 40, "reduced_gg": 40, "rotated_gg": 41,
	"reduced_rotated_gg": 41, "stretched_gg": 42, "reduced_stretched_gg": 42, "stretched_rotated_gg": 43,
	"reduced_stretched_rotated_gg": 43, "sh": 50, "rotated_sh": 51, "stretched_sh": 52, "stretched_rotated_sh": 53,
	"space_view": 90, "unstructured_grid": 101, "lambert_azimuthal_equal_area": 140, "healpix": 150,
}

// geometry makes the description of a grid of the keys that the reference's importer writes: those
// to write the field again, or ecCodes' namespace that convert-grib --all-keys keeps.
func (b *builder) geometry() (map[string]any, error) {
	keys := b.entry.Reproduction()
	if keys == nil {
		keys = b.ecCodes("geography")
	}
	kind := b.text(mapping.MARSGrid)
	if v, ok := keys["gridType"].(string); ok {
		kind = v
	}
	template, ok := templates[kind]
	if !ok {
		return nil, &BuildError{"gridType", fmt.Errorf("grids of type %q have no template here", kind)}
	}
	g := maps.Clone(keys)
	if g == nil {
		g = map[string]any{}
	}
	g["gridType"], g["edition"], g["gridDefinitionTemplateNumber"] = kind, int64(2), int64(template)
	g["numberOfDataPoints"] = int64(b.points)
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
		return g, b.fromArea(g)
	}
	return g, nil
}

// ecCodes returns a namespace of ecCodes that the entry has, or nil.
func (b *builder) ecCodes(namespace string) map[string]any {
	keys, _ := b.entry.Namespace(mapping.KeyGRIB)[namespace].(map[string]any)
	return keys
}

// fromArea takes the corners of a regular grid from MARS.
func (b *builder) fromArea(g map[string]any) error {
	area, _ := b.entry.MARS()[mapping.MARSArea].([]any)
	if len(area) != 4 || len(b.shape) != 2 || b.shape[0] < 2 || b.shape[1] < 2 {
		return &BuildError{mapping.KeyMARS + "." + mapping.MARSArea, errors.New("it is missing, and no other key gives the place of the grid")}
	}
	var corner [4]float64 // north, west, south, east
	for i, v := range area {
		corner[i], _ = mapping.Float(v)
	}
	nj, ni := float64(b.shape[0]), float64(b.shape[1])
	g["Ni"], g["Nj"] = int64(ni), int64(nj)
	g["latitudeOfFirstGridPointInDegrees"], g["longitudeOfFirstGridPointInDegrees"] = corner[0], corner[1]
	g["latitudeOfLastGridPointInDegrees"], g["longitudeOfLastGridPointInDegrees"] = corner[2], corner[3]
	g["iDirectionIncrementInDegrees"], g["jDirectionIncrementInDegrees"] = (corner[3]-corner[1])/(ni-1), (corner[0]-corner[2])/(nj-1)
	return nil
}
