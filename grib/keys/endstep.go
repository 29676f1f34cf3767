package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// endStepClass is the end of the step range of a GRIB 2 field: the forecast
// time plus the length of the time range that is not a mere repetition.
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

// added returns the time range that the end step has beyond the start step.
func (endStepClass) added(h *Handle, a *accessor) (t timeRange, ok bool, err error) {
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
		// With increments of the reference time the range says nothing of the
		// step, but for one experiment coded otherwise.
		return t, inc != 1 || h.specialExperiment(), err
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
	for i, inc := range incs {
		if inc == 2 && i < len(units) && i < len(lengths) {
			return timeRange{lengths[i], units[i]}, true, nil
		}
	}
	return t, false, ErrDecoding
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
	t, add, err := c.added(h, a)
	if err != nil {
		return 0, err
	}
	units, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	if t.unit != units {
		s, err := longStep(t.value, t.unit)
		if err != nil {
			return 0, ErrDecoding
		}
		if s.unit, err = makeUnit(units); err != nil {
			return 0, ErrDecoding
		}
		whole, err := s.long(s.unit)
		if err != nil {
			return 0, ErrDecoding
		}
		exact, err := s.double(s.unit)
		if err != nil || float64(whole) != exact {
			return 0, ErrDecoding
		}
		t.value = whole
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
	t, add, err := c.added(h, a)
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
	v, err := c.double(h, a)
	if err != nil {
		return "", err
	}
	u, err := h.argKeyLong(a, 1)
	if err != nil {
		return "", err
	}
	s, err := doubleStep(v, u)
	if err != nil {
		return "", ErrDecoding
	}
	return s.text()
}
