package grib

import "github.com/tgmconv/tgmconv/grib/geometry"

// Grid is a parsed grid definition. It has the shape of a field, the order of its values
// and the coordinates of its points.
type Grid = geometry.Grid

// Octets of section 1 of edition 1, counted from 0.
const (
	centre1     = 4
	gridNumber1 = 6
)

// Grid parses the grid definition of the field. An edition 1 message without a definition
// names an international exchange grid by number. Errors are errors of package geometry.
func (f *Field) Grid() (*Grid, error) {
	g, err := f.gridOnly()
	if err != nil || f.Edition == 2 || g.PL == nil {
		return g, err
	}
	// Where the number of points of a reduced grid can be counted in two ways, the data decide.
	if n, err := f.points(); err == nil && n != g.NumberOfDataPoints {
		return f.parseGrid(geometry.DataValues(n))
	}
	return g, nil
}

// gridOnly parses the grid definition without a look at the data.
func (f *Field) gridOnly() (*Grid, error) {
	if f.Edition == 1 && f.sections[2].Data == nil {
		g, _, err := geometry.Predefined(int(f.sections[1].Data[gridNumber1]))
		return g, err
	}
	return f.parseGrid()
}

func (f *Field) parseGrid(opts ...geometry.Option) (*Grid, error) {
	opts = append(opts, geometry.MaxPoints(f.maxPoints))
	if f.Edition == 2 {
		return geometry.Parse(2, f.sections[3].Data, append(opts, geometry.Centre(be16(f.sections[1].Data, 5)))...)
	}
	return geometry.Parse(1, f.sections[2].Data, append(opts, geometry.Centre(int(f.sections[1].Data[centre1])))...)
}

// gridPoints1 returns how many values a field on the grid of an edition 1 message has. It is
// false when the message does not say. Of a row at a pole, exchange grids have one value.
func (f *Field) gridPoints1() (n int, reduced, ok bool) {
	if f.sections[2].Data == nil {
		_, n, err := geometry.Predefined(int(f.sections[1].Data[gridNumber1]))
		return n, false, err == nil
	}
	g, err := f.parseGrid()
	if err != nil || g.NumberOfDataPoints == 0 {
		return 0, false, false
	}
	return g.NumberOfDataPoints, g.PL != nil, true
}

// isSpectral1 reports whether a data representation type is of spherical harmonics: plain,
// rotated, stretched, both.
func isSpectral1(dataRepresentation byte) bool {
	return dataRepresentation >= 50 && dataRepresentation <= 80 && dataRepresentation%10 == 0
}
