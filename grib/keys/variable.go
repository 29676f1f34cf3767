package keys

import (
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// positionClass is the byte offset of a place.
type positionClass struct{ longClass }

func (positionClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.Hidden | defs.ReadOnly
	return nil
}

func (positionClass) long(h *Handle, a *accessor) (int64, error) { return int64(h.place(a)), nil }

// labelClass is a heading.
type labelClass struct{ genClass }

func (labelClass) init(*Handle, *accessor) error { return nil }

func (labelClass) native(*Handle, *accessor) Type { return Label }

func (labelClass) str(h *Handle, a *accessor) (string, error) {
	return h.lib.Name(a.act.Name), nil
}

// variableClass is a constant or a transient key.
type variableClass struct{ genClass }

func (c variableClass) init(h *Handle, a *accessor) error {
	if h.memo == nil {
		c.set(h, a)
		return nil
	}
	h.memo.initialise(a)
	return nil
}

// set computes the initial value.
func (variableClass) set(h *Handle, a *accessor) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return
	}
	switch h.exprType(e) {
	case Double:
		v, _ := h.exprDouble(e)
		a.v = variable{typ: Double, f: v}
		if v >= math.MinInt64 && v < math.MaxInt64 && float64(int64(v)) == v {
			a.v.typ = Long
		}
		a.v.i = truncate(v)
	case Long:
		v, _ := h.exprLong(e)
		a.v = variable{typ: Long, i: v, f: float64(v)}
	default:
		s, err := h.exprString(e)
		if err != nil {
			return
		}
		a.v = variable{typ: String, s: s, f: atof(s)}
		a.v.i = truncate(a.v.f)
	}
}

func (variableClass) native(h *Handle, a *accessor) Type { return h.variable(a).typ }

func (variableClass) long(h *Handle, a *accessor) (int64, error) { return h.variable(a).i, nil }

func (variableClass) double(h *Handle, a *accessor) (float64, error) { return h.variable(a).f, nil }

func (variableClass) missing(*Handle, *accessor) bool { return false }

func (variableClass) str(h *Handle, a *accessor) (string, error) {
	v := h.variable(a)
	if v.typ == String {
		return v.s, nil
	}
	return formatG(v.f), nil
}

// getenvClass would be an environment variable; it is always the default.
type getenvClass struct{ asciiClass }

func (getenvClass) str(h *Handle, a *accessor) (string, error) {
	if e := arg(a.act.Args, 1); e != nil {
		return h.exprString(e)
	}
	return "", nil
}

// sectionPointerClass is the place of a section: "offset_length".
type sectionPointerClass struct{ genClass }

func (sectionPointerClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.Hidden | defs.ReadOnly | defs.EditionSpecific
	return nil
}

func (sectionPointerClass) native(*Handle, *accessor) Type { return String }

func (sectionPointerClass) str(h *Handle, a *accessor) (string, error) {
	var off, n int64
	if err := h.argLongs(a, &off, &n); err != nil {
		return "", err
	}
	return strconv.FormatInt(off, 10) + "_" + strconv.FormatInt(n, 10), nil
}
