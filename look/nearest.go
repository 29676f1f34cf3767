package look

import (
	"cmp"
	"math"
	"slices"
)

const degree = math.Pi / 180

// Nearest returns the number of the value that is nearest to a place along the great circle, -1 on
// a grid without points.
func (g *Grid) Nearest(lat, lon float64) (int, error) {
	all, err := g.NearestOf([]float64{lat}, []float64{lon}, nil)
	if err != nil {
		return -1, err
	}
	return all[0], nil
}

// NearestOf is [Grid.Nearest] of several places. Each point of the grid is looked at once for all of
// them. Only points for which among reports true are taken; nil takes all.
func (g *Grid) NearestOf(lats, lons []float64, among func(i int) bool) ([]int, error) {
	found := make([]int, len(lats))
	if g.Separable && among == nil {
		for i := range found {
			found[i] = g.nearestOfRows(lats[i], lons[i])
		}
		return found, nil
	}
	s := newSearch(lats, lons)
	s.among = among
	if err := g.sample(s); err != nil {
		return nil, err
	}
	if err := g.Blocks(s.look); err != nil {
		return nil, err
	}
	for i := range s.places {
		found[s.places[i].number] = s.places[i].found
	}
	return found, nil
}

// sampled is how many points are looked at first, spread over the grid: of the others only those are
// compared with a place whose latitudes are not farther from it than the nearest of these.
const sampled = 1 << 11

// sample looks at some points. Latitudes and longitudes that are computed block by block are left out.
func (g *Grid) sample(s *search) error {
	if g.points != nil || g.Separable || len(s.places) == 1 {
		return nil
	}
	for i := 0; i < len(g.Lat); i += max(1, len(g.Lat)/sampled) {
		s.compare(i, g.Lat[i], g.Lon[i], s.places)
	}
	s.reach()
	return nil
}

// A search looks for the points that are nearest to places.
type search struct {
	places []sought // the southernmost first
	within float64  // degrees of latitude within which the nearest point of every place lies
	among  func(i int) bool
}

// A sought is a place whose nearest point is looked for.
type sought struct {
	number         int // among the places
	lat, lon       float64
	sin, cos, best float64 // best is the chord to found
	found          int
}

func newSearch(lats, lons []float64) *search {
	s := &search{within: 360}
	for i, lat := range lats {
		sin, cos := math.Sincos(lat * degree)
		s.places = append(s.places, sought{i, lat, lons[i], sin, cos, math.Inf(1), -1})
	}
	slices.SortFunc(s.places, func(a, b sought) int { return cmp.Compare(a.lat, b.lat) })
	return s
}

// compare compares a point with some places.
func (s *search) compare(point int, lat, lon float64, places []sought) {
	if len(places) == 0 || s.among != nil && !s.among(point) {
		return
	}
	for i := range places {
		p := &places[i]
		if d := chord(p.sin, p.cos, lat, lon-p.lon); d < p.best {
			p.best, p.found = d, point
		}
	}
}

// look compares points with the places that they may be the nearest of.
func (s *search) look(first int, lats, lons []float64) {
	if len(s.places) == 1 {
		for i, lat := range lats {
			s.compare(first+i, lat, lons[i], s.places)
		}
		return
	}
	for i, lat := range lats {
		at, _ := slices.BinarySearchFunc(s.places, lat-s.within, func(p sought, lat float64) int { return cmp.Compare(p.lat, lat) })
		end := at
		for end < len(s.places) && s.places[end].lat <= lat+s.within {
			end++
		}
		s.compare(first+i, lat, lons[i], s.places[at:end])
		if i%1024 == 0 {
			s.reach()
		}
	}
}

// reach finds within which latitudes points have to be looked at: a chord is 1 - cos of the angle. It is
// some metres more, for the rounding of chords.
func (s *search) reach() {
	worst := 0.0
	for i := range s.places {
		worst = max(worst, s.places[i].best)
	}
	if worst < 2 {
		s.within = 2*math.Asin(math.Sqrt(worst/2))/degree + 1e-4
	}
}

// chord grows with the distance between the place of a latitude, given by its sine and cosine, and
// another.
func chord(sin, cos, lat, dlon float64) float64 {
	s, c := math.Sincos(lat * degree)
	return 1 - float64(sin*s) - float64(cos*c*math.Cos(dlon*degree))
}

// nearestOfRows looks for the column first, which is the same in all rows.
func (g *Grid) nearestOfRows(lat, lon float64) int {
	column, least := -1, math.Inf(1)
	for i, lo := range g.Lon {
		if d := math.Abs(math.Remainder(lo-lon, 360)); d < least {
			column, least = i, d
		}
	}
	best, row := math.Inf(1), -1
	sin, cos := math.Sincos(lat * degree)
	for j, la := range g.Lat {
		if d := chord(sin, cos, la, least); d < best {
			best, row = d, j
		}
	}
	if row < 0 || column < 0 {
		return -1
	}
	return row*len(g.Lon) + column
}
