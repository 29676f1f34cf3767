package look

import "math"

const degree = math.Pi / 180

// Nearest returns the number of the value that is nearest to a place along the great circle, -1 on
// a grid without points.
func (g *Grid) Nearest(lat, lon float64) (int, error) {
	if g.Separable {
		return g.nearestOfRows(lat, lon), nil
	}
	best, at := math.Inf(1), -1
	sin, cos := math.Sincos(lat * degree)
	err := g.Blocks(func(first int, lats, lons []float64) {
		for i, la := range lats {
			if d := chord(sin, cos, la, lons[i]-lon); d < best {
				best, at = d, first+i
			}
		}
	})
	return at, err
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
