package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// Keys of grids and levels.

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
