package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
)

// chosenPlaces are the positions that selectors of latitude and longitude choose. Both depend on the
// same dimensions of the grid.
type chosenPlaces struct {
	dims []string
	at   [][]uint64 // along each of dims; empty if there is no such place
}

// byPlace chooses by latitude and longitude where both depend on the same dimensions. It reports
// whether the grid of the variable is such a grid.
func (c *chooser) byPlace(g *Group, v *Variable, chosen *chosenGroup) (is bool, err error) {
	var lats, lons []Selector
	for _, s := range c.selectors {
		switch meaningOf(s.Key) {
		case meansLatitude:
			lats = append(lats, s)
		case meansLongitude:
			lons = append(lons, s)
		}
	}
	lat, lon := c.d.placesOf(g, v)
	if lat == nil || len(lats)+len(lons) == 0 {
		return false, nil
	}
	p := c.places[[2]*Variable{lat, lon}]
	if p == nil {
		if p, err = c.choosePlaces(lat, lon, lats, lons); err != nil {
			return true, err
		}
		c.places[[2]*Variable{lat, lon}] = p
	}
	if len(p.at) == 0 {
		chosen.out[v] = true
		return true, nil
	}
	for i, dim := range p.dims {
		chosen.restrict(dim, p.at[i])
	}
	return true, nil
}

// placesOf finds the latitudes and longitudes of a variable that both depend on the same of its
// dimensions.
func (d *Dataset) placesOf(g *Group, v *Variable) (lat, lon *Variable) {
	named, _ := v.Attr(cf.AttrCoordinates).(string)
	for _, of := range d.Groups {
		if of != g && of.Name != "" && !strings.HasPrefix(g.Name, of.Name+"/") {
			continue
		}
		for _, a := range of.Variables {
			if a.meaning() != meansLatitude || len(a.Dims) == 0 || len(a.Dims) > 2 || !isSubset(a.Dims, v.Dims) {
				continue
			}
			// Of a file with axes of latitude and longitude, other numbers of degrees north are corners and the like.
			if !slices.Contains(strings.Fields(named), a.Name) && a.Attr(cf.AttrStandardName) == nil && of.hasAxis(meansLatitude) {
				continue
			}
			for _, b := range of.Variables {
				if b.meaning() == meansLongitude && slices.Equal(a.Dims, b.Dims) {
					return a, b
				}
			}
		}
	}
	return nil, nil
}

// hasAxis reports whether a dimension of the group is an axis with a meaning.
func (g *Group) hasAxis(m meaning) bool {
	return slices.ContainsFunc(g.Variables, func(v *Variable) bool {
		return v.Coordinate && len(v.Dims) == 1 && v.Dims[0] == v.Name && v.meaning() == m
	})
}

// choosePlaces chooses the points in a box, the rows and columns around them, or the nearest point.
func (c *chooser) choosePlaces(lat, lon *Variable, lats, lons []Selector) (*chosenPlaces, error) {
	p := &chosenPlaces{dims: lat.Dims}
	south, north, oneLat, err := placeRange(lats, -90, 90)
	if err != nil {
		return nil, err
	}
	west, east, oneLon, err := placeRange(lons, -180, 180)
	if err != nil {
		return nil, err
	}
	if oneLat != oneLon {
		return nil, fmt.Errorf("--sel: on this grid, latitudes and longitudes are both ranges or one place: lat=48.2,lon=16.4")
	}
	inside := func(la, lo float64) bool {
		return la >= south-slack(90) && la <= north+slack(90) && math.Mod(lo-west+slack(360)+720, 360) <= east-west+2*slack(360)
	}
	best, nearestAt := math.Inf(1), -1
	var within []uint64
	err = eachPlace(c.arrays, lat, lon, func(i int, la, lo float64) {
		if oneLat {
			if distance := chord(south, west, la, lo); distance < best {
				best, nearestAt = distance, i
			}
		} else if inside(la, lo) {
			within = append(within, uint64(i))
		}
	})
	if err != nil {
		return nil, err
	}
	if oneLat && nearestAt >= 0 {
		within = []uint64{uint64(nearestAt)}
	}
	for _, s := range slices.Concat(lats, lons) {
		c.note(&s, fmt.Sprintf("%s and %s of %d points", lat.Name, lon.Name, len(within)))
		for _, item := range s.Items {
			c.hits[s.String()+"|"+item] = c.hits[s.String()+"|"+item] || len(within) > 0
		}
	}
	if len(within) == 0 {
		return p, nil
	}
	if len(lat.Dims) == 1 {
		p.at = [][]uint64{within}
		return p, nil
	}
	columns := lat.Shape[1]
	rows := [2]uint64{within[0] / columns, within[len(within)-1] / columns}
	first, last := columns, uint64(0)
	for _, i := range within {
		first, last = min(first, i%columns), max(last, i%columns)
	}
	p.at = [][]uint64{span(rows[0], rows[1]), span(first, last)}
	return p, nil
}

