package keys

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// pointsClass is the number of points of a grid: Ni, Nj, PLPresent, pl.
type pointsClass struct{ computedLong }

func (pointsClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (pointsClass) long(h *Handle, a *accessor) (int64, error) {
	var ni, nj int64
	if err := h.argLongs(a, &ni, &nj); err != nil {
		return 0, err
	}
	present := int64(0)
	if k := a.argName(2); k != defs.NoSym {
		v, err := h.getLong(k)
		if err != nil {
			return 0, err
		}
		present = v
	}
	if miss, err := h.isMissing(a.argName(1)); miss && err == nil || nj == 0 {
		return 0, ErrDecoding
	}
	if present == 0 {
		return ni * nj, nil
	}
	return h.sumPL(a.argName(3))
}

func (h *Handle) sumPL(key defs.Sym) (int64, error) {
	pl, err := h.getLongs(key)
	n := int64(0)
	for _, v := range pl {
		n += v
	}
	return n, err
}

// gaussianPointsClass is the number of points of a Gaussian grid of edition 1.
// Arguments: Ni, Nj, PLPresent, pl, N, first and last latitude and longitude,
// and whether the number of values in the data section counts if it differs.
type gaussianPointsClass struct{ pointsClass }

func (gaussianPointsClass) long(h *Handle, a *accessor) (int64, error) {
	legacy, err := h.argKeyLong(a, 9)
	if err != nil {
		return 0, err
	}
	var ni, nj, present int64
	if err := h.argLongs(a, &ni, &nj, &present); err != nil {
		return 0, err
	}
	if nj == 0 {
		return 0, ErrDecoding
	}
	n := ni * nj
	if present != 0 {
		if n, err = h.reducedPoints(a, nj); err != nil {
			return 0, err
		}
	}
	if legacy != 1 {
		return n, nil
	}
	if v, ok := h.numberOfDataValues(); ok {
		return v, nil
	}
	return n, nil
}

// numberOfDataValues is how many values the data section holds, if it says so.
func (h *Handle) numberOfDataValues() (int64, bool) {
	bits, err := h.long("bitsPerValue")
	if err != nil {
		return 0, false
	}
	key := "values"
	if bits == 0 {
		if b, err := h.long("bitmapPresent"); err != nil || b == 0 {
			return 0, false
		}
		key = "bitmap"
	}
	n, err := h.getSize(h.lib.Sym(key))
	return int64(n), err == nil
}

// reducedPoints counts the points of a reduced grid between two longitudes.
func (h *Handle) reducedPoints(a *accessor, nj int64) (int64, error) {
	var p [4]float64
	for i := range p {
		v, err := h.getDouble(a.argName(5 + i))
		if err != nil {
			return 0, err
		}
		p[i] = v
	}
	pl, err := h.getLongs(a.argName(3))
	if err != nil {
		return 0, err
	}
	if int64(len(pl)) < nj || len(pl) == 0 {
		return 0, ErrDecoding
	}
	precision := 1e-6
	if v, err := h.long("angleSubdivisions"); err == nil && v > 0 {
		precision = 1 / float64(v)
	}
	west, east := p[1], p[3]
	if east < 0 {
		east += 360
	}
	if west < 0 {
		west += 360
	}
	most := pl[0]
	for _, v := range pl {
		most = max(most, v)
	}
	west, east = fullCircle(most, precision, west, east)
	n := int64(0)
	for _, v := range pl[:nj] {
		if v == 0 {
			return 0, ErrDecoding
		}
		n += rowPoints(v, west, east)
	}
	return n, nil
}

// fullCircle widens a range that misses the whole circle by at most the
// precision of its coding.
func fullCircle(most int64, precision, west, east float64) (float64, float64) {
	inc := 360 / float64(most)
	if west > east {
		east += 360
	}
	if math.Abs(west) > precision {
		return west, east
	}
	turn := math.Mod(east-west, 360) == 0 && east != west
	if math.Abs(360-inc-(east-west)) <= precision || 360-inc < east-west || turn {
		return 0, 360 - inc
	}
	return west, east
}

// rowPoints is the number of the n equidistant points of a parallel that lie
// between two longitudes, both included.
func rowPoints(n int64, west, east float64) int64 {
	const eps = 1e-9
	span := east - west
	if span < 0 {
		span += 360
		west -= 360
	}
	i := int64(math.Ceil(west*float64(n)/360 - eps))
	j := int64(math.Floor((west+span)*float64(n)/360 + eps))
	return max(0, min(j-i+1, n))
}

// truncationClass is the number of spectral values of truncation J, K, M, -1
// for a pentagonal truncation. The last argument names a key that is set to
// this number.
type truncationClass struct{ computedLong }

func (truncationClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (truncationClass) long(h *Handle, a *accessor) (int64, error) {
	var j, k, m int64
	if err := h.argLongs(a, &j, &k, &m); err != nil {
		return 0, err
	}
	n := int64(-1)
	if j == k && k == m { // triangular
		n = (m + 1) * (m + 2)
	}
	if k == j+m { // rhomboidal
		n = 2 * j * m
	}
	if j == k && k > m { // trapezoidal
		n = m * (2*j - m)
	}
	t, err := h.argKeyLong(a, 3)
	if err != nil {
		return 0, err
	}
	if n != -1 && n != t {
		return n, h.setLong(h.lib.Name(a.argName(3)), n)
	}
	return n, nil
}
