package plot

import (
	"fmt"
	"image"

	"github.com/tgmconv/tgmconv/look"
)

// A Nearest finds the values of a grid that lie nearest to places, as maps show them: none where the
// grid has no point nearby. It may be used by several goroutines.
type Nearest struct {
	// South, West, North and East bound the points, in degrees; East may be above 180.
	South, West, North, East float64
	Global                   bool // all longitudes

	find sampler
}

// NewNearest prepares the search. The error says why the grid has no places.
func NewNearest(g *look.Grid) (*Nearest, error) {
	e, err := extentOf(g)
	if err != nil {
		return nil, err
	}
	if e.empty() {
		return nil, fmt.Errorf("the grid has no points")
	}
	find, err := newSampler(g, e)
	n := &Nearest{South: e.south, North: e.north, West: e.first, East: e.last, Global: e.global, find: find}
	return n, err
}

// Places returns the numbers of the values at rows of latitudes and columns of longitudes, a row after
// the other, -1 where there is none.
func (n *Nearest) Places(lat, lon []float64) ([]int32, error) {
	return n.find.lookup(image.Pt(len(lon), len(lat)), func(x, y int) (float64, float64, bool) { return lat[y], lon[x], true })
}
