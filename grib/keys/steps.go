package keys

import (
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Steps: when after the reference time a field is valid.

// stepKey reads a step from the keys of its value and of its unit. The result
// ok is false if they are not there.
func (h *Handle) stepKey(value, unitKey defs.Sym) (s step, ok bool, err error) {
	if value == defs.NoSym || unitKey == defs.NoSym {
		return s, false, nil
	}
	u, err := h.getLong(unitKey)
	if err != nil {
		return s, false, nil
	}
	v, err := h.getLong(value)
	if err != nil {
		return s, false, nil
	}
	s, err = longStep(v, u)
	return s, true, err
}

// stepUnitsClass finds the unit in which the step, or both ends of the step
// range, are whole numbers.
// Arguments: forecastTime, its unit, lengthOfTimeRange, its unit.
type stepUnitsClass struct{ genClass }

func (stepUnitsClass) init(*Handle, *accessor) error   { return nil }
func (stepUnitsClass) native(*Handle, *accessor) Type  { return Long }
func (stepUnitsClass) missing(*Handle, *accessor) bool { return false }
func (c stepUnitsClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := c.long(h, a)
	return float64(v), err
}

func (stepUnitsClass) long(h *Handle, a *accessor) (int64, error) {
	if a.v.typ == Long {
		return a.v.i, nil // forced
	}
	fc, hasFc, err := h.stepKey(a.argName(0), a.argName(1))
	if err != nil {
		return 0, err
	}
	tr, hasTr, err := h.stepKey(a.argName(2), a.argName(3))
	if err != nil {
		return 0, err
	}
	switch {
	case hasFc && hasTr:
		end, err := fc.add(tr)
		if err != nil {
			return 0, err
		}
		if fc, err = fc.optimize(); err != nil {
			return 0, err
		}
		if end, err = end.optimize(); err != nil {
			return 0, err
		}
		s, _, err := commonUnits(fc, end)
		return int64(s.unit), err
	case hasFc:
		fc, err = fc.optimize()
		return int64(fc.unit), err
	case hasTr:
		tr, err = tr.optimize()
		return int64(tr.unit), err
	}
	return int64(unitHour), nil
}

func (c stepUnitsClass) str(h *Handle, a *accessor) (string, error) {
	v, err := c.long(h, a)
	if err != nil {
		return "", err
	}
	_, name, _ := unitInfo(unit(v))
	return name, nil
}

func (h *Handle) stepUnits() (unit, error) {
	v, err := h.long("stepUnits")
	if err != nil {
		return 0, err
	}
	return makeUnit(v)
}

// stepNative: a step in hours is an integer, any other a text with its unit.
func stepNative(h *Handle) Type {
	if u, err := h.stepUnits(); err == nil && sameUnit(u, unitHour) {
		return Long
	}
	return String
}

// stepInUnitsClass is the forecast time in stepUnits.
// Arguments: forecastTime, its unit, stepUnits, …
type stepInUnitsClass struct{ longClass }

func (stepInUnitsClass) init(*Handle, *accessor) error      { return nil }
func (stepInUnitsClass) native(h *Handle, _ *accessor) Type { return stepNative(h) }

func (stepInUnitsClass) step(h *Handle, a *accessor) (step, unit, error) {
	u, err := h.stepUnits()
	if err != nil {
		return step{}, 0, err
	}
	code, err := h.argKeyLong(a, 1)
	if err != nil {
		return step{}, 0, err
	}
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return step{}, 0, err
	}
	s, err := longStep(v, code)
	if err != nil {
		return s, 0, ErrDecoding
	}
	return s, u, h.setLong("startStepUnit", int64(u))
}

func (c stepInUnitsClass) long(h *Handle, a *accessor) (int64, error) {
	s, u, err := c.step(h, a)
	if err != nil {
		return 0, err
	}
	if s, err = s.optimize(); err != nil {
		return 0, ErrDecoding
	}
	return s.long(u)
}

func (c stepInUnitsClass) double(h *Handle, a *accessor) (float64, error) {
	s, u, err := c.step(h, a)
	if err != nil {
		return 0, err
	}
	return s.double(u)
}

