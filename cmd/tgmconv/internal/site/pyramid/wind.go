package pyramid

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// windFolder has the maps of winds whose components lie along the rows and columns of their grids, turned
// to the east and north: of u10 those of u10/east and u10/north.
const windFolder = "@wind/"

// A wind is a component to the east or north, made of components along the rows and columns of a grid.
type wind struct {
	along, across *series // the components along rows and columns
	north         bool
}

// alongRows are beginnings of standard names of components along the rows of a grid, with those along columns.
var alongRows = [][2]string{{"x_", "y_"}, {"grid_eastward_", "grid_northward_"}}

// listWinds finds the winds of the dataset, and adds the maps of those that are turned.
func (v *View) listWinds(ctx context.Context) {
	for _, s := range slices.Clone(v.series) {
		if s.shown() != nil {
			continue
		}
		other, turned := s.partner(ctx)
		if other == nil {
			continue
		}
		if s.east, s.north = s.path, other.path; !turned {
			continue
		}
		made := func(name string, north bool) string {
			w := &series{view: v, plane: s.plane, path: windFolder + s.path + "/" + name, name: name, grid: s.grid, lead: s.lead, wind: &wind{s, other, north}}
			v.add(w.path).series = w
			return w.path
		}
		s.east, s.north = made("east", false), made("north", true)
	}
}

// partner finds the component that belongs to a component to the east, or along the rows of its grid, on the
// same grid. turned reports whether they lie along rows and columns that are not those of parallels and meridians.
func (s *series) partner(ctx context.Context) (other *series, turned bool) {
	v := s.plane.Variable
	if grid := text(v.Attr("GRIB_gridType")); grid != "" {
		name := mapping.Northward(v.Name)
		if name == "" {
			return nil, false
		}
		other = s.only(func(w *dataset.Variable) bool { return w.Name == name })
		if other == nil || mapping.AlongMeridians(grid) {
			return other, false
		}
		if s.view.opts.Header == nil || len(s.plane.Across) != 2 {
			return nil, false
		}
		header, err := s.view.opts.Header(ctx, v)
		if err != nil || header == nil { // whoever asks for the field gets the error
			return nil, false
		}
		return other, header.UVRelativeToGrid()
	}
	standard := text(v.Attr(mapping.KeyStandardName))
	named := func(name string) *series {
		return s.only(func(w *dataset.Variable) bool { return text(w.Attr(mapping.KeyStandardName)) == name })
	}
	if name := mapping.NorthwardStandard(standard); name != "" && named(standard) == s {
		return named(name), false
	}
	for _, names := range alongRows {
		if name, ok := strings.CutPrefix(standard, names[0]); ok && strings.HasPrefix(name, "wind") && len(s.plane.Across) == 2 && named(standard) == s {
			return named(names[1] + name), true
		}
	}
	return nil, false
}

// only finds the one variable of the same shape on the same grid for which is returns true, nil if there are
// none or several.
func (s *series) only(is func(*dataset.Variable) bool) (found *series) {
	v := s.plane.Variable
	for _, other := range s.view.series {
		w := other.plane.Variable
		if s.grid != other.grid || s.plane.Group != other.plane.Group || !slices.Equal(v.Dims, w.Dims) || !slices.Equal(v.Shape, w.Shape) || !is(w) {
			continue
		}
		if found != nil || other.shown() != nil {
			return nil
		}
		found = other
	}
	return found
}

func text(attribute any) string {
	s, _ := attribute.(string)
	return s
}

// turn returns the component of the wind of values along rows and columns with these numbers.
func (s *series) turn(ctx context.Context, numbers []int, along, across []float64) ([]float64, error) {
	angles, err := s.angles(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(numbers))
	for i, k := range numbers {
		sin, cos := math.Sincos(float64(angles[k]))
		if s.wind.north {
			out[i] = float64(along[i]*sin) + float64(across[i]*cos)
		} else {
			out[i] = float64(along[i]*cos) - float64(across[i]*sin)
		}
	}
	return out, nil
}

// angles are the angles from the east to the direction in which the columns of the grid follow each other,
// in radians, anticlockwise. All series of the grid share them.
func (s *series) angles(ctx context.Context) ([]float32, error) {
	return s.view.angles.Get(ctx, s.grid, func() ([]float32, error) {
		ctx := context.WithoutCancel(ctx)
		g, err := s.plane.Grid(ctx)
		if err != nil {
			return nil, err
		}
		rows, cols := s.across()
		angles := make([]float32, rows*cols)
		sign := 1.0
		labels, err := s.plane.Labels(ctx, s.plane.Across[1])
		if err != nil {
			return nil, err
		}
		if len(labels.Values) > 1 {
			first, ok1 := labels.Values[0].(float64)
			second, ok2 := labels.Values[1].(float64)
			if ok1 && ok2 && second < first {
				sign = -1 // the first component is that to rising coordinates
			}
		}
		for j := range rows {
			rowAngles(g, j*cols, cols, sign, angles[j*cols:(j+1)*cols])
		}
		return angles, nil
	})
}

// rowAngles finds the angles of a row of a grid that begins with a value. The direction at a point is that of
// the parabola through it and two points beside it.
func rowAngles(g *look.Grid, first, cols int, sign float64, angles []float32) {
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
