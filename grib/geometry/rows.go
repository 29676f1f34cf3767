package geometry

// Parallels returns the latitude of each row of a grid whose rows lie on parallels, and its
// number of points. The latitude is in degrees, on the grid's own sphere if that is rotated. It
// is false for other grids, and where that takes the coordinates of all points.
func (g *Grid) Parallels() (lat []float64, points []int, ok bool) {
	total := 0
	for _, n := range g.PL {
		total += n
	}
	if len(g.PL) == 0 || total != g.NumberOfDataPoints {
		return nil, nil, false
	}
	switch f := g.family.(type) {
	case *reducedGaussian:
		if f.stretch != nil || f.plausible(g) != nil || computable(g, f.n, len(g.PL)) != nil || len(g.PL) != int(2*f.n) {
			return nil, nil, false
		}
		all := newGaussianLatitudes(int(f.n))
		all.compute(0, len(g.PL))
		for j := range g.PL {
			lat = append(lat, all.at(j))
		}
		if g.Scan.PositiveJ() {
			for j := range lat {
				lat[j] = -lat[j]
			}
		}
		return lat, g.PL, true
	}
	return nil, nil, false
}
