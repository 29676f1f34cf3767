package look

import (
	"context"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/array"
)

// Resolution returns the difference between two neighbouring values that the field can have, where it
// is packed; 0 if it is not.
func (f *Field) Resolution(ctx context.Context) (float64, error) {
	if f.scaling != nil {
		low, ok := f.scaling.Value(0)
		high, ok2 := f.scaling.Value(1)
		if ok && ok2 {
			return math.Abs(high - low), nil
		}
		return 0, nil
	}
	p, err := f.Packing(ctx)
	if p == nil || err != nil || p.Bits == 0 {
		return 0, err
	}
	return math.Ldexp(math.Pow10(-p.DecimalScale), p.BinaryScale), nil
}

// Packing returns the parameters of the integers that the source of the field keeps in place of its
// values; nil if it keeps values or integers of netCDF.
func (f *Field) Packing(ctx context.Context) (*array.Packing, error) {
	if f.scaling != nil {
		return nil, nil
	}
	a, err := f.values.Array(ctx, f.ref)
	if err != nil {
		return nil, f.InFile(err)
	}
	r := a.Info().Whole()
	r.Count = slices.Clone(r.Count)
	for _, p := range f.at {
		r.Start[p.axis], r.Count[p.axis] = p.index, 1
	}
	p, err := a.Packing(ctx, r)
	return p, f.InFile(err)
}

// earthRadius is the radius of a sphere with the volume of the earth, in kilometres.
const earthRadius = 6371

// Distance is how far two places are apart on the earth, in kilometres.
func Distance(lat, lon, otherLat, otherLon float64) float64 {
	sin, cos := math.Sincos(lat * degree)
	// chord is 1 - cos of the angle.
	half := math.Sqrt(max(0, chord(sin, cos, otherLat, otherLon-lon)/2))
	return 2 * earthRadius * math.Asin(min(1, half))
}

// Spacing is about how far the points around a value are apart, in kilometres: the distance to the farther
// of its neighbours along the rows and columns; 0 where these are not known.
func (g *Grid) Spacing(i int) float64 {
	if g.Cols < 1 || g.Rows < 1 {
		return 0
	}
	places := g.Places()
	lat, lon, err := places.At(i)
	if err != nil {
		return 0
	}
	widest := 0.0
	row, column := i/g.Cols, i%g.Cols
	for _, at := range [][2]int{{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}} {
		if at[0] < 0 || at[0] >= g.Rows || at[1] < 0 || at[1] >= g.Cols {
			continue
		}
		if la, lo, err := places.At(at[0]*g.Cols + at[1]); err == nil {
			widest = max(widest, Distance(lat, lon, la, lo))
		}
	}
	return widest
}
