package geometry

import "math"

// maxLegendre bounds the work that a section can ask for: latitudes to compute times degree of the
// polynomial. It admits all latitudes of N = 8000. The bound maxN is for N itself, for areas of
// few latitudes.
const (
	maxLegendre = 1 << 27
	maxN        = 1 << 15
)

// sameLatitude is the distance in degrees up to which ecCodes takes a latitude for a Gaussian
// latitude.
const sameLatitude = 1e-3

// gaussian is a regular Gaussian grid (3.40 to 3.43 without a list; edition 1 types 4, 14, 24, 34).
// Rotated grids stay on their own sphere in ecCodes, not turned to where they are on the Earth.
type gaussian struct {
	region
	n       int64 // parallels between a pole and the equator
	rot     *rotation
	stretch *stretching
}

func (f *gaussian) visit(v visitor) {
	f.region.visit(v)
	v.integer("N", &f.n)
	visitRotation(v, &f.rot)
	visitStretching(v, &f.stretch)
}

func (f *gaussian) whole() bool { return f.rot == nil && f.stretch == nil }

// computable returns an error when the latitudes of rows parallels need more work than is sensible.
func computable(g *Grid, n int64, rows int) error {
	if n < 1 {
		return g.none("N, the number of parallels between a pole and the equator, is not positive")
	}
	if n > maxN || 2*n*min(int64(rows), n) > maxLegendre {
		return g.none("N, the number of parallels between a pole and the equator, is beyond any grid in use")
	}
	return nil
}

func (f *gaussian) axes(g *Grid) (lat, lon []float64, err error) {
	if err := f.plausible(g); err != nil {
		return nil, nil, err
	}
	if err := computable(g, f.n, g.Nj); err != nil {
		return nil, nil, err
	}
	all := newGaussianLatitudes(int(f.n))
	first := all.find(f.lat1)
	if first < 0 {
		return nil, nil, g.none("the first latitude is none of the Gaussian latitudes")
	}
	step := 1
	if g.Scan.PositiveJ() {
		step = -1
		all.compute(first-g.Nj+1, first+1)
	} else {
		all.compute(first, first+g.Nj)
	}
	lat = make([]float64, g.Nj)
	rows := int(2 * f.n)
	for j := range lat {
		lat[j] = all.at(first)
		first = (first + step + rows) % rows
	}
	return lat, f.longitudes(g), nil
}

// find returns the index of the Gaussian latitude within sameLatitude of lat that bisection meets
// first. It is -1 if there is none.
func (g *gaussianLatitudes) find(lat float64) int {
	low, high := 0, 2*g.n-1
	for low <= high {
		mid := (low + high) / 2
		switch y := g.at(mid); {
		case math.Abs(lat-y) < sameLatitude:
			return mid
		case lat < y:
			low = mid + 1
		default:
			high = mid - 1
		}
	}
	return -1
}

// above returns the index of the latitude next to lat at which the bisection of ecCodes' reduced
// grids ends.
func (g *gaussianLatitudes) above(lat float64) int {
	low, high := 0, 2*g.n-1
	for high-low > 1 {
		mid := (low + high) / 2
		switch y := g.at(mid); {
		case math.Abs(lat-y) < sameLatitude:
			return mid
		case lat < y:
			low = mid
		default:
			high = mid
		}
	}
	return low
}
