package keys

import (
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys computed from others.

// evaluateClass is an expression.
type evaluateClass struct{ computedLong }

func (evaluateClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (evaluateClass) long(h *Handle, a *accessor) (int64, error) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return 0, ErrInvalid
	}
	return h.exprLong(e)
}

// scaleClass is value * multiplier / divisor.
type scaleClass struct{ computedDouble }

func (scaleClass) double(h *Handle, a *accessor) (float64, error) {
	div, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	mul, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	if v == Missing {
		return MissingFloat, nil
	}
	return float64(v*mul) / float64(div), nil
}

func (scaleClass) missing(h *Handle, a *accessor) bool {
	v := h.find(a.argName(0))
	return v == nil || v.cls.missing(h, v)
}

// elementClass is one element of a list key.
type elementClass struct{ computedLong }

func (elementClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.getLongs(a.argName(0))
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}

func (elementClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDoubles(a.argName(0))
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}

// roundClass rounds an expression: round(expr, factor). As in ecCodes it is an integer
// by type, because the expression is, and has three decimals as text.
type roundClass struct{ computedLong }

func (roundClass) long(h *Handle, a *accessor) (int64, error) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return 0, ErrInvalid
	}
	return h.exprLong(e)
}

func (c roundClass) str(h *Handle, a *accessor) (string, error) {
	v, err := c.double(h, a)
	return strconv.FormatFloat(v, 'f', 3, 64), err
}

func (c roundClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := c.double(h, a)
	return []float64{v}, err
}

func (roundClass) double(h *Handle, a *accessor) (float64, error) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return 0, ErrInvalid
	}
	v, err := h.exprDouble(e)
	if err != nil {
		return 0, err
	}
	p := float64(h.argLong(a, 1))
	// Half away from zero.
	x := v * p
	if x < 0 {
		return 0 - floorHalf(-x)/p, nil // no negative zero
	}
	return floorHalf(x) / p, nil
}

func floorHalf(x float64) float64 { return float64(int64(float64(x) + 0.5)) }

// productClass multiplies or divides a key by a number.
type productClass struct {
	computedDouble
	divide bool
}

func (c productClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDouble(a.argName(0))
	if err != nil {
		return 0, err
	}
	by := 0.0
	if e := arg(a.act.Args, 1); e != nil {
		if by, err = h.exprDouble(e); err != nil {
			return 0, err
		}
	}
	if !c.divide {
		return v * by, nil
	}
	if by == 0 {
		return 0, ErrInvalid
	}
	return v / by, nil
}

// scaledValueClass is scaledValue / 10^scaleFactor; the value may be a list.
type scaledValueClass struct{ computedDouble }

func (scaledValueClass) count(h *Handle, a *accessor) (int, error) { return h.getSize(a.argName(1)) }

func scaled(v, factor int64) float64 {
	x := float64(v)
	const enough = 700 // powers of ten that lead to zero or infinity anyway
	for factor = max(factor, -enough); factor < 0; factor++ {
		x *= 10
	}
	for factor = min(factor, enough); factor > 0; factor-- {
		x /= 10
	}
	return x
}

func (c scaledValueClass) double(h *Handle, a *accessor) (float64, error) {
	return single(c.doubles(h, a))
}

func (scaledValueClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	factor, err := h.argKeyLong(a, 0)
	if err != nil {
		return nil, err
	}
	n, err := h.getSize(a.argName(1))
	if err != nil {
		return nil, err
	}
	if n == 1 {
		v, err := h.argKeyLong(a, 1)
		if err != nil {
			return nil, err
		}
		if miss, err := h.isMissing(a.argName(1)); miss && err == nil {
			return []float64{MissingFloat}, nil
		}
		if miss, err := h.isMissing(a.argName(0)); miss && err == nil {
			factor = 0
		}
		return []float64{scaled(v, factor)}, nil
	}
	list, err := h.getLongs(a.argName(1))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = scaled(v, factor)
	}
	return out, nil
}

func (scaledValueClass) missing(h *Handle, a *accessor) bool {
	f, err := h.argKeyLong(a, 0)
	if err != nil {
		return true
	}
	v, err := h.argKeyLong(a, 1)
	return err != nil || f == Missing || v == Missing
}

// sizeClass is the number of values of a key.
type sizeClass struct{ computedLong }

func (sizeClass) long(h *Handle, a *accessor) (int64, error) {
	n, err := h.getSize(a.argName(0))
	return int64(n), err
}

// sumClass is the sum of a list key.
type sumClass struct{ computedDouble }

func (sumClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDoubles(a.argName(0))
	if err != nil {
		return 0, err
	}
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s, nil
}

func (sumClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.getLongs(a.argName(0))
	if err != nil {
		return 0, err
	}
	s := int64(0)
	for _, x := range v {
		s += x
	}
	return s, nil
}

// vectorClass is one element of a list of computed numbers.
type vectorClass struct{ computedDouble }

func (vectorClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (vectorClass) double(h *Handle, a *accessor) (float64, error) {
	x := h.find(a.argName(0))
	if x == nil {
		return 0, ErrNotFound
	}
	v, err := x.cls.doubles(h, x)
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}
