package pyramid

import (
	"context"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/look"
)

// A Box has the statistics of the values of one map in an area. They are NaN where no value is there.
type Box struct {
	Points  int    `json:"points"`  // of the grid, in the area
	Missing int    `json:"missing"` // of these
	Min     Number `json:"min"`
	Max     Number `json:"max"`
	Mean    Number `json:"mean"` // each point counts the same
	Std     Number `json:"std"`
	Median  Number `json:"median"`
	// AreaMean is the mean weighted by the cosine of the latitude. It is NaN for grids that have no rows
	// along parallels.
	AreaMean Number `json:"area_mean"`
}

// Box returns the statistics of a map of a variable, given by its path and its positions along all
// dimensions, over the points between north, west, south and east. The error is a [*PlaceError] for maps and
// areas that there are not.
func (v *View) Box(ctx context.Context, path string, north, west, south, east float64, at []uint64) (*Box, error) {
	s, err := v.asked(path, at)
	if err != nil {
		return nil, err
	}
	if !(north >= south && north <= 90 && south >= -90) || !(east >= west && east-west <= 360 && math.Abs(west) <= 1e4) {
		return nil, &PlaceError{fmt.Sprintf("%v/%v/%v/%v is no area", north, west, south, east)}
	}
	grid, err := s.plane.Grid(ctx)
	if err != nil {
		return nil, err
	}
	inside := func(lon float64) bool { return math.Mod(math.Mod(lon-west, 360)+360, 360) <= east-west }
	b := &Box{AreaMean: Number(math.NaN())}
	var values []float64
	if grid.Separable {
		values, err = s.boxOfRows(ctx, grid, func(lat float64) bool { return lat <= north && lat >= south }, inside, at, b)
	} else {
		values, err = s.boxOfPoints(ctx, grid, func(lat, lon float64) bool { return lat <= north && lat >= south && inside(lon) }, at)
	}
	if err != nil {
		return nil, err
	}
	d := look.Describe(values, nil, 0)
	b.Points, b.Missing = d.Count, d.Missing
	b.Min, b.Max, b.Mean, b.Std, b.Median = Number(d.Min), Number(d.Max), Number(d.Mean), Number(d.Std), Number(d.Median)
	return b, nil
}

// boxOfRows reads the values where rows and columns of an area cross, and finds their mean by area.
func (s *series) boxOfRows(ctx context.Context, g *look.Grid, row, col func(float64) bool, lead []uint64, b *Box) (values []float64, err error) {
	var rows, cols []int
	for j, lat := range g.Lat {
		if row(lat) {
			rows = append(rows, j)
		}
	}
	for i, lon := range g.Lon {
		if col(lon) {
			cols = append(cols, i)
		}
	}
	if len(rows) == 0 || len(cols) == 0 {
		return nil, nil
	}
	first, last := cols[0], cols[len(cols)-1]
	sum, weights := 0.0, 0.0
	for _, j := range rows {
		of, err := s.values(ctx, lead, j, first, last-first+1)
		if err != nil {
			return nil, err
		}
		weight := math.Cos(g.Lat[j] * degree)
		for _, i := range cols {
			v := of[i-first]
			values = append(values, v)
			if v == v {
				sum, weights = sum+float64(weight*v), weights+weight
			}
		}
	}
	b.AreaMean = Number(sum / weights)
	return values, nil
}

// boxOfPoints reads the values of the points in an area, row by row.
func (s *series) boxOfPoints(ctx context.Context, g *look.Grid, inside func(lat, lon float64) bool, lead []uint64) (values []float64, err error) {
	var numbers []int
	err = g.Blocks(func(first int, lat, lon []float64) {
		for i := range lat {
			if inside(lat[i], lon[i]) {
				numbers = append(numbers, first+i)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	_, wide := s.across()
	for len(numbers) > 0 {
		row, n := numbers[0]/wide, 1
		for n < len(numbers) && numbers[n]/wide == row {
			n++
		}
		first, last := numbers[0]%wide, numbers[n-1]%wide
		of, err := s.values(ctx, lead, row, first, last-first+1)
		if err != nil {
			return nil, err
		}
		for _, k := range numbers[:n] {
			values = append(values, of[k%wide-first])
		}
		numbers = numbers[n:]
	}
	return values, nil
}

// values reads a part of a row of a map.
func (s *series) values(ctx context.Context, lead []uint64, row, col, n int) ([]float64, error) {
	a, err := s.plane.Array(ctx)
	if err != nil {
		return nil, err
	}
	part, err := s.read(ctx, a, s.region(lead, row, col, 1, n))
	if err != nil {
		return nil, err
	}
	size := a.Info().DType.Size()
	elements := make([]byte, 0, n*size)
	for i := range n {
		from := part.at(0, i) * size
		elements = append(elements, part.data[from:from+size]...)
	}
	return s.plane.Numbers(a.Info().DType, elements)
}
