package mars

import (
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/mapping"
)

// LabelKeys returns the keys that [Labels] reads from [GroupIdentification]. A key that is absent
// or missing gives no label.
func LabelKeys() []string {
	return []string{"yearOfCentury", "dataDate", "dataTime", "hour", "minute", "second", "validityDate", "validityTime",
		"endStep", "stepUnits", "number", "perturbationNumber", "typeOfLevel"}
}

// LevelKeys returns the keys that [Labels] reads as numbers that need not be whole. They are the
// level, and the ends of a layer.
func LevelKeys() []string { return []string{"level", "topLevel", "bottomLevel"} }

// MemberKeys returns the keys that [Labels] reads the ensemble member from, in this order.
func MemberKeys() []string { return []string{"number", "perturbationNumber"} }

// Labels returns the typed labels of a field of any centre: reference time, valid time, step,
// member and level. The map base[i].mars has them as well, in MARS' terms, but not for products
// outside MARS.
func Labels(attrs *mapping.Attributes) mapping.Labels {
	var l mapping.Labels
	reference, dated := referenceTime(attrs)
	if dated {
		l.ReferenceTime = mapping.Some(reference)
	}
	if end, ok := identification(attrs, "endStep"); ok {
		code, _ := identification(attrs, "stepUnits")
		if step, unit, ok := stepOf(end, code); ok {
			l.Step, l.StepUnits = mapping.Some(step), unit.name
			if dated && unit.name != "" {
				l.ValidTime = mapping.Some(validTime(attrs, unit.add(reference, step)))
			}
		}
	}
	if said, ok := saidValidity(attrs); ok && dated && !l.ValidTime.Known {
		l.ValidTime = mapping.Some(said)
	}
	for _, key := range MemberKeys() {
		if n, ok := identification(attrs, key); ok {
			if n, ok := mapping.Int(n); ok {
				l.Number = mapping.Some(n)
			}
			break
		}
	}
	l.Level = levelLabel(attrs, "level")
	top, bottom := levelLabel(attrs, "topLevel"), levelLabel(attrs, "bottomLevel")
	if top.Known && bottom.Known && top != bottom {
		l.Top, l.Bottom = top, bottom
	}
	if !l.Level.Known && !bottom.Known {
		l.Level = top // ecCodes lists no level of a layer whose bottom is missing
	}
	if kind, ok := identification(attrs, "typeOfLevel"); ok && kind != "unknown" {
		l.LevelType, _ = kind.(string)
	}
	return l
}

func levelLabel(attrs *mapping.Attributes, key string) (label mapping.Opt[float64]) {
	v, ok := identification(attrs, key)
	if !ok {
		return label
	}
	label.Value, label.Known = mapping.Float(v)
	return label
}

// identification is one of the identification keys, if it says something.
func identification(attrs *mapping.Attributes, key string) (any, bool) {
	v, ok := attrs.Get(GroupIdentification, key)
	return v, ok && Present(v)
}

// validTime is the end of the time range that the message states, where that contradicts the
// computed time. Some centres count the step of an interval from elsewhere than the reference time.
// ecCodes' validityTime has no seconds.
func validTime(attrs *mapping.Attributes, computed time.Time) time.Time {
	said, ok := saidValidity(attrs)
	if !ok || said.Equal(computed.Truncate(time.Minute)) {
		return computed
	}
	return said
}

func saidValidity(attrs *mapping.Attributes) (time.Time, bool) {
	date, ok := identificationInt(attrs, "validityDate")
	hhmm, ok2 := identificationInt(attrs, "validityTime")
	if !ok || !ok2 {
		return time.Time{}, false
	}
	return pointInTime(date, hhmm/100, hhmm%100, 0)
}

// climatology is the year of the century that stands for every year in edition 1. The date is
// then the date of a climatology, and dataDate is no date.
const climatology = 255

