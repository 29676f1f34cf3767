package mapping

import (
	"strconv"
	"strings"
	"time"
)

// LabelValues returns the labels of a .tet file as numbers, if all are numbers, or as times, with their
// units. It reports false for other labels, and where there are none.
func LabelValues(labels []string) (values []float64, units string, ok bool) {
	if len(labels) == 0 {
		return nil, "", false
	}
	if values, ok = parseAll(labels, func(label string) (float64, error) { return strconv.ParseFloat(label, 64) }); ok {
		return values, "", true
	}
	values, ok = parseAll(labels, parseTime)
	return values, "seconds since 1970-01-01T00:00:00Z", ok
}

func parseAll(labels []string, parse func(string) (float64, error)) ([]float64, bool) {
	values := make([]float64, len(labels))
	for i, label := range labels {
		v, err := parse(strings.TrimSpace(label))
		if err != nil {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// parseTime reads a date, or a time of RFC 3339, whose zone is UTC if it has none.
func parseTime(label string) (float64, error) {
	var err error
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		var t time.Time
		if t, err = time.Parse(layout, label); err == nil {
			return float64(t.Unix()) + float64(t.Nanosecond())/1e9, nil
		}
	}
	return 0, err
}
