package keys

import (
	"errors"
	"math"
)

// A unit is a time unit of WMO code table 4.4.
type unit int64

const (
	unitMinute  unit = 0
	unitHour    unit = 1
	unitSecond  unit = 13
	unitMissing unit = 255
)

var errUnit = errors.New("unknown time unit")

// unitInfo gives the length of a unit in seconds and its name.
func unitInfo(u unit) (seconds int64, name string, ok bool) {
	switch u {
	case 0:
		return 60, "m", true
	case 1:
		return 3600, "h", true
	case 2:
		return 86400, "D", true
	case 3:
		return 2592000, "M", true
	case 4:
		return 31536000, "Y", true
	case 5:
		return 315360000, "10Y", true
	case 6:
		return 946080000, "30Y", true
	case 7:
		return 3153600000, "C", true
	case 10:
		return 10800, "3h", true
	case 11:
		return 21600, "6h", true
	case 12:
		return 43200, "12h", true
	case 13:
		return 1, "s", true
	case 14:
		return 900, "15m", true
	case 15:
		return 1800, "30m", true
	case unitMissing:
		return 0, "MISSING", true
	}
	return 0, "", false
}

func (u unit) seconds() int64 {
	s, _, _ := unitInfo(u)
	return s
}

func makeUnit(code int64) (unit, error) {
	if _, _, ok := unitInfo(unit(code)); !ok {
		return 0, errUnit
	}
	return unit(code), nil
}

// A step is a span of time: a whole number of inner units, to be shown in unit.
type step struct {
	value       int64
	inner, unit unit
}

func longStep(v, code int64) (step, error) {
	u, err := makeUnit(code)
	return step{v, u, u}, err
}

// doubleStep keeps whole seconds only.
func doubleStep(v float64, code int64) (step, error) {
	u, err := makeUnit(code)
	return step{truncate(v * float64(u.seconds())), unitSecond, u}, err
}

func sameUnit(a, b unit) bool { return a.seconds() == b.seconds() }

// long is the step in a unit, rounded towards zero.
func (s step) long(u unit) (int64, error) {
	if s.value == 0 {
		return 0, nil
	}
	if sameUnit(s.inner, u) {
		return s.value, nil
	}
	if s.inner == unitMissing || u == unitMissing {
		return 0, errUnit
	}
	return s.value * s.inner.seconds() / u.seconds(), nil
}

func (s step) double(u unit) (float64, error) {
	if s.value == 0 {
		return 0, nil
	}
	if sameUnit(s.inner, u) {
		return float64(s.value), nil
	}
	if s.inner == unitMissing || u == unitMissing {
		return 0, errUnit
	}
	return float64(s.value) * float64(s.inner.seconds()) / float64(u.seconds()), nil
}

// selected are the units a step is shown in, longest first.
var selected = [...]unit{unitHour, unitMinute, unitSecond}

// optimize chooses the longest of hour, minute and second that gives a whole
// number.
func (s step) optimize() (step, error) {
	if s.value == 0 {
		if s.unit.seconds() > unitHour.seconds() {
			s.unit = unitHour
		}
		return s, nil
	}
	if s.inner == unitMissing {
		return s, errUnit
	}
	s.unit = s.inner
	sec := s.value * s.inner.seconds()
	if sec/s.inner.seconds() != s.value || sec == math.MinInt64 {
		return s, errUnit
	}
	for _, u := range selected {
		if sec%u.seconds() == 0 {
			return step{sec / u.seconds(), u, u}, nil
		}
	}
	return s, nil
}

// recalculate expresses the step in the unit it is shown in.
func (s step) recalculate() (step, error) {
	if s.value == 0 {
		s.inner = s.unit
		return s, nil
	}
	if s.inner == unitMissing || s.unit.seconds() == 0 {
		return s, errUnit
	}
	s.value = s.value * s.inner.seconds() / s.unit.seconds()
	s.inner = s.unit
	return s, nil
}

func commonUnits(a, b step) (step, step, error) {
	var err error
	switch {
	case a.value == 0 && b.value == 0:
		u := b.inner
		if a.inner.seconds() > b.inner.seconds() {
			u = a.inner
		}
		a.inner, a.unit, b.inner, b.unit = u, u, u, u
	case b.value == 0:
		b.inner, b.unit, a.unit = a.inner, a.inner, a.inner
		a, err = a.recalculate()
	case a.value == 0:
		a.inner, a.unit, b.unit = b.inner, b.inner, b.inner
		b, err = b.recalculate()
	default:
		u, ok := unit(0), false
		for i := len(selected) - 1; i >= 0 && !ok; i-- {
			u, ok = selected[i], selected[i] == a.unit || selected[i] == b.unit
		}
		if !ok {
			return a, b, errUnit
		}
		a.unit, b.unit = u, u
		if a, err = a.recalculate(); err == nil {
			b, err = b.recalculate()
		}
	}
	return a, b, err
}

func (s step) add(t step) (step, error) {
	a, err := s.optimize()
	if err != nil {
		return s, err
	}
	b, err := t.optimize()
	if err != nil {
		return s, err
	}
	if a, b, err = commonUnits(a, b); err != nil {
		return s, err
	}
	return step{a.value + b.value, a.inner, a.inner}, nil
}

// text is the number, with the unit unless that is the hour.
func (s step) text() (string, error) {
	v, err := s.double(s.unit)
	if err != nil {
		return "", err
	}
	t := formatG(v)
	if sameUnit(s.unit, unitHour) {
		return t, nil
	}
	_, name, _ := unitInfo(s.unit)
	switch s.unit {
	case 14, 15, 10, 11, 12, 5, 6:
		t += "x"
	}
	return t + name, nil
}
