package pyramid

import (
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

const degree = math.Pi / 180

// TileSize is the length of the chunks of a view along latitude and longitude.
const TileSize = 256

// A frame is a regular grid of latitudes and longitudes, north and west first, in place of the grid of
// a field.
type frame struct {
	north, west float64 // edges of the first row and column, in degrees
	dlat, dlon  float64 // of a cell, both positive
	rows, cols  int
	exact       bool // the cells are those of the field
	global      bool // the last column lies beside the first
	across      int  // values of the field from a row to the next

	rowOf, colOf []int32 // row and column of the field for each row and column of the frame
	index        []int32 // in place of these, the number of a value for each cell; -1 for none
}

// at is the number of the value of the field in a cell, -1 if there is none.
func (f *frame) at(row, col int) int {
	if f.index != nil {
		return int(f.index[row*f.cols+col])
	}
	if f.rowOf[row] < 0 || f.colOf[col] < 0 {
		return -1
	}
	return int(f.rowOf[row])*f.across + int(f.colOf[col])
}

// find is the number of the value of the field at a place, -1 if there is none.
func (f *frame) find(lat, lon float64) int {
	row := int(math.Floor((f.north - lat) / f.dlat))
	east := math.Mod(math.Mod(lon-f.west, 360)+360, 360)
	col := int(math.Floor(east / f.dlon))
	if row < 0 || row >= f.rows || col >= f.cols {
		return -1
	}
	return f.at(row, col)
}

// levels is how many views there are, each at half the resolution of the one before. The last is one
// tile.
func (f *frame) levels() int {
	n := 1
	for size := max(f.rows, f.cols); size > TileSize; size = (size + 1) / 2 {
		n++
	}
	return n
}

// shape is the number of rows and columns of a level.
func (f *frame) shape(level int) (rows, cols int) {
	rows, cols = f.rows, f.cols
	for range level {
		rows, cols = (rows+1)/2, (cols+1)/2
	}
	return rows, cols
}

// bytes is the memory of the frame.
func (f *frame) bytes() int64 { return int64(4*(len(f.rowOf)+len(f.colOf)+len(f.index))) + 200 }

// frameOf returns the frame of a grid. The middle of a region is between 180 degrees west and east, where
// clients look for it that do not turn maps.
func frameOf(g *look.Grid) (*frame, error) {
	make := nearestFrame
	if g.Separable {
		make = separableFrame
	}
	f, err := make(g)
	if err == nil && !f.global {
		middle := f.west + float64(float64(f.cols)*f.dlon/2)
		f.west -= float64(360 * math.Floor((middle+180)/360))
	}
	return f, err
}

// nearestFrame is the frame of a grid without rows and columns along parallels and meridians.
func nearestFrame(g *look.Grid) (*frame, error) {
	near, err := plot.NewNearest(g)
	if err != nil {
		return nil, err
	}
	f := &frame{global: near.Global}
	f.divide(near, g.Len())
	lats, lons := make([]float64, f.rows), make([]float64, f.cols)
	for i := range lats {
		lats[i] = f.north - float64((float64(i)+0.5)*f.dlat)
	}
	for i := range lons {
		lons[i] = f.west + float64((float64(i)+0.5)*f.dlon)
	}
	f.index = make([]int32, 0, f.rows*f.cols)
	for rows := range slices.Chunk(lats, max(1, searchedCells/f.cols)) {
		part, err := near.Places(rows, lons)
		if err != nil {
			return nil, err
		}
		f.index = append(f.index, part...)
	}
	return f, nil
}

const (
	// maxCells bounds the cells of a frame of a grid without rows and columns.
	maxCells = 12 << 20
	// fewestCells is the number of cells along the longer side of the frame of a few points.
	fewestCells = 512
	// searchedCells is how many cells are looked up at a time.
	searchedCells = 1 << 20
)

// divide chooses cells that are about as large as the distance of n points.
func (f *frame) divide(near *plot.Nearest, n int) {
	wide, high := near.East-near.West, near.North-near.South
	if f.global {
		wide = 360
	}
	middle := max(math.Cos((near.North+near.South)/2*degree), 0.1)
	area := (math.Sin(near.North*degree) - math.Sin(near.South*degree)) * wide / degree
	between := max(math.Sqrt(area/float64(n)), high/float64(n), float64(wide*middle)/float64(n), 1e-4)
	f.dlat = min(between, max(high, float64(wide*middle), 1)/fewestCells)
	f.dlon = f.dlat
	if !f.global {
		f.dlon = f.dlat / middle
	}
	// Points reach half of their distance beyond the area.
	north, south := min(near.North+float64(between/2), 90), max(near.South-float64(between/2), -90)
	west := near.West
	if !f.global {
		half := float64(between / middle / 2)
		west, wide = west-half, min(wide+float64(2*half), 360)
	}
	if cells := (north - south) / f.dlat * (wide / f.dlon); cells > maxCells {
		larger := math.Sqrt(cells / maxCells)
		f.dlat, f.dlon = float64(f.dlat*larger), float64(f.dlon*larger)
	}
	f.rows, f.cols = max(1, int(math.Ceil((north-south)/f.dlat-1e-6))), max(1, int(math.Ceil(wide/f.dlon-1e-6)))
	if f.global {
		f.dlon = wide / float64(f.cols)
	}
	f.north, f.west = north, west
}

// separableFrame is the frame of a grid of rows and columns.
func separableFrame(g *look.Grid) (*frame, error) {
	if len(g.Lat) == 0 || len(g.Lon) == 0 {
		return nil, fmt.Errorf("the grid has no points")
	}
	south := make([]float64, len(g.Lat)) // degrees south of the pole, so that they rise along the rows
	for i, lat := range g.Lat {
		south[i] = 90 - lat
	}
	rows, cols := sortedAxis(south), sortedAxis(unwrapped(g.Lon))
	if rows == nil || cols == nil {
		return nil, fmt.Errorf("a latitude or longitude of the grid is not a number")
	}
	f := &frame{across: len(g.Lon), exact: true}
	alone := func(a, other *axis) { // the only row is as high as columns are wide
		if len(a.at) == 1 && len(other.at) > 1 {
			a.step = other.mean()
		}
	}
	alone(rows, cols)
	alone(cols, rows)
	var top float64
	var even bool
	top, f.dlat, f.rowOf, even = rows.cells(0)
	f.exact = f.exact && even
	f.west, f.dlon, f.colOf, even = cols.cells(360)
	f.exact = f.exact && even
	f.north = 90 - top
	f.rows, f.cols = len(f.rowOf), len(f.colOf)
	f.global = float64(float64(f.cols)*f.dlon) > 360-float64(f.dlon/2)
	return f, nil
}

// unwrapped are longitudes of which each is within half a turn of the one before.
func unwrapped(lon []float64) []float64 {
	out := slices.Clone(lon)
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] + math.Remainder(out[i]-out[i-1], 360)
	}
	return out
}