// referenceTime is dataDate with the hour, minute and second of the message; ecCodes' dataTime has
// no seconds. Where dataTime is another time, it is dataDate with dataTime, as in fields at a
// local time, whose dataDate and dataTime are the date and time of the forecast.
func referenceTime(attrs *mapping.Attributes) (time.Time, bool) {
	date, ok := identificationInt(attrs, "dataDate")
	if year, _ := identificationInt(attrs, "yearOfCentury"); !ok || year == climatology {
		return time.Time{}, false
	}
	hhmm, timed := identificationInt(attrs, "dataTime")
	h, ok := identificationInt(attrs, "hour")
	mi, ok2 := identificationInt(attrs, "minute")
	switch coded := ok && ok2; {
	case !coded && !timed:
		return time.Time{}, false
	case !coded || timed && hhmm != 100*h+mi:
		return pointInTime(date, hhmm/100, hhmm%100, 0)
	}
	s, _ := identificationInt(attrs, "second")
	return pointInTime(date, h, mi, s)
}

// identificationInt is an integer among the identification keys.
func identificationInt(attrs *mapping.Attributes, key string) (int, bool) {
	v, ok := identification(attrs, key)
	if !ok {
		return 0, false
	}
	n, ok := mapping.Int(v)
	return int(n), ok
}

// pointInTime is a date as YYYYMMDD with a time of day, if there is such a time.
func pointInTime(date, h, mi, s int) (time.Time, bool) {
	if date < 10000 { // the year is 0: a date of no year
		return time.Time{}, false
	}
	y, mo, d := date/10000, date/100%100, date%100
	t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
	// A date that normalises to another is no point in time. Such dates have month
	// 13, day 0 of climatologies, hour 255 for missing.
	if t.Year() != y || int(t.Month()) != mo || t.Day() != d || t.Hour() != h || t.Minute() != mi || s > 60 {
		return time.Time{}, false
	}
	return t, true
}

// stepOf reads ecCodes' endStep, a number of stepUnits. For units other than the hour it may be a
// text that ends in the unit ("90m"). The unit's name is empty when it is not known.
func stepOf(end, code any) (step int64, u unit, ok bool) {
	text, isText := end.(string)
	if !isText {
		if step, ok = mapping.Int(end); ok {
			c, _ := mapping.Int(code)
			u, _ = stepUnits(c)
		}
		return step, u, ok
	}
	digits := strings.TrimRight(text, "smhDMYC")
	step, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, u, false
	}
	if name := text[len(digits):]; name != "" {
		for c := range int64(16) {
			if known, ok := stepUnits(c); ok && known.name == name {
				return step, known, true
			}
		}
		return step, u, true
	}
	c, _ := mapping.Int(code)
	u, _ = stepUnits(c)
	return step, u, true
}

// A unit is a step of time: a number of seconds, or of months, which have no fixed length.
type unit struct {
	name    string
	seconds int64
	months  int
}

// stepUnits gives the units of ecCodes' key stepUnits. The codes are of WMO code table 4.4 of GRIB
// 2; GRIB 1's table 4 agrees except for 10 to 14, which ecCodes has translated.
func stepUnits(code int64) (unit, bool) {
	const hour, day = 3600, 86400
	switch code {
	case 0:
		return unit{name: "m", seconds: 60}, true
	case 1:
		return unit{name: "h", seconds: hour}, true
	case 2:
		return unit{name: "D", seconds: day}, true
	case 3:
		return unit{name: "M", months: 1}, true
	case 4:
		return unit{name: "Y", months: 12}, true
	case 5:
		return unit{name: "10Y", months: 120}, true
	case 6:
		return unit{name: "30Y", months: 360}, true
	case 7:
		return unit{name: "C", months: 1200}, true
	case 10:
		return unit{name: "3h", seconds: 3 * hour}, true
	case 11:
		return unit{name: "6h", seconds: 6 * hour}, true
	case 12:
		return unit{name: "12h", seconds: 12 * hour}, true
	case 13:
		return unit{name: "s", seconds: 1}, true
	case 14:
		return unit{name: "15m", seconds: 15 * 60}, true
	case 15:
		return unit{name: "30m", seconds: 30 * 60}, true
	}
	return unit{}, false
}

// add moves t by n units. A month of the calendar keeps the day of the month where the target month
// has it.
func (u unit) add(t time.Time, n int64) time.Time {
	if u.months == 0 {
		return time.Unix(t.Unix()+n*u.seconds, 0).UTC()
	}
	moved := t.AddDate(0, int(n)*u.months, 0)
	if moved.Day() != t.Day() {
		moved = moved.AddDate(0, 0, -moved.Day())
	}
	return moved
}
