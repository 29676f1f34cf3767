package pyramid

import (
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
)

// northward finds the component to the north that belongs to a component to the east: the path of a
// variable of the same shape on the same grid. It is "" if there is none, or where the components may lie
// along the rows and columns of the grid.
func (s *series) northward() string {
	v := s.plane.Variable
	if grid := text(v.Attr("GRIB_gridType")); grid != "" {
		name := mapping.Northward(v.Name)
		if !mapping.AlongMeridians(grid) || name == "" {
			return ""
		}
		return s.only(func(w *dataset.Variable) bool { return w.Name == name })
	}
	standard := text(v.Attr(mapping.KeyStandardName))
	name := mapping.NorthwardStandard(standard)
	if name == "" || s.only(func(w *dataset.Variable) bool { return text(w.Attr(mapping.KeyStandardName)) == standard }) == "" {
		return ""
	}
	return s.only(func(w *dataset.Variable) bool { return text(w.Attr(mapping.KeyStandardName)) == name })
}

// only finds the one variable of the same shape on the same grid for which is returns true: its path, or ""
// if there are none or several.
func (s *series) only(is func(*dataset.Variable) bool) (path string) {
	v := s.plane.Variable
	for _, other := range s.view.series {
		w := other.plane.Variable
		if s.grid != other.grid || s.plane.Group != other.plane.Group || !slices.Equal(v.Dims, w.Dims) || !slices.Equal(v.Shape, w.Shape) || !is(w) {
			continue
		}
		if path != "" || other.shown() != nil {
			return ""
		}
		path = other.path
	}
	return path
}

func text(attribute any) string {
	s, _ := attribute.(string)
	return s
}
