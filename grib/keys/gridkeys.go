package keys

import (
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys of grids and levels.

func gridClass(op string) class {
	switch op {
	case "g2grid":
		return g2GridClass{}
	case "g2latlon":
		return g2LatLonClass{}
	case "g2lon":
		return microDegreeClass{}
	case "latlon_increment":
		return incrementClass{}
	case "g2level":
		return g2LevelClass{}
	case "global_gaussian":
		return globalGaussianClass{}
	case "octahedral_gaussian":
		return octahedralClass{}
	case "gaussian_grid_name":
		return gaussianNameClass{}
	case "number_of_points":
		return pointsClass{}
	case "number_of_points_gaussian":
		return gaussianPointsClass{}
	case "spectral_truncation":
		return truncationClass{}
	case "proj_string":
		return projClass{}
	}
	return nil
}

// g2GridClass is first latitude and longitude, last latitude and longitude, and
// both increments in degrees.
// Arguments: the six coded keys (the last two may be null), basic angle and
// subdivisions.
type g2GridClass struct{ computedDouble }

func (g2GridClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.EditionSpecific | defs.ReadOnly
	return nil
}

func (g2GridClass) count(*Handle, *accessor) (int, error) { return 6, nil }

func (g2GridClass) double(*Handle, *accessor) (float64, error) { return 0, ErrArrayTooSmall }

func (g2GridClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	basic, err := h.argKeyLong(a, 6)
	if err != nil {
		return nil, err
	}
	sub, err := h.argKeyLong(a, 7)
	if err != nil {
		return nil, err
	}
	if sub == Missing || sub == 0 {
		sub = 1000000
	}
	if basic == 0 {
		basic = 1
	}
	out := make([]float64, 6)
	for i := range out {
		v := int64(Missing)
		if i < 4 || a.argName(i) != defs.NoSym {
			if v, err = h.argKeyLong(a, i); err != nil {
				return nil, err
			}
		}
		out[i] = MissingFloat
		if v != Missing {
			out[i] = float64(v) / float64(sub) * float64(basic)
		}
	}
	return out, nil
}

// g2LatLonClass is one element of a g2grid: g2latlon(grid, index, given).
type g2LatLonClass struct{ computedDouble }

func (g2LatLonClass) value(h *Handle, a *accessor) (v float64, given bool, err error) {
	if k := a.argName(2); k != defs.NoSym {
		g, err := h.getLong(k)
		if err != nil {
			return 0, false, err
		}
		if g == 0 {
			return MissingFloat, false, nil
		}
	}
	list, err := h.getDoubles(a.argName(0))
	if err != nil {
		return 0, true, err
	}
	v, err = pick(list, h.argLong(a, 1))
	return v, true, err
}

func (c g2LatLonClass) double(h *Handle, a *accessor) (float64, error) {
	v, _, err := c.value(h, a)
	return v, err
}

func (c g2LatLonClass) missing(h *Handle, a *accessor) bool {
	v, given, err := c.value(h, a)
	return err == nil && (!given || v == MissingFloat)
}

// microDegreeClass is a coded angle in degrees.
type microDegreeClass struct{ computedDouble }

func (microDegreeClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	if v == Missing {
		return MissingFloat, nil
	}
	return float64(v) / 1000000, nil
}

func (microDegreeClass) missing(h *Handle, a *accessor) bool {
	v, err := h.argKeyLong(a, 0)
	return err == nil && v == Missing
}

// incrementClass is a grid increment, coded or computed from the ends.
// Arguments: given, increment, scans positively, first, last, number of points,
// multiplier, divisor, is longitude.
type incrementClass struct{ computedDouble }

func (incrementClass) double(h *Handle, a *accessor) (float64, error) {
	var given, inc, positive, n, mul, div int64
	for i, p := range map[int]*int64{0: &given, 1: &inc, 2: &positive, 5: &n, 6: &mul, 7: &div} {
		v, err := h.argKeyLong(a, i)
		if err != nil {
			return 0, err
		}
		*p = v
	}
	first, err := h.getDouble(a.argName(3))
	if err != nil {
		return 0, err
	}
	last, err := h.getDouble(a.argName(4))
	if err != nil {
		return 0, err
	}
	if h.argLong(a, 8) != 0 && last < first && positive != 0 {
		last += 360
	}
	switch {
	case given == 0 && n != Missing:
		if n < 2 {
			return 0, ErrDecoding
		}
		lo, hi := first, last
		if positive == 0 {
			lo, hi = last, first
		}
		if hi <= lo {
			hi += 360
		}
		return (hi - lo) / float64(n-1), nil
	case n == Missing:
		return MissingFloat, nil
	case div == 0:
		return 0, ErrDecoding
	}
	return float64(inc) / float64(div) * float64(mul), nil
}

func (c incrementClass) missing(h *Handle, a *accessor) bool {
	v, err := c.double(h, a)
	return err == nil && v == MissingFloat
}

// g2LevelClass is the value of a fixed surface.
// Arguments: type of surface, scale factor, scaled value, pressure units.
type g2LevelClass struct{ computedLong }

func (c g2LevelClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.CopyIfChangingEdition
	return nil
}

func (c g2LevelClass) double(h *Handle, a *accessor) (float64, error) {
	var typ, scale, value int64
	if err := h.argLongs(a, &typ, &scale, &value); err != nil {
		return 0, err
	}
	units, err := h.getString(a.argName(3))
	if err != nil {
		return 0, err
	}
	if value == Missing {
		return 0, nil
	}
	v := float64(value)
	if scale != Missing {
		if typ == 109 { // potential vorticity
			status, err := h.long("productionStatusOfProcessedData")
			if err == nil && (status == 4 || status == 5) { // TIGGE
				scale -= 6
			} else {
				scale -= 9
			}
		}
		for ; scale < 0 && v != 0; scale++ {
			v *= 10
		}
		for ; scale > 0 && v != 0; scale-- {
			v /= 10
		}
	}
	if typ == 100 && units == "hPa" {
		x := int64(v / 100)
		if scale == 0 && x == 0 {
			// Less than 1 hPa is shown in Pa from now on.
			if err := h.setString("pressureUnits", "Pa"); err != nil {
				return 0, err
			}
		} else {
			v = float64(x)
		}
	}
	return v, nil
}

func (c g2LevelClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := c.double(h, a)
	return truncate(v + 0.5), err
}

func (g2LevelClass) missing(h *Handle, a *accessor) bool {
	s, _ := h.isMissing(a.argName(1))
	v, _ := h.isMissing(a.argName(2))
	return s || v
}

// globalGaussianClass tells whether a Gaussian grid covers the globe.
// Arguments: N, Ni, Di, first latitude, first longitude, last latitude, last
// longitude, PLPresent, pl, basic angle, subdivisions.
type globalGaussianClass struct{ computedLong }

func (globalGaussianClass) long(h *Handle, a *accessor) (int64, error) {
	factor := 1000.0
	if a.argName(9) != defs.NoSym && a.argName(10) != defs.NoSym {
		factor = 1000000
		for i := 9; i <= 10; i++ {
			v, err := h.argKeyLong(a, i)
			if err != nil {
				return 0, err
			}
			if v != 0 && v != Missing {
				return 0, nil
			}
		}
	}
	var n, ni, di, lat1, lon1, lat2, lon2, present int64
	if err := h.argLongs(a, &n, &ni, &di, &lat1, &lon1, &lat2, &lon2, &present); err != nil {
		return 0, err
	}
	first, second, ok := gaussianLatitudes(n)
	if !ok {
		return 0, ErrDecoding
	}
	if ni == Missing {
		ni = 4 * n
		if present != 0 {
			pl, err := h.getLongs(a.argName(8))
			if err != nil || len(pl) == 0 {
				return 0, ErrDecoding
			}
			ni = pl[0]
			for _, v := range pl {
				ni = max(ni, v)
			}
		}
	}
	d := math.Abs(first - second)
	delta := 360 / float64(ni)
	off := math.Abs(float64(lon2)/factor-(360-delta)) - delta
	if math.Abs(float64(lat1)/factor-first) >= d || math.Abs(float64(lat2)/factor+first) >= d || lon1 != 0 || off > 1/factor {
		return 0, nil
	}
	return 1, nil
}

// maxGaussian bounds the number of parallels that latitudes are computed for.
const maxGaussian = 100000

// gaussianLatitudes returns the two northernmost latitudes of a Gaussian grid of
// n parallels between pole and equator: roots of the Legendre polynomial of
// degree 2n, by Newton's method.
func gaussianLatitudes(n int64) (first, second float64, ok bool) {
	if n < 1 || n > maxGaussian {
		return 0, 0, false
	}
	deg := int(2 * n)
	root := func(i int) float64 {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(deg) + 0.5))
		for range 20 {
			p0, p1 := 1.0, x
			for k := 2; k <= deg; k++ {
				p0, p1 = p1, (float64(2*k-1)*x*p1-float64(k-1)*p0)/float64(k)
			}
			d := p1 * (1 - x*x) / (float64(deg) * (p0 - x*p1))
			x -= d
			if math.Abs(d) < 1e-15 {
				break
			}
		}
		return math.Asin(x) * 180 / math.Pi
	}
	return root(0), root(1), true
}