func (stepInUnitsClass) str(h *Handle, a *accessor) (string, error) {
	v, err := h.long("startStep")
	if err != nil {
		return "", err
	}
	u, err := h.long("startStepUnit")
	if err != nil {
		return "", err
	}
	s, err := longStep(v, u)
	if err != nil {
		return "", ErrDecoding
	}
	return s.text()
}

// stepRangeClass is "start" or "start-end".
type stepRangeClass struct{ genClass }

func (stepRangeClass) init(*Handle, *accessor) error  { return nil }
func (stepRangeClass) native(*Handle, *accessor) Type { return String }

func (stepRangeClass) str(h *Handle, a *accessor) (string, error) {
	start, err := h.getDouble(a.argName(0))
	if err != nil {
		return "", err
	}
	u, err := h.long("stepUnits")
	if err != nil {
		return "", err
	}
	s, err := doubleStep(start, u)
	if err != nil {
		return "", ErrDecoding
	}
	if a.argName(1) == defs.NoSym {
		return s.text()
	}
	end, err := h.getDouble(a.argName(1))
	if err != nil {
		return "", err
	}
	e, err := doubleStep(end, u)
	if err != nil {
		return "", ErrDecoding
	}
	last, err := e.text()
	if err != nil || start == end {
		return last, err
	}
	first, err := s.text()
	return first + "-" + last, err
}

func (stepRangeClass) long(h *Handle, a *accessor) (int64, error) {
	k := 0
	if a.argName(1) != defs.NoSym {
		k = 1
	}
	if _, err := h.argKeyLong(a, 0); err != nil {
		return 0, err
	}
	u, err := h.long("stepUnits")
	if err != nil {
		return 0, err
	}
	v, err := h.argKeyLong(a, k)
	if err != nil {
		return 0, err
	}
	s, err := longStep(v, u)
	if err != nil {
		return 0, ErrDecoding
	}
	return s.long(s.unit)
}

func (c stepRangeClass) double(h *Handle, a *accessor) (float64, error) {
	u, err := h.long("stepUnits")
	if err != nil {
		return 0, err
	}
	k := 0
	if a.argName(1) != defs.NoSym {
		k = 1
	}
	v, err := h.getDouble(a.argName(k))
	if err != nil {
		return 0, err
	}
	s, err := doubleStep(v, u)
	if err != nil {
		return 0, ErrDecoding
	}
	return s.double(s.unit)
}

// stepTextClass is the step as "6h 30m".
type stepTextClass struct{ genClass }

func (stepTextClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }
func (stepTextClass) native(*Handle, *accessor) Type    { return String }
func (stepTextClass) str(h *Handle, a *accessor) (string, error) {
	units := h.find(a.argName(0))
	if units == nil {
		return "", ErrNotFound
	}
	// The step is asked for in seconds.
	old := units.v
	h.setVariable(units, variable{typ: Long, i: int64(unitSecond), f: float64(unitSecond)})
	sec, err := h.long("step")
	h.setVariable(units, old)
	if err != nil {
		return "", err
	}
	hours, m, s := sec/3600, sec/60%60, sec%60
	t := strconv.FormatInt(hours, 10) + "h"
	if m != 0 || s != 0 {
		t += " " + strconv.FormatInt(m, 10) + "m"
	}
	if s != 0 {
		t += " " + strconv.FormatInt(s, 10) + "s"
	}
	return t, nil
}

// longVectorClass is one element of a list key: long_vector(key, index).
type longVectorClass struct{ longClass }

func (longVectorClass) init(*Handle, *accessor) error { return nil }

func (longVectorClass) long(h *Handle, a *accessor) (int64, error) {
	x := h.find(a.argName(0))
	if x == nil {
		return 0, ErrNotFound
	}
	if r, ok := x.cls.(g1StepRangeClass); ok {
		first, last, err := r.ends(h, x)
		if err != nil {
			return 0, err
		}
		return pick([]int64{first, last}, h.argLong(a, 1))
	}
	v, err := x.cls.longs(h, x)
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}
