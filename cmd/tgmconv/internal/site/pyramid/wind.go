package pyramid

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// windFolder has the maps of winds whose components lie along the rows and columns of their grids,
// turned to the east and north: u10/east and u10/north for u10.
const windFolder = "@wind/"

// A wind is a component to the east or north, made of components along the rows and columns of a grid.
type wind struct {
	along, across *series // the components along rows and columns
	north         bool
}

// listWinds finds the winds of the dataset, and adds the maps of turned winds.
func (v *View) listWinds(ctx context.Context) {
	for _, s := range slices.Clone(v.series) {
		if s.shown() != nil {
			continue
		}
		other, turned := s.partner()
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
// same grid. turned reports whether they lie along rows and columns that are not parallels and meridians.
func (s *series) partner() (other *series, turned bool) {
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
		along, known := mapping.Int(v.Attr(mapping.AttrAlongRows))
		if !known || len(s.plane.Across) != 2 {
			return nil, false
		}
		return other, along != 0
	}
	standard := text(v.Attr(mapping.KeyStandardName))
	named := func(name string) *series {
		return s.only(func(w *dataset.Variable) bool { return text(w.Attr(mapping.KeyStandardName)) == name })
	}
	if name := mapping.NorthwardStandard(standard); name != "" && named(standard) == s {
		return named(name), false
	}
	if name := mapping.AcrossStandard(standard); name != "" && len(s.plane.Across) == 2 && named(standard) == s {
		return named(name), true
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
		east, north := look.Turned(along[i], across[i], angles[k])
		if out[i] = east; s.wind.north {
			out[i] = north
		}
	}
	return out, nil
}

// angles are the angles of the rows of the grid at its values, see [look.Grid.RowAngles]. All series of the grid share
// them.
func (s *series) angles(ctx context.Context) ([]float32, error) {
	return s.view.angles.Get(ctx, s.grid, func() ([]float32, error) {
		ctx := context.WithoutCancel(ctx)
		g, err := s.plane.Grid(ctx)
		if err != nil {
			return nil, err
		}
		rows, cols := s.across()
		angles := make([]float32, rows*cols)
		labels, err := s.plane.Labels(ctx, s.plane.Across[1])
		if err != nil {
			return nil, err
		}
		backwards := false
		if len(labels.Values) > 1 {
			first, ok1 := labels.Values[0].(float64)
			second, ok2 := labels.Values[1].(float64)
			backwards = ok1 && ok2 && second < first
		}
		for j := range rows {
			g.RowAngles(j*cols, backwards, angles[j*cols:(j+1)*cols])
		}
		return angles, nil
	})
}
