package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// endStepClass is the end of the step range of a GRIB 2 field. It is the
// forecast time plus the length of the time range that is not a mere
// repetition.
//
// Arguments: startStep, stepUnits; for time ranges also the reference time (6),
// the end of the interval (6), the unit and the length of the time range, the
// type of its increment and the number of ranges.
type endStepClass struct{ longClass }

const (
	endYear     = 2
	endUnit     = 14
	endLength   = 15
	endType     = 16
	endRanges   = 17
	maxTimeSpan = 16
)

func (endStepClass) init(*Handle, *accessor) error      { return nil }
func (endStepClass) native(h *Handle, _ *accessor) Type { return stepNative(h) }

// timeRange is one "statistical process" of section 4.
type timeRange struct{ value, unit int64 }

// in converts the range to a unit; it must be a whole number of units.
func (t timeRange) in(units int64) (int64, error) {
	if t.unit == units {
		return t.value, nil
	}
	s, err := longStep(t.value, t.unit)
	if err != nil {
		return 0, ErrDecoding
	}
	u, err := makeUnit(units)
	if err != nil {
		return 0, ErrDecoding
	}
	whole, err := s.long(u)
	if err != nil {
		return 0, ErrDecoding
	}
	exact, err := s.double(u)
	if err != nil || float64(whole) != exact {
		return 0, ErrDecoding
	}
	return whole, nil
}

// added returns the time range from the start step to the end step. With whole
// it returns ranges that are whole numbers of stepUnits.
func (endStepClass) added(h *Handle, a *accessor, whole bool) (t timeRange, ok bool, err error) {
	n, err := h.argKeyLong(a, endRanges)
	if err != nil {
		return t, false, err
	}
	switch {
	case n == 1:
		if t.unit, err = h.argKeyLong(a, endUnit); err != nil {
			return t, false, err
		}
		if t.value, err = h.argKeyLong(a, endLength); err != nil {
			return t, false, err
		}
		inc, err := h.argKeyLong(a, endType)
		if err != nil || inc != 1 {
			return t, true, err
		}
		// With increments of the reference time the range does not determine the step
		// in ECMWF's messages of before its migration. There is an exception for one
		// experiment.
		mode, err := h.long("MTG2Switch")
		return t, err == nil && mode > 0 || h.specialExperiment(), nil
	case n != 2:
		return t, false, ErrDecoding
	}
	incs, err := h.getLongs(a.argName(endType))
	if err != nil {
		return t, false, err
	}
	units, err := h.getLongs(a.argName(endUnit))
	if err != nil {
		return t, false, err
	}
	lengths, err := h.getLongs(a.argName(endLength))
	if err != nil {
		return t, false, err
	}
	if len(units) != len(incs) || len(lengths) != len(incs) {
		return t, false, ErrDecoding
	}
	if mode, err := h.long("MTG2Switch"); err == nil && mode > 0 {
		in := int64(-1)
		if whole {
			if in, err = h.argKeyLong(a, 1); err != nil {
				return t, false, err
			}
		}
		t, err = longestRange(incs, units, lengths, in)
		return t, true, err
	}
	for i, inc := range incs {
		if inc == 2 {
			return timeRange{lengths[i], units[i]}, true, nil
		}
	}
	return t, false, ErrDecoding
}

// longestRange chooses among the ranges with a known type of increment. All of
// them must be whole numbers of the unit in, unless in is negative.
func longestRange(incs, units, lengths []int64, in int64) (t timeRange, err error) {
	longest := int64(-1)
	for i, inc := range incs {
		if inc < 1 || inc > 5 {
			continue
		}
		u, err := makeUnit(units[i])
		if err != nil || u == unitMissing {
			return t, ErrDecoding
		}
		if in >= 0 {
			if _, err := (timeRange{lengths[i], units[i]}).in(in); err != nil {
				return t, err
			}
		}
		if sec := lengths[i] * u.seconds(); sec > longest {
			longest, t = sec, timeRange{lengths[i], units[i]}
		}
	}
	if longest < 0 {
		return t, ErrDecoding
	}
	return t, nil
}

func (h *Handle) specialExperiment() bool {
	a := h.findQualified("mars.class")
	if a == nil {
		return false
	}
	if c, err := h.accString(a); err != nil || c != "em" {
		return false
	}
	v, err := h.text("experimentVersionNumber")
	return err == nil && v == "1605"
}

func (c endStepClass) long(h *Handle, a *accessor) (int64, error) {
	start, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	startUnit, err := h.long("startStepUnit")
	if err != nil {
		return 0, err
	}
	if a.argName(endYear) == defs.NoSym {
		return start, h.setLong("endStepUnit", startUnit)
	}
	t, add, err := c.added(h, a, true)
	if err != nil {
		return 0, err
	}
	units, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	if t.value, err = t.in(units); err != nil {
		return 0, err
	}
	if n, _ := h.argKeyLong(a, endRanges); n == 1 {
		if err := h.setLong("endStepUnit", units); err != nil {
			return 0, err
		}
	}
	if add {
		start += t.value
	}
	return start, nil
}

func (c endStepClass) double(h *Handle, a *accessor) (float64, error) {
	start, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	startUnit, err := h.long("startStepUnit")
	if err != nil {
		return 0, err
	}
	if a.argName(endYear) == defs.NoSym {
		return float64(start), h.setLong("endStepUnit", startUnit)
	}
	t, add, err := c.added(h, a, false)
	if err != nil {
		return 0, err
	}
	units, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	single := false
	if n, _ := h.argKeyLong(a, endRanges); n == 1 {
		single = true
	}
	var s step
	if single {
		var f float64
		if f, err = h.getDouble(a.argName(0)); err == nil {
			s, err = doubleStep(f, startUnit)
		}
	} else {
		s, err = longStep(start, startUnit)
	}
	if err != nil {
		return 0, ErrDecoding
	}
	if !add {
		v, err := s.double(unit(startUnit))
		if err != nil {
			return 0, ErrDecoding
		}
		return v, h.setLong("endStepUnit", startUnit)
	}
	r, err := longStep(t.value, t.unit)
	if err != nil {
		return 0, ErrDecoding
	}
	sum, err := s.add(r)
	if err != nil {
		return 0, ErrDecoding
	}
	u, err := makeUnit(units)
	if err != nil {
		return 0, ErrDecoding
	}
	if single {
		if err := h.setLong("endStepUnit", units); err != nil {
			return 0, err
		}
	}
	v, err := sum.double(u)
	if err != nil {
		return 0, ErrDecoding
	}
	return v, nil
}

func (c endStepClass) str(h *Handle, a *accessor) (string, error) {
	v, err := c.long(h, a)
	if err != nil {
		return "", err
	}
	u, err := h.argKeyLong(a, 1)
	if err != nil {
		return "", err
	}
	s, err := longStep(v, u)
	if err != nil {
		return "", ErrDecoding
	}
	return s.text()
}
