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
	_, wide := s.across()
	var numbers []int
	var weights []float64 // nil where the mean by area is not known
	if grid.Separable {
		for j, lat := range grid.Lat {
			if !(lat <= north && lat >= south) {
				continue
			}
			weight := math.Cos(lat * degree)
			for i, lon := range grid.Lon {
				if inside(lon) {
					numbers, weights = append(numbers, j*wide+i), append(weights, weight)
				}
			}
		}
	} else {
		err = grid.Blocks(func(first int, lat, lon []float64) {
			for i := range lat {
				if lat[i] <= north && lat[i] >= south && inside(lon[i]) {
					numbers = append(numbers, first+i)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	values, err := s.valuesAt(ctx, at, numbers)
	if err != nil {
		return nil, err
	}
	b := &Box{AreaMean: weightedMean(values, weights)}
	d := look.Describe(values, nil, 0) // which may sort them
	b.Points, b.Missing = d.Count, d.Missing
	b.Min, b.Max, b.Mean, b.Std, b.Median = Number(d.Min), Number(d.Max), Number(d.Mean), Number(d.Std), Number(d.Median)
	return b, nil
}

// weightedMean is the mean of the values that are not missing, NaN if there are no weights.
func weightedMean(values, weights []float64) Number {
	sum, all := 0.0, 0.0
	for i, w := range weights {
		if v := values[i]; v == v {
			sum, all = sum+float64(w*v), all+w
		}
	}
	return Number(sum / all)
}