// octahedralClass tells whether the rows of a reduced grid grow by 4 towards the
// equator. Arguments: N, Ni, PLPresent, pl.
type octahedralClass struct{ computedLong }

func (octahedralClass) long(h *Handle, a *accessor) (int64, error) {
	ni, err := h.argKeyLong(a, 1)
	if err != nil || ni != Missing {
		return 0, err
	}
	present, err := h.argKeyLong(a, 2)
	if err != nil || present == 0 {
		return 0, err
	}
	pl, err := h.getLongs(a.argName(3))
	if err != nil {
		return 0, err
	}
	return b2i(isOctahedral(pl)), nil
}

func isOctahedral(pl []int64) bool {
	prev := int64(-1)
	for i := 1; i < len(pl); i++ {
		d := pl[i] - pl[i-1]
		switch d {
		case 0, 4:
			if prev != 4 && i != 1 {
				return false
			}
		case -4:
			if prev != -4 && prev != 0 && i != 1 {
				return false
			}
		default:
			return false
		}
		prev = d
	}
	return true
}

// gaussianNameClass is F640, N640 or O640. Arguments: N, Ni, isOctahedral.
type gaussianNameClass struct{ computedText }

func (gaussianNameClass) str(h *Handle, a *accessor) (string, error) {
	var n, ni int64
	if err := h.argLongs(a, &n, &ni); err != nil {
		return "", err
	}
	kind := "F"
	if ni == Missing {
		o, err := h.argKeyLong(a, 2)
		if err != nil {
			return "", err
		}
		kind = "N"
		if o == 1 {
			kind = "O"
		}
	}
	return kind + strconv.FormatInt(n, 10), nil
}

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

// fullCircle widens a range that misses the whole circle by no more than the
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
// for a pentagonal one. The last argument names a key that is set to it.
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
