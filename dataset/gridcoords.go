package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// wholePoints is the number of points up to which their coordinates are computed at once and kept.
const wholePoints = 1 << 22

// coordinates returns the latitudes and longitudes: one a row and a column of a separable grid,
// else one a point.
func (g *grid) coordinates() (lat, lon []float64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lat == nil && g.err == nil {
		g.lat, g.lon, g.err = g.parsed.Coordinates()
		var none *geometry.CoordinateError
		if errors.As(g.err, &none) {
			// Coordinates that cannot be computed are missing, so that clients which load all coordinates can open the
			// dataset.
			rows, columns := g.parsed.NumberOfDataPoints, g.parsed.NumberOfDataPoints
			if g.parsed.Separable() {
				rows, columns = g.parsed.Nj, g.parsed.Ni
			}
			g.lat, g.lon, g.err = missingFloats(rows), missingFloats(columns), nil
		}
	}
	return g.lat, g.lon, g.err
}

// missingCoordinates notes why a group has no latitudes and longitudes of its points.
func (r *Report) missingCoordinates(g *grid, group *Group) {
	if g.parsed == nil || !g.parsed.HasCoordinates() {
		return
	}
	var none *geometry.CoordinateError
	if !errors.As(g.check(), &none) {
		return
	}
	var names []string
	for _, v := range group.Variables {
		if !v.Coordinate {
			names = append(names, v.path(group.Name))
		}
	}
	more := ""
	if n := len(names) - mostNames; n > 0 {
		names, more = names[:mostNames], fmt.Sprintf(" and %d more", n)
	}
	r.note("latitude and longitude of %s%s are NaN: a grid of type %s of which they cannot be computed: %s",
		strings.Join(names, ", "), more, none.GridType, none.Reason)
}

// mostNames is how many variables a note names.
const mostNames = 4

// check returns an error if the points have no coordinates.
func (g *grid) check() error {
	if g.parsed.Separable() && max(g.parsed.Ni, g.parsed.Nj) <= wholePoints {
		// They are kept for readers.
		lat, _, err := g.coordinates()
		if err != nil || !math.IsNaN(lat[0]) {
			return err
		}
	}
	return g.parsed.CheckCoordinates()
}

// missingFloats are n missing values, none of more than wholePoints, which a pointReader has.
func missingFloats(n int) []float64 {
	if n > wholePoints {
		return nil
	}
	return slices.Repeat([]float64{math.NaN()}, n)
}

// pointReader computes latitudes or longitudes of consecutive points. It is for axes of more than
// wholePoints positions, which no grid in use has, and for points that each have a place of their
// own. Coordinates that cannot be computed are missing.
func (g *grid) pointReader(latitudes bool) func(first int, values []float64) error {
	return func(first int, values []float64) error {
		var none *geometry.CoordinateError
		err := error(&geometry.CoordinateError{})
		if !g.parsed.Separable() {
			g.pointsOnce.Do(func() { g.points, g.pointsErr = g.parsed.Points() })
			err = g.pointsErr
			switch {
			case err != nil:
			case latitudes:
				err = g.points.Read(first, values, nil)
			default:
				err = g.points.Read(first, nil, values)
			}
		}
		if errors.As(err, &none) {
			for i := range values {
				values[i] = math.NaN()
			}
			return nil
		}
		return err
	}
}

// partOf gives a variable of float64 its values by a function that computes consecutive elements.
func (v *Variable) partOf(read func(first int, values []float64) error) {
	v.data = func() ([]byte, error) { return v.Region(make([]uint64, len(v.Shape)), v.Shape) }
	v.region = func(start, count []uint64) ([]byte, error) {
		// Consecutive elements are computed at once: rows of the last dimension that is not whole.
		axis := len(count) - 1
		for axis > 0 && count[axis] == v.Shape[axis] {
			axis--
		}
		run := 1
		for _, n := range count[axis:] {
			run *= int(n)
		}
		total := pointsOf(count)
		values := make([]float64, total)
		index := slices.Clone(start)
		for at := 0; at < total; at += run {
			if err := read(int(nd.Number(index, v.Shape)), values[at:at+run]); err != nil {
				return nil, fmt.Errorf("dataset: %s: %w", v.Name, err)
			}
			for i := axis - 1; i >= 0; i-- {
				if index[i]++; index[i] < start[i]+count[i] {
					break
				}
				index[i] = start[i]
			}
		}
		return floatBytes(values), nil
	}
}
