package keys

import (
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// g1StepRangeClass is the step range of an edition 1 field.
// Arguments: P1, P2, timeRangeIndicator, unit, stepUnits, stepType and a patch
// flag for old forecast probabilities.
type g1StepRangeClass struct{ genClass }

func (g1StepRangeClass) init(*Handle, *accessor) error         { return nil }
func (g1StepRangeClass) native(*Handle, *accessor) Type        { return String }
func (g1StepRangeClass) count(*Handle, *accessor) (int, error) { return 1, nil }

// g1UnitSeconds are the units of code table 4; 15 is used for seconds, which
// WMO codes as 254.
func g1UnitSeconds(u int64) int64 {
	switch u {
	case 0:
		return 60
	case 1:
		return 3600
	case 2:
		return 86400
	case 3:
		return 2592000
	case 10:
		return 10800
	case 11:
		return 21600
	case 12:
		return 43200
	case 13:
		return 900
	case 14:
		return 1800
	case 15:
		return 1
	}
	return -1
}

// stepUnitSeconds are the units of the key stepUnits.
func stepUnitSeconds(u int64) int64 {
	switch u {
	case 13:
		return 1
	case 14:
		return 900
	case 15:
		return 1800
	}
	return g1UnitSeconds(u)
}

// steps returns both ends of the range in stepUnits.
func (g1StepRangeClass) steps(h *Handle, a *accessor) (first, last int64, err error) {
	stepUnit := int64(1)
	if k := a.argName(4); k != defs.NoSym {
		if v, err := h.getLong(k); err == nil {
			stepUnit = v
		}
	}
	unit, err := h.argKeyLong(a, 3)
	if err != nil {
		return 0, 0, err
	}
	if unit == 254 {
		unit = 15
	}
	if first, err = h.argKeyLong(a, 0); err != nil {
		return 0, 0, err
	}
	if last, err = h.argKeyLong(a, 1); err != nil {
		return 0, 0, err
	}
	tri, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, 0, err
	}
	forced, err := h.long("timeRangeIndicatorFromStepRange")
	if err != nil {
		return 0, 0, err
	}
	if forced == 10 {
		tri = 10
	}
	kind, err := g1StepType(h, a)
	if err != nil {
		return 0, 0, err
	}
	switch {
	case tri == 10:
		first = first<<8 | last
		last = first
	case kind == "instant":
		last = first
	case kind == "accum" && tri == 0:
		first, last = 0, first
	}
	from, to := g1UnitSeconds(unit), stepUnitSeconds(stepUnit)
	if from == to || first == 0 && last == 0 {
		return first, last, nil
	}
	if to <= 0 {
		return 0, 0, ErrDecoding
	}
	s, e := first*from, last*from
	if s < 0 || e < 0 {
		if from%60 != 0 || to%60 != 0 {
			return 0, 0, ErrDecoding
		}
		s, e, to = first*(from/60), last*(from/60), to/60
	}
	if s%to != 0 || e%to != 0 {
		return first, last, ErrDecoding
	}
	return s / to, e / to, nil
}

func g1StepType(h *Handle, a *accessor) (string, error) {
	if k := a.argName(5); k != defs.NoSym {
		return h.getString(k)
	}
	return "unknown", nil
}

func (c g1StepRangeClass) str(h *Handle, a *accessor) (string, error) {
	first, last, err := c.steps(h, a)
	if err != nil {
		// The step is no whole number of stepUnits. From now on it is shown in the
		// unit it is coded in.
		if unit, e := h.argKeyLong(a, 3); e == nil {
			if unit == 254 {
				unit = 15
			}
			if e := h.setLong("stepUnits", unit); e != nil {
				return "", e
			}
		}
		return "", err
	}
	kind, err := g1StepType(h, a)
	if err != nil {
		return "", err
	}
	if a.argName(6) != defs.NoSym {
		first += 24 // old forecast probabilities
	}
	switch kind {
	case "instant", "avgfc", "avgua", "avgia", "varins":
		return strconv.FormatInt(first, 10), nil
	case "accum", "avg", "min", "max", "rms", "diff", "avgas", "avgad", "avgid", "varas", "varad":
		if first == last {
			return strconv.FormatInt(last, 10), nil
		}
		return strconv.FormatInt(first, 10) + "-" + strconv.FormatInt(last, 10), nil
	}
	return "", ErrNotImplemented
}

// ends are both ends as the text shows them.
func (c g1StepRangeClass) ends(h *Handle, a *accessor) (first, last int64, err error) {
	s, err := c.str(h, a)
	if err != nil {
		return 0, 0, err
	}
	first, rest := strtol(s)
	last = first
	if rest != "" {
		last, _ = strtol(rest[1:])
	}
	return first, last, nil
}

func (c g1StepRangeClass) long(h *Handle, a *accessor) (int64, error) {
	_, last, err := c.ends(h, a)
	return last, err
}

func (c g1StepRangeClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := c.long(h, a)
	return float64(v), err
}

func (c g1StepRangeClass) longs(h *Handle, a *accessor) ([]int64, error) {
	first, last, err := c.ends(h, a)
	return []int64{first, last}, err
}

// fcPeriodClass is the forecast period in days: "first-last".
type fcPeriodClass struct{ g1StepRangeClass }

func (c fcPeriodClass) str(h *Handle, a *accessor) (string, error) {
	first, last, err := c.steps(h, a)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(first/24, 10) + "-" + strconv.FormatInt(last/24, 10), nil
}
