package geometry

import (
	"math"
	"sort"
)

// reducedGaussian is a Gaussian grid with its own number of points on each parallel. It is 3.40
// to 3.43 with a list; edition 1 types 4, 14, 24, 34.
type reducedGaussian struct {
	region
	n       int64
	rot     *rotation
	stretch *stretching
}

func (f *reducedGaussian) visit(v visitor) {
	f.region.visit(v)
	v.integer("N", &f.n)
	visitRotation(v, &f.rot)
	visitStretching(v, &f.stretch)
}

func (f *reducedGaussian) points(g *Grid) (pointRange, error) {
	if err := f.plausible(g); err != nil {
		return nil, err
	}
	if err := computable(g, f.n, len(g.PL)); err != nil {
		return nil, err
	}
	all := newGaussianLatitudes(int(f.n))
	west, east := normalise(f.lon1), normalise(f.lon2)
	var read pointRange
	if f.global(g, all, west, east) {
		read = globe(g, all)
	}
	if read == nil {
		var err error
		if read, err = f.area(g, all, west, east); err != nil {
			return nil, err
		}
	}
	if f.rot == nil {
		return read, nil
	}
	return func(first int, lat, lon []float64) error {
		if lat == nil {
			lat = make([]float64, len(lon))
		}
		if lon == nil {
			lon = make([]float64, len(lat))
		}
		if err := read(first, lat, lon); err != nil {
			return err
		}
		f.rot.turnPoints(lat, lon)
		return nil
	}, nil
}

func normalise(lon float64) float64 {
	for lon < 0 {
		lon += 360
	}
	return lon
}

// precision is the unit of the angles of each edition in degrees.
func (g *Grid) precision() float64 {
	if g.Edition == 1 {
		return 1.0 / 1000
	}
	return 1.0 / 1000000
}

// global reports whether the corner points make the grid cover the globe.
func (f *reducedGaussian) global(g *Grid, all *gaussianLatitudes, west, east float64) bool {
	most := 0
	for _, n := range g.PL {
		most = max(most, n)
	}
	first := all.at(0)
	d := math.Abs(first - all.at(1))
	delta := 360 / float64(most)
	off := math.Abs(east-(360-delta)) - delta
	return math.Abs(f.lat1-first) < d && math.Abs(f.lat2+first) < d && west == 0 && !(off > g.precision())
}

// globe has every point of every parallel. It returns nil when there are more of them than the field
// has.
func globe(g *Grid, all *gaussianLatitudes) pointRange {
	total := 0
	for _, n := range g.PL {
		total += n
	}
	if total > g.NumberOfDataPoints || len(g.PL) > 2*all.n {
		return nil
	}
	all.compute(0, len(g.PL))
	var rows parallels
	for j, n := range g.PL {
		rows.add(n, all.at(j))
	}
	return rows.read(func(j, from int, lon []float64) {
		n := float64(g.PL[j])
		for i := range lon {
			lon[i] = float64(float64(from+i)*360) / n
		}
	})
}

// area has the points of each parallel from west to east. When these are not as many as the field
// has, but the rule of ECMWF's former software gives the right number, that rule is followed. Points
// that remain stay at latitude and longitude 0, as in ecCodes.
func (f *reducedGaussian) area(g *Grid, all *gaussianLatitudes, west, east float64) (pointRange, error) {
	top := all.above(f.lat1)
	all.compute(top, min(top+len(g.PL), 2*all.n))
	for east < west {
		east += 360
	}
	from, to := approximate(west), approximate(east)
	var rows parallels
	firsts := make([]int64, 0, len(g.PL))
	for j, n := range g.PL {
		if n <= 0 {
			return nil, g.none("a parallel has no points")
		}
		count, first := reducedRow(n, from, to)
		if err := f.addRow(g, all, &rows, count, top+j); err != nil {
			return nil, err
		}
		firsts = append(firsts, first)
	}
	if rows.points() != g.NumberOfDataPoints && legacyCount(g.PL, normalise(f.lon1), normalise(f.lon2)) == g.NumberOfDataPoints {
		return f.legacyArea(g, all)
	}
	return rows.read(func(j, at int, lon []float64) {
		n := g.PL[j]
		start, delta := longitudeOf(firsts[j], n), 360/float64(n)
		for i := range lon {
			lon[i] = normaliseLongitude(start + float64(float64(at+i)*delta))
		}
	}), nil
}

