package geometry

import (
	"math"
	"slices"
	"strings"
)

// A Neighbour is a grid point near a place.
type Neighbour struct {
	Index               int // among the values after Reorder
	Latitude, Longitude float64
	Distance            float64 // along the great circle, in kilometres
}

// Nearest finds four grid points around a place, as ecCodes does. On latitude-longitude and
// Gaussian grids these are the corners of the cell that holds the place, the higher row and column
// before the lower, and a *CoordinateError is returned for a place outside the grid. On other
// grids, and on a part of a reduced grid, they are the four nearest points, the nearest first; on
// rotated grids (where ecCodes takes the corners of the cell, mostly the same) the last in order
// comes first.
func (g *Grid) Nearest(lat, lon float64) ([]Neighbour, error) {
	radius, err := g.meanRadius()
	if err != nil {
		return nil, err
	}
	var list []Neighbour
	switch {
	case g.GridType == "regular_ll" && g.Separable(), g.GridType == "regular_gg" && g.Separable():
		list, err = g.nearestInRows(lat, lon)
	case g.GridType == "reduced_ll", g.GridType == "reduced_gg":
		list, err = g.nearestReduced(lat, lon, radius)
	default:
		list, err = g.nearestOfAll(lat, lon, radius)
		if strings.HasPrefix(g.GridType, "rotated_") {
			slices.SortFunc(list, func(a, b Neighbour) int { return b.Index - a.Index })
		}
		return list, err
	}
	for i := range list {
		list[i].Distance = greatCircle(radius, lat, lon, list[i].Latitude, list[i].Longitude)
	}
	return list, err
}

// meanRadius is the radius of the Earth in kilometres, of an oblate one the mean of its axes.
func (g *Grid) meanRadius() (float64, error) {
	major, minor, err := g.spheroid()
	return (major + minor) / 2000, err
}

func greatCircle(radius, lat1, lon1, lat2, lon2 float64) float64 {
	if lat1 == lat2 && lon1 == lon2 {
		return 0
	}
	const rad = math.Pi / 180
	sin1, cos1 := math.Sincos(lat1 * rad)
	sin2, cos2 := math.Sincos(lat2 * rad)
	c := float64(sin1*sin2) + float64(cos1*cos2*math.Cos((lon2-lon1)*rad))
	return radius * math.Acos(max(-1, min(1, c)))
}

func (g *Grid) outside() error { return g.none("the place is out of the area of the grid") }

func (g *Grid) nearestInRows(lat, lon float64) ([]Neighbour, error) {
	lats, lons, err := g.Coordinates()
	if err != nil {
		return nil, err
	}
	low, high, ok := bracket(lats, lat)
	west, east, found := around(lons, lon)
	if !ok || !found {
		return nil, g.outside()
	}
	var list []Neighbour
	for _, j := range []int{high, low} {
		for _, i := range []int{east, west} {
			list = append(list, Neighbour{Index: j*g.Ni + i, Latitude: lats[j], Longitude: lons[i]})
		}
	}
	return list, nil
}

func (g *Grid) nearestReduced(lat, lon, radius float64) ([]Neighbour, error) {
	points, err := g.Points()
	if err != nil {
		return nil, err
	}
	var rows []float64 // latitudes
	var starts []int
	err = points.blocks(false, func(first int, lats, _ []float64) {
		for i, y := range lats {
			if first+i == 0 || y != rows[len(rows)-1] {
				rows, starts = append(rows, y), append(starts, first+i)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, g.outside()
	}
	starts = append(starts, points.Len())
	meridians := func(j int) ([]float64, error) {
		lons := make([]float64, starts[j+1]-starts[j])
		return lons, points.Read(starts[j], nil, lons)
	}
	middle, err := meridians(len(rows) / 2)
	if err != nil {
		return nil, err
	}
	if !roundTheEarth(middle) {
		return g.nearestOfAll(lat, lon, radius)
	}
	low, high, ok := bracket(rows, lat)
	if !ok {
		return nil, g.outside()
	}
	var list []Neighbour
	for _, j := range []int{high, low} {
		row, err := meridians(j)
		if err != nil {
			return nil, err
		}
		west, east, ok := around(row, lon)
		if !ok {
			return nil, g.outside()
		}
		for _, i := range []int{east, west} {
			list = append(list, Neighbour{Index: starts[j] + i, Latitude: rows[j], Longitude: row[i]})
		}
	}
	return list, nil
}

// bracket finds the neighbouring elements of a sorted list between which x lies.
func bracket(list []float64, x float64) (low, high int, ok bool) {
	n := len(list)
	if n < 2 {
		return 0, 0, false
	}
	ascending := list[n-1] >= list[0]
	if first, last := list[0], list[n-1]; x < min(first, last) || x > max(first, last) {
		return 0, 0, false
	}
	high = n - 1
	for high-low > 1 {
		if m := (low + high) / 2; (x >= list[m]) == ascending {
			low = m
		} else {
			high = m
		}
	}
	return low, high, true
}

// around finds the meridians to the west and to the east of a place. On a row that goes round the
// Earth there always are such meridians.
func around(lons []float64, lon float64) (west, east int, ok bool) {
	n := len(lons)
	if n < 2 {
		return 0, 0, false
	}
	first, last := lons[0], lons[n-1]
	if last < first {
		first, last = last, first
	}
	x := first + math.Mod(math.Mod(lon-first, 360)+360, 360)
	if x <= last {
		return bracket(lons, x)
	}
	if !roundTheEarth(lons) {
		return 0, 0, false
	}
	return n - 1, 0, true
}

// roundTheEarth reports whether the gap between the last and the first meridian is no wider than
// the others.
func roundTheEarth(lons []float64) bool {
	n := len(lons)
	return n > 1 && math.Abs(lons[n-1]-lons[0])+float64(1.5*math.Abs(lons[1]-lons[0])) >= 360
}

// nearestOfAll looks at every point.
func (g *Grid) nearestOfAll(lat, lon, radius float64) ([]Neighbour, error) {
	points, err := g.Points()
	if err != nil {
		return nil, err
	}
	const wanted = 4
	var list []Neighbour
	err = points.blocks(true, func(first int, lats, lons []float64) {
		for i := range lats {
			d := greatCircle(radius, lat, lon, lats[i], lons[i])
			if math.IsNaN(d) || len(list) == wanted && d >= list[wanted-1].Distance {
				continue
			}
			at, _ := slices.BinarySearchFunc(list, d, func(n Neighbour, d float64) int {
				if n.Distance <= d {
					return -1
				}
				return 1
			})
			list = slices.Insert(list, at, Neighbour{first + i, lats[i], lons[i], d})
			list = list[:min(len(list), wanted)]
		}
	})
	if err != nil {
		return nil, err
	}
	if len(list) < wanted {
		return nil, g.outside()
	}
	return list, nil
}

// blocks calls visit with the coordinates of consecutive points, which are valid until it returns.
// Longitudes are computed on demand.
func (p *Points) blocks(longitudes bool, visit func(first int, lat, lon []float64)) error {
	const most = 1 << 16
	n := p.Len()
	lat, lon := make([]float64, min(n, most)), []float64(nil)
	if longitudes {
		lon = make([]float64, len(lat))
	}
	for first := 0; first < n; first += most {
		end := min(n-first, most)
		if err := p.Read(first, lat[:end], within(lon, 0, end)); err != nil {
			return err
		}
		visit(first, lat[:end], within(lon, 0, end))
	}
	return nil
}
