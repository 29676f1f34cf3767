package look

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/mapping"
)

// Northward finds the component to the north that belongs to a component of a wind to the east, among fields
// with the same labels. For a component along the rows of the grid it finds that along its columns. It is nil if f is
// no such component, or has no such field.
func (f *Field) Northward(among []*Field) *Field {
	name, other := mapping.Northward(path.Base(f.Name)), mapping.NorthwardStandard(f.standardName())
	if f.AlongRows() {
		name, other = "", mapping.AcrossStandard(f.standardName())
	}
	for _, g := range among {
		is := name != "" && path.Base(g.Name) == name || other != "" && g.standardName() == other
		if is && g.Labels() == f.Labels() && slices.Equal(f.Shape, g.Shape) {
			return g
		}
	}
	return nil
}

func (f *Field) standardName() string { return f.attribute(mapping.KeyStandardName) }

// AlongRows reports whether the standard name of a field is that of a component of a wind along the rows of its grid.
func (f *Field) AlongRows() bool { return mapping.AcrossStandard(f.standardName()) != "" }

// TurnWind turns components of a wind along the rows and columns of the grid of a field. They become components to
// the east and north, in place.
func (f *Field) TurnWind(ctx context.Context, g *Grid, along, across []float64) error {
	cols := g.Cols
	if g.Separable {
		cols = len(g.Lon)
	}
	if n := g.Len(); g.points != nil || cols == 0 || len(along) != n || len(across) != n {
		return fmt.Errorf("%s: a wind of %d and %d values along the rows of a grid of %d points, expected as many in rows and columns", f.Where, len(along), len(across), n)
	}
	backwards := false
	if parsed, err := geometry.FromGeometry(g.Params); g.Params != nil && err == nil {
		backwards = parsed.Scan.NegativeI()
	} else if _, columns := f.Axes(ctx); len(columns) > 1 {
		backwards = columns[1] < columns[0]
	}
	angles := make([]float32, cols)
	for first := 0; first < len(along); first += cols {
		g.RowAngles(first, backwards, angles)
		for i, angle := range angles {
			k := first + i
			along[k], across[k] = Turned(along[k], across[k], angle)
		}
	}
	return nil
}

// Turned turns components of a wind along rows and columns to the east and north, given the angle of the row.
func Turned(along, across float64, angle float32) (east, north float64) {
	sin, cos := math.Sincos(float64(angle))
	return float64(along*cos) - float64(across*sin), float64(along*sin) + float64(across*cos)
}

// RowAngles finds the angles from the east to the direction of a row of rising coordinates, at each of its points. They
// are in radians, anticlockwise. The row begins with value first, and has as many points as angles; backwards says that
// its coordinates fall. The direction at a point is the direction of the parabola through the point and its two
// neighbours.
func (g *Grid) RowAngles(first int, backwards bool, angles []float32) {
	cols, sign := len(angles), 1.0
	if backwards {
		sign = -1
	}
	at := func(i int) (lat, lon float64, p [3]float64) {
		k := first + i
		if g.Separable {
			lat, lon = g.Lat[k/len(g.Lon)], g.Lon[k%len(g.Lon)]
		} else {
			lat, lon = g.Lat[k], g.Lon[k]
		}
		lat, lon = lat*degree, lon*degree
		return lat, lon, [3]float64{math.Cos(lat) * math.Cos(lon), math.Cos(lat) * math.Sin(lon), math.Sin(lat)}
	}
	for i := range angles {
		lat, lon, _ := at(i)
		weights := [3]float64{-0.5, 0, 0.5}
		from := i - 1
		switch {
		case cols < 3:
			from, weights = 0, [3]float64{-1, 1, 0}
		case i == 0:
			from, weights = 0, [3]float64{-1.5, 2, -0.5}
		case i == cols-1:
			from, weights = cols-3, [3]float64{0.5, -2, 1.5}
		}
		var d [3]float64
		for n, w := range weights {
			if w == 0 || from+n >= cols {
				continue
			}
			_, _, p := at(from + n)
			for axis := range d {
				d[axis] += float64(sign * w * p[axis])
			}
		}
		sin, cos := math.Sincos(lon)
		east := float64(d[1]*cos) - float64(d[0]*sin)
		north := float64(d[2]*math.Cos(lat)) - float64(math.Sin(lat)*(float64(d[0]*cos)+float64(d[1]*sin)))
		angles[i] = float32(math.Atan2(north, east))
	}
}
