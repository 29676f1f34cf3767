package keys

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// setDate sets YYYYMMDD.
func setDate(s *setter, h *Handle, _ *Entry, value string) error {
	t, err := time.Parse("20060102", value)
	if err != nil {
		return fmt.Errorf("value %q is not a date YYYYMMDD", value)
	}
	return s.setReference(h, t.Year(), int(t.Month()), t.Day())
}

func (s *setter) setReference(h *Handle, year, month, day int) error {
	if h.buf[7] == 1 {
		century := (year-1)/100 + 1
		return s.all("centuryOfReferenceTimeOfData", century, "yearOfCentury", year-100*(century-1), "month", month, "day", day)
	}
	return s.all("year", year, "month", month, "day", day)
}

// setTime sets HHMM, or HHMMSS.
func setTime(s *setter, h *Handle, e *Entry, value string) error {
	n, err := strconv.ParseUint(value, 10, 24)
	if err != nil {
		return fmt.Errorf("value %q is not a time HHMM", value)
	}
	second := uint64(0)
	if n > 9999 || len(value) == 6 {
		n, second = n/100, n%100
	}
	if n%100 > 59 || n/100 > 24 || second > 59 {
		return fmt.Errorf("value %q is not a time HHMM", value)
	}
	if h.buf[7] == 1 {
		return s.all("hour", n/100, "minute", n%100)
	}
	return s.all("hour", n/100, "minute", n%100, "second", second)
}

// unitSeconds are the units of code table 4.4 of a fixed length, and the units of edition 1's table
// 4.
var unitSeconds = [...]int64{0: 60, 1: 3600, 2: 86400, 10: 3 * 3600, 11: 6 * 3600, 12: 12 * 3600, 13: 1}

// secondsOf returns the length of a unit in seconds, 0 if it has none.
func secondsOf(unit int64, edition byte) int64 {
	switch {
	case edition == 1 && unit == 254:
		return 1
	case edition == 1 && unit == 13:
		return 15 * 60
	case edition == 1 && unit == 14:
		return 30 * 60
	case unit < 0 || unit >= int64(len(unitSeconds)):
		return 0
	}
	return unitSeconds[unit]
}

// parseStep reads a step: a number of hours, or a number with a unit s, m, h, D.
func parseStep(text string) (seconds int64, err error) {
	unit := int64(3600)
	number := strings.TrimRight(text, "smhD")
	switch strings.TrimPrefix(text, number) {
	case "", "h":
	case "s":
		unit = 1
	case "m":
		unit = 60
	case "D":
		unit = 86400
	default:
		return 0, fmt.Errorf("step %q has an unknown unit", text)
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("value %q is not a step", text)
	}
	return n * unit, nil
}

// duration sets a number of units to a length of time. It takes the present unit or, where that
// does not divide it, the longest unit that does.
func (s *setter) duration(h *Handle, unitKey, key string, seconds int64) error {
	unit, err := h.Int(unitKey)
	if err != nil {
		return err
	}
	size := secondsOf(unit, h.buf[7])
	for _, code := range []int64{1, 0, 13} {
		if size != 0 && seconds%size == 0 {
			break
		}
		if unit, size = code, unitSeconds[code]; h.buf[7] == 1 && code == 13 {
			unit = 254
		}
	}
	return s.all(unitKey, unit, key, seconds/size)
}
