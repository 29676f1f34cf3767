package cf

import (
	"math"
	"strings"
	"time"
)

// Time returns the time that a number of "UNITS since TIME" means (CF, section 4.4.1), in the
// Gregorian calendar, to the millisecond; false for other units, and for years and months, which have
// no fixed length.
func Time(units string, v float64) (time.Time, bool) {
	unit, since, ok := strings.Cut(units, " since ")
	if !ok || math.IsNaN(v) {
		return time.Time{}, false
	}
	seconds := 0.0
	switch strings.TrimSuffix(strings.ToLower(strings.TrimSpace(unit)), "s") {
	case "second", "sec", "":
		seconds = 1
	case "minute", "min":
		seconds = 60
	case "hour", "hr", "h":
		seconds = 3600
	case "day", "d":
		seconds = 86400
	default:
		return time.Time{}, false
	}
	start, ok := parseTime(strings.TrimSpace(since))
	offset := float64(v * seconds)
	if !ok || math.Abs(offset) > 1e12 {
		return time.Time{}, false
	}
	days := math.Floor(offset / 86400)
	rest := offset - float64(days*86400)
	return start.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(rest*1e3)) * time.Millisecond), true
}

// parseTime reads the time of "since".
func parseTime(s string) (time.Time, bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(s, " UTC"), " +00:00")
	for _, layout := range []string{
		time.RFC3339, "2006-1-2 15:4:5", "2006-1-2T15:4:5", "2006-1-2 15:4", "2006-1-2T15:4", "2006-1-2", "2006-1-2 15:4:5Z",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