// An axis has coordinates in rising order.
type axis struct {
	at   []float64
	of   []int32 // the number of each before sorting
	step float64 // of an axis of one
}

// sortedAxis is nil for coordinates that are not finite.
func sortedAxis(values []float64) *axis {
	a := &axis{step: 1}
	for i, v := range values {
		if v-v != 0 {
			return nil
		}
		a.of = append(a.of, int32(i))
	}
	slices.SortStableFunc(a.of, func(i, j int32) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	for _, i := range a.of {
		a.at = append(a.at, values[i])
	}
	return a
}

// mean is the mean distance of coordinates.
func (a *axis) mean() float64 {
	n := len(a.at)
	if n < 2 || a.at[n-1] == a.at[0] {
		return a.step
	}
	return (a.at[n-1] - a.at[0]) / float64(n-1)
}

// maxAxis bounds the cells along an axis whose coordinates are not evenly spaced.
const maxAxis = 8192

// cells divides the axis into cells of one length, each with the coordinate nearest to its middle. even
// reports whether these are the cells around the coordinates. Cells that repeat others after a period
// are left out; 0 is no period.
func (a *axis) cells(period float64) (edge, step float64, of []int32, even bool) {
	n := len(a.at)
	step = a.mean()
	even = true
	least := step
	for i := 1; i < n; i++ {
		d := a.at[i] - a.at[i-1]
		if math.Abs(d-step) > 0.05*step || math.Abs(a.at[i]-a.at[0]-float64(float64(i)*step)) > 0.1*step {
			even = false
		}
		if d > 0 {
			least = min(least, d)
		}
	}
	edge = a.at[0] - float64(step/2)
	if even {
		if period > 0 && float64(float64(n)*step) > period+float64(step/2) {
			n = max(1, int(math.Round(period/step)))
		}
		return edge, step, a.of[:n], true
	}
	span := a.at[n-1] - a.at[0]
	first, last := float64((a.at[1]-a.at[0])/2), float64((a.at[n-1]-a.at[n-2])/2)
	step = max(least, span/maxAxis)
	edge = a.at[0] - first
	count := int(math.Ceil((span+first+last)/step - 1e-6))
	if period > 0 {
		count = min(count, max(1, int(period/step)))
	}
	k := 0
	for i := range count {
		middle := edge + float64((float64(i)+0.5)*step)
		for k+1 < n && a.at[k+1]-middle <= middle-a.at[k] {
			k++
		}
		of = append(of, a.of[k])
	}
	return edge, step, of, false
}
