package togrib

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// cellMethods are ecCodes' stepType by the method of CF's cell_methods.
var cellMethods = map[string]string{
	"mean": "avg", "sum": "accum", "maximum": "max", "minimum": "min", "standard_deviation": "sd",
}

// labelTimes sets the reference time and the step of the file, or else the time of validity and no step.
func (s *Slicer) labelTimes(f *look.Field, l *mapping.Labels, repro map[string]any) error {
	if kind, said := s.statistic(f); said != "" {
		return s.labelStatistics(f, kind, said, l, repro)
	}
	step := f.Step
	switch {
	case f.Reference.Known && !step.Known && f.Valid.Known:
		step = mapping.Some(f.Valid.Value.Sub(f.Reference.Value))
	case f.Reference.Known:
	case f.Valid.Known && step.Known:
		f.Reference = mapping.Some(f.Valid.Value.Add(-step.Value))
	case f.Valid.Known:
		f.Reference, step = f.Valid, mapping.Some(time.Duration(0))
	default:
		return errNoTime
	}
	unit, size := unitOf(step.Value)
	l.ReferenceTime, l.Step, l.StepUnits = f.Reference, mapping.Some(int64(step.Value/size)), unit
	return nil
}

// statistic returns the statistic over time, as ecCodes' stepType, and its source, "" if there is none.
func (s *Slicer) statistic(f *look.Field) (kind, said string) {
	if kind := s.set["stepType"]; kind != "" && kind != "instant" {
		return kind, "stepType is " + strconv.Quote(kind)
	}
	if method := timeMethod(f.Attributes[cf.AttrCellMethods]); method != "" && method != "point" {
		return cellMethods[method], fmt.Sprintf("cell_methods is %q", f.Attributes[cf.AttrCellMethods])
	}
	kind, _ = f.Attributes["GRIB_stepType"].(string)
	if _, known := statisticsCodes[kind]; known {
		return kind, fmt.Sprintf("GRIB_stepType is %q", kind)
	}
	return "", ""
}

// labelStatistics sets the reference time and the steps between which a statistic is taken: from the
// settings, or else from the bounds of the time.
func (s *Slicer) labelStatistics(f *look.Field, kind, said string, l *mapping.Labels, repro map[string]any) error {
	reference := f.Reference
	var from, to time.Duration
	_, known := statisticsCodes[kind]
	span, unit := s.set["stepRange"], s.set["stepUnits"]
	switch {
	case !known:
		return fmt.Errorf("%s, which has no GRIB code here", said)
	case span != "":
		var err error
		if from, to, err = spanOf(span, unit); err != nil {
			return err
		}
		if !reference.Known && f.Valid.Known {
			reference = mapping.Some(f.Valid.Value.Add(-to))
		}
	case reference.Known && f.StepCell.Known:
		from, to = f.StepCell.Value[0], f.StepCell.Value[1]
	case f.Cell.Known:
		if !reference.Known {
			reference = mapping.Some(f.Cell.Value[0])
		}
		from, to = f.Cell.Value[0].Sub(reference.Value), f.Cell.Value[1].Sub(reference.Value)
	default:
		return fmt.Errorf("%s, and the time has no bounds: set stepRange=FROM-TO, the steps between which it is taken", said)
	}
	if !reference.Known {
		return errNoTime
	}
	name, size := unitOf(from, to)
	l.ReferenceTime = reference
	repro["stepType"], repro["stepUnits"], repro["stepRange"] = kind, name, fmt.Sprintf("%d-%d", from/size, to/size)
	return nil
}

// errNoTime says that a field has no time.
var errNoTime = errors.New("no coordinate says when the field is valid, in a calendar that GRIB has")

// spanOf returns the steps of a stepRange in a unit of ecCodes' stepUnits, hours if it is "".
func spanOf(text, unit string) (from, to time.Duration, err error) {
	low, high, ok := strings.Cut(text, "-")
	size := map[string]time.Duration{"": time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second, "D": 24 * time.Hour}[unit]
	a, err := strconv.ParseInt(low, 10, 32)
	b, err2 := strconv.ParseInt(high, 10, 32)
	if !ok || size == 0 || err != nil || err2 != nil || a > b {
		return 0, 0, fmt.Errorf("stepRange is %q and stepUnits %q, expected FROM-TO in h, m, s or D", text, unit)
	}
	return time.Duration(a) * size, time.Duration(b) * size, nil
}

// timeAxes are the names that cell_methods has for the axis of time; most variables use them as well.
var timeAxes = []string{"time:", "step:", "valid_time:", "forecast_period:"}

// timeMethod returns the method of cell_methods along the axis of time, "" if there is none.
func timeMethod(attribute any) string {
	text, _ := attribute.(string)
	words := strings.Fields(text)
	for i := range len(words) - 1 {
		if slices.Contains(timeAxes, words[i]) && !strings.HasSuffix(words[i+1], ":") {
			return words[i+1]
		}
	}
	return ""
}

// unitOf returns the largest unit of GRIB that divides all durations, down to seconds.
func unitOf(durations ...time.Duration) (unit string, size time.Duration) {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"h", time.Hour}, {"m", time.Minute}} {
		if !slices.ContainsFunc(durations, func(d time.Duration) bool { return d%u.size != 0 }) {
			return u.name, u.size
		}
	}
	return "s", time.Second
}
