package export

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Place is a point on the globe, in degrees.
type Place struct{ Lat, Lon float64 }

// A Selection chooses elements of fields. At most one of Place, Positions and Slices is used, in
// this order; without any of them all elements are chosen.
type Selection struct {
	Place     *Place      // the element nearest to a place
	Positions [][]uint64  // the elements at these positions: the number of an element, or one for each axis
	Slices    []tgm.Slice // a part of each axis; axes without one are taken whole

	nearest map[*look.Grid]int // to Place

	// Coordinates adds the latitude and longitude of each element. With Place they are always
	// added.
	Coordinates bool
}

// located reports whether elements are written with their coordinates.
func (s *Selection) located() bool { return s.Place != nil || s.Coordinates }

// partial reports whether the elements that are written may not be all of a field.
func (s *Selection) partial() bool {
	return s.Place != nil || len(s.Positions)+len(s.Slices) > 0
}

// An element is a chosen element: its number in C order, its number among the values read, and its
// place.
type element struct {
	index, read int
	lat, lon    float64
}

// points reports whether single elements are chosen, without a need for others.
func (s *Selection) points() bool { return s.Place != nil || len(s.Positions) > 0 }

// values reads the values of the chosen elements of a field, or all of them.
func (s *Selection) values(ctx context.Context, f *look.Field) (*look.Elements, error) {
	if !s.points() {
		return f.Elements(ctx)
	}
	var at []uint64
	if err := s.each(ctx, f, func(e element) error { at = append(at, uint64(e.index)); return nil }); err != nil {
		return nil, err
	}
	all, err := look.ElementsAt(ctx, []*look.Field{f}, [][]uint64{at})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// each calls do for the chosen elements of a field.
func (s *Selection) each(ctx context.Context, f *look.Field, do func(element) error) error {
	var grid *look.Grid
	var places *look.Places
	if s.located() {
		var err error
		if grid, err = f.Grid(ctx); err != nil {
			return err
		}
		places = grid.Places()
	}
	count := 0
	one := func(i int) (err error) {
		e := element{index: i, read: i}
		if s.points() {
			e.read = count
		}
		count++
		if places != nil {
			if e.lat, e.lon, err = places.At(i); err != nil {
				return fmt.Errorf("%s: %w", f.Where, err)
			}
		}
		return do(e)
	}
	switch {
	case s.Place != nil:
		i, err := s.nearestOf(grid)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Where, err)
		}
		if i < 0 {
			return fmt.Errorf("%s: the grid has no points", f.Where)
		}
		return one(i)
	case len(s.Positions) > 0:
		for _, p := range s.Positions {
			i, err := elementAt(p, f.Shape)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Where, err)
			}
			if err := one(i); err != nil {
				return err
			}
		}
		return nil
	}
	_, runs, err := s.sliced(f.Shape)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Where, err)
	}
	for first, n := range runs {
		for i := first; i < first+n; i++ {
			if err := one(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearestOf is the number of the element of a grid that is nearest to the place.
func (s *Selection) nearestOf(grid *look.Grid) (int, error) {
	if at, ok := s.nearest[grid]; ok {
		return at, nil
	}
	at, err := grid.Nearest(s.Place.Lat, s.Place.Lon)
	if err != nil {
		return at, err
	}
	if s.nearest == nil {
		s.nearest = make(map[*look.Grid]int)
	}
	s.nearest[grid] = at
	return at, nil
}

// sliced returns the shape of the elements that the slices select of an array, and their runs. A slice ends
// where its axis does.
func (s *Selection) sliced(shape []uint64) ([]uint64, tgm.Runs, error) {
	if len(s.Slices) > len(shape) {
		return nil, nil, fmt.Errorf("the slice has %d axes, the field has shape %s", len(s.Slices), show.Shape(shape))
	}
	clipped := make([]tgm.Slice, len(s.Slices))
	for axis, slice := range s.Slices {
		n := shape[axis]
		if slice.Start >= n && n > 0 {
			return nil, nil, fmt.Errorf("the slice starts at %d of an axis of length %d of shape %s", slice.Start, n, show.Shape(shape))
		}
		slice.Start, slice.Stop = min(slice.Start, n), min(slice.Stop, n)
		clipped[axis] = slice
	}
	return tgm.SliceRuns(shape, clipped)
}

// elementAt is the number of the element at a position.
func elementAt(position, shape []uint64) (int, error) {
	total := nd.Volume(shape) // of a field that was read: no overflow
	if len(position) == 1 && position[0] < total {
		return int(position[0]), nil
	}
	if len(position) == 1 && len(shape) != 1 {
		return 0, fmt.Errorf("index %d is not below %d, the number of values of a field of shape %s", position[0], total, show.Shape(shape))
	}
	if len(position) != len(shape) {
		return 0, fmt.Errorf("the index has %d numbers, the field has shape %s", len(position), show.Shape(shape))
	}
	at := uint64(0)
	for i, n := range shape {
		if position[i] >= n {
			return 0, fmt.Errorf("index %d is outside an axis of length %d of shape %s", position[i], n, show.Shape(shape))
		}
		at = at*n + position[i]
	}
	return int(at), nil
}
