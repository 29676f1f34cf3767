package extract

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/tgmconv/tgmconv/look"
)

// chosen are the points of a grid that a selection chooses.
type chosen struct {
	at   []uint64 // numbers of the points that are read
	rows []row    // of places; nil where each point is a record
	// lat and lon are the coordinates of the points without rows; nil if they are not known.
	lat, lon []float64
}

// A row has the values of one record of each field at a place.
type row struct {
	name     string
	lat, lon float64
	distance float64
	first    int         // of the points, among the points read
	corners  *[4]float64 // weights of this point and the three after it; nil for one point
	reason   string      // why there is no value
}

// A chooser finds the points of grids, once for all fields on each.
type chooser struct {
	selection Selection
	mu        sync.Mutex
	grids     map[gridKey]*chosen
	recent    []gridKey
	mask      []float64 // the values of the mask, once they are read
}

// gridKey identifies the grid that points depend on. Without a grid, shape is the shape of the field.
type gridKey struct {
	grid  *look.Grid
	shape string
}

// manyGrids is how many grids are remembered: a nest that moves has one for each time.
const manyGrids = 64

// choose returns the chosen points of a field.
func (c *chooser) choose(ctx context.Context, f *look.Field) (*chosen, error) {
	var key gridKey
	var err error
	if f.HasGrid() || len(c.selection.Positions) == 0 {
		if key.grid, err = f.Grid(ctx); err != nil && len(c.selection.Positions) == 0 {
			return nil, f.InFile(err)
		}
	}
	if len(c.selection.Positions) > 0 {
		key.shape = fmt.Sprint(f.Shape)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.grids[key]; known != nil {
		return known, nil
	}
	points := new(chosen)
	switch s := &c.selection; {
	case len(s.Places) > 0 && s.Bilinear:
		err = points.interpolate(key.grid, s.Places)
	case len(s.Places) > 0:
		err = c.nearest(ctx, points, key.grid)
	case len(s.Positions) > 0:
		err = points.positions(f, key.grid, s.Positions)
	default:
		err = points.within(key.grid, s.Areas)
	}
	if err != nil {
		return nil, f.InFile(fmt.Errorf("%s: %w", f.Where, err))
	}
	if len(c.recent) == manyGrids {
		delete(c.grids, c.recent[0])
		c.recent = c.recent[1:]
	}
	c.grids[key], c.recent = points, append(c.recent, key)
	return points, nil
}

// placeName returns the name of a place.
func placeName(p Place, i int) string {
	if p.Name != "" {
		return p.Name
	}
	return strconv.Itoa(i + 1)
}

// outside bounds the grid: a place lies outside beyond this many distances between points from the
// nearest point.
const outside = 1.01

// nearest chooses the points that are nearest to places, among the points that the mask leaves.
func (c *chooser) nearest(ctx context.Context, points *chosen, grid *look.Grid) error {
	s := &c.selection
	if s.Mask == nil {
		return points.nearest(grid, s.Places, nil)
	}
	of, err := s.Mask.Grid(ctx)
	if err != nil {
		return err
	}
	if same, err := samePoints(of, grid); err != nil || !same {
		return cmp.Or(err, error(&GridError{fmt.Sprintf("the mask has other points (%d) than the field (%d)", of.Len(), grid.Len())}))
	}
	if c.mask == nil {
		if c.mask, err = s.Mask.Values(ctx); err != nil {
			return err
		}
	}
	return points.nearest(grid, s.Places, func(i int) bool { return s.Masked(c.mask[i]) })
}

// closeBy is the greatest distance of equal points, in degrees: coordinates are rounded on the way
// from format to format.
const closeBy = 1e-4

// samePoints reports whether the points of two grids are the same, as far as every thousandth says.
func samePoints(a, b *look.Grid) (bool, error) {
	n := a.Len()
	if a == b || n != b.Len() {
		return a == b, nil
	}
	p, q := a.Places(), b.Places()
	for i := 0; i < n; i += max(1, n/1000) {
		lat, lon, err := p.At(i)
		otherLat, otherLon, err2 := q.At(i)
		if err = cmp.Or(err, err2); err != nil {
			return false, err
		}
		if !(math.Abs(lat-otherLat) < closeBy && math.Abs(math.Remainder(lon-otherLon, 360)) < closeBy) {
			return false, nil
		}
	}
	return true, nil
}

// nearest chooses the points that are nearest to places, among those for which it reports true.
func (c *chosen) nearest(grid *look.Grid, places []Place, among func(i int) bool) error {
	lats, lons := make([]float64, len(places)), make([]float64, len(places))
	for i, p := range places {
		lats[i], lons[i] = p.Lat, p.Lon
	}
	found, err := grid.NearestOf(lats, lons, among)
	if err != nil {
		return err
	}
	at := grid.Places()
	for i, p := range places {
		r := row{name: placeName(p, i), lat: math.NaN(), lon: math.NaN(), distance: math.NaN(), first: len(c.at)}
		if found[i] < 0 {
			r.reason = "the grid has no points"
			if among != nil {
				r.reason = "the mask leaves no point"
			}
		} else if err := r.take(grid, at, p, found[i], among != nil); err != nil {
			return err
		} else if r.reason == "" {
			c.at = append(c.at, uint64(found[i]))
		}
		c.rows = append(c.rows, r)
	}
	return nil
}

// take takes a point for a place, if that is not outside the grid. With a mask the point may be far away
// though the place is within.
func (r *row) take(grid *look.Grid, places *look.Places, p Place, at int, masked bool) (err error) {
	if r.lat, r.lon, err = places.At(at); err != nil {
		return err
	}
	r.distance = look.Distance(p.Lat, p.Lon, r.lat, r.lon)
	if masked {
		nearest, err := grid.Nearest(p.Lat, p.Lon)
		if err != nil {
			return err
		}
		lat, lon, err := places.At(nearest)
		if err != nil {
			return err
		}
		if spacing := grid.Spacing(nearest); spacing == 0 || look.Distance(p.Lat, p.Lon, lat, lon) <= outside*spacing {
			return nil
		}
	}
	if spacing := grid.Spacing(at); spacing > 0 && r.distance > outside*spacing {
		r.reason = fmt.Sprintf("the place is outside the grid: the nearest point is %.0f km away", r.distance)
	}
	return nil
}

// positions chooses points by their numbers.
func (c *chosen) positions(f *look.Field, grid *look.Grid, positions [][]uint64) error {
	var places *look.Places
	if grid != nil {
		places = grid.Places()
	}
	for _, p := range positions {
		at, err := position(f, p)
		if err != nil {
			return err
		}
		if c.at = append(c.at, at); places == nil {
			continue
		}
		lat, lon, err := places.At(int(at))
		if err != nil {
			return err
		}
		c.lat, c.lon = append(c.lat, lat), append(c.lon, lon)
	}
	return nil
}

// within chooses the points that lie in areas, all if there are none.
func (c *chosen) within(grid *look.Grid, areas []Area) error {
	return grid.Blocks(func(first int, lats, lons []float64) {
		for i, lat := range lats {
			lon := lons[i]
			if len(areas) == 0 || slices.ContainsFunc(areas, func(a Area) bool { return a.has(lat, lon) }) {
				c.at, c.lat, c.lon = append(c.at, uint64(first+i)), append(c.lat, lat), append(c.lon, lon)
			}
		}
	})
}

// A GridError says why points cannot be chosen on a grid.
type GridError struct{ Reason string }

func (e *GridError) Error() string { return e.Reason }