// span are the positions from first to last.
func span(first, last uint64) (at []uint64) {
	for i := first; i <= last; i++ {
		at = append(at, i)
	}
	return at
}

// placeRange reads the range of latitudes or longitudes of selectors, or a single number.
func placeRange(list []Selector, low, high float64) (from, to float64, one bool, err error) {
	from, to = low, high
	if len(list) == 0 {
		return from, to, false, nil
	}
	s := &list[0]
	if len(list) > 1 || len(s.Items) > 1 {
		return 0, 0, false, fmt.Errorf("--sel %s: on this grid, expected one range of each, or one place", s)
	}
	l := new(labels)
	isLabel := func(text string) bool { _, err := l.number(text); return err == nil }
	first, second, isRange := cut(s.Items[0], isLabel)
	if !isRange {
		from, err = l.number(s.Items[0])
		if err != nil {
			err = fmt.Errorf("--sel %s: %w", s, err)
		}
		return from, from, true, err
	}
	if first != "" {
		from, _ = l.number(first)
	}
	if second != "" {
		to, _ = l.number(second)
	}
	if meaningOf(s.Key) == meansLatitude && from > to {
		from, to = to, from
	}
	for to < from {
		to += 360
	}
	return from, to, false, nil
}

// chord grows with the distance of two places.
func chord(lat, lon, otherLat, otherLon float64) float64 {
	const degree = math.Pi / 180
	sin, cos := math.Sincos(lat * degree)
	otherSin, otherCos := math.Sincos(otherLat * degree)
	return 1 - float64(sin*otherSin) - float64(cos*otherCos*math.Cos((otherLon-lon)*degree))
}

// eachPlace visits the places of points, reading some at a time.
func eachPlace(arrays Arrays, lat, lon *Variable, visit func(i int, lat, lon float64)) error {
	var lats, lons []float64
	first := 0
	a, b := lat.numbers(arrays), lon.numbers(arrays)
	part := a.Info().Rows(regionBytes)
	for r := range array.Regions(lat.Shape, part) {
		var err error
		if lats, err = readNumbers(a, r); err != nil {
			return fmt.Errorf("%s: %w", lat.Name, err)
		}
		if lons, err = readNumbers(b, r); err != nil {
			return fmt.Errorf("%s: %w", lon.Name, err)
		}
		lat.unpacked(lats)
		lon.unpacked(lons)
		for i := range lats {
			visit(first+i, lats[i], lons[i])
		}
		first += len(lats)
	}
	return nil
}

// numbers is the array of the elements of a coordinate.
func (v *Variable) numbers(arrays Arrays) array.Array {
	return v.Array(context.Background(), arrays, make([]byte, v.DType.Size()))
}

var errNoNumbers = errors.New("its elements are no numbers")

// readNumbers reads a region as float64.
func readNumbers(a array.Array, r array.Region) ([]float64, error) {
	info := a.Info()
	data, err := array.Read(context.Background(), a, r, nil)
	if err != nil {
		return nil, err
	}
	number, size := info.DType.Number(), info.DType.Size()
	if number == nil {
		return nil, errNoNumbers
	}
	values := make([]float64, 0, len(data)/size)
	for ; len(data) >= size; data = data[size:] {
		values = append(values, number(data))
	}
	return values, nil
}