// addRow adds count points of a parallel to rows. It fails if the field has no room for them, or there is no
// such parallel.
func (f *reducedGaussian) addRow(g *Grid, all *gaussianLatitudes, rows *parallels, count, parallel int) error {
	switch {
	case count > g.NumberOfDataPoints-rows.points():
		return g.none("the parallels have more points in the area than the field has values")
	case count > 0 && parallel >= 2*all.n:
		return g.none("the area has more parallels than there are south of its first latitude")
	}
	lat := 0.0
	if count > 0 {
		lat = all.at(parallel)
	}
	rows.add(count, lat)
	return nil
}

// legacyArea has the points by the rule of ECMWF's former software.
func (f *reducedGaussian) legacyArea(g *Grid, all *gaussianLatitudes) (pointRange, error) {
	west, east := normalise(f.lon1), normalise(f.lon2)
	d := math.Abs(all.at(0) - all.at(1))
	// The northernmost latitude that is at most d away.
	top := sort.Search(2*all.n, func(j int) bool { return all.at(j)-f.lat1 <= d })
	if top == 2*all.n || f.lat1-all.at(top) > d {
		return nil, g.none("the first latitude is none of the Gaussian latitudes")
	}
	var rows parallels
	firsts := make([]int, 0, len(g.PL))
	for j, n := range g.PL {
		count, first, last := legacyRow(n, west, east)
		if first > last {
			first -= n
		}
		count = max(0, min(last-first+1, max(count, 1)))
		if err := f.addRow(g, all, &rows, count, top+j); err != nil {
			return nil, err
		}
		firsts = append(firsts, first)
	}
	return rows.read(func(j, at int, lon []float64) {
		for i := range lon {
			lon[i] = float64(float64(firsts[j]+at+i)*360) / float64(g.PL[j])
		}
	}), nil
}

func legacyCount(pl []int, west, east float64) int {
	total := 0
	for _, n := range pl {
		count, _, _ := legacyRow(n, west, east)
		total += count
	}
	return total
}

// legacyRow returns how many of the n points of a parallel lie between two longitudes, and the
// indices of the first and last. It computes in floating point, with the corrections of ECMWF's
// former software.
func legacyRow(n int, west, east float64) (count, first, last int) {
	width := east - west
	if width < 0 {
		width += 360
		west -= 360
	}
	p := float64(n)
	count = int(float64(width*p)/360 + 1)
	first = int(float64(west*p) / 360)
	last = int(float64(east*p) / 360)
	longitude := func(i int) float64 { return float64(float64(i)*360) / p }
	switch span := last - first + 1; {
	case span > count:
		if longitude(first) < west {
			first++
		}
		if longitude(last) > east {
			last--
		}
	case span < count:
		grown := false
		if longitude(first-1) > west {
			first--
			grown = true
		}
		if longitude(last+1) < east {
			last++
			grown = true
		}
		if !grown {
			count--
		}
	case longitude(first) < west:
		first++
		last++
	}
	if first < 0 {
		first += n
	}
	return count, first, last
}

// expectedPoints counts the points of a reduced Gaussian grid in its area. It is for edition 1,
// which does not state the number.
func (f *reducedGaussian) expectedPoints(pl []int, precision float64) int {
	west, east := f.lon1, f.lon2
	if west < 0 {
		west += 360
	}
	if east < 0 {
		east += 360
	}
	most := 0
	for _, n := range pl {
		most = max(most, n)
	}
	if most == 0 {
		return 0
	}
	west, east = wholeTurn(most, precision, west, east)
	for east < west {
		east += 360
	}
	from, to := approximate(max(west, 0)), approximate(max(east, 0))
	total := 0
	for _, n := range pl {
		if n > 0 {
			count, _ := reducedRow(n, from, to)
			total += count
		}
	}
	return total
}

// wholeTurn corrects the eastern bound when both bounds are meant to go once round the globe
// from Greenwich.
func wholeTurn(most int, precision, west, east float64) (float64, float64) {
	step := 360 / float64(most)
	if west > east {
		east += 360
	}
	if !(math.Abs(west) <= precision) {
		return west, east
	}
	width := east - west
	turned := fewTurns(east)
	for turned < west {
		turned += 360
	}
	for turned >= west+360 {
		turned -= 360
	}
	if math.Abs(360-step-width) <= precision || 360-step < width || east != west && turned == west {
		return 0, 360 - step
	}
	return west, east
}
