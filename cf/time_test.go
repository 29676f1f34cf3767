package cf

import (
	"math"
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	for _, c := range []struct {
		units string
		value float64
		want  string // empty for none
	}{
		{"days since 1970-01-01", 18262, "2020-01-01T00:00:00Z"},
		{"hours since 1900-01-01 00:00:00.0", 1043148, "2019-01-01T12:00:00Z"},
		{"seconds since 1970-01-01T00:00:00Z", -1.5, "1969-12-31T23:59:58.5Z"},
		{"minutes since 2000-1-1 6:30", 90, "2000-01-01T08:00:00Z"},
		{"Days since 0001-01-01 00:00:00", 737424.25, "2020-01-01T06:00:00Z"},
		{"days since 1850-01-01 00:00:00 UTC", 0, "1850-01-01T00:00:00Z"},
		{"months since 1970-01-01", 1, ""},
		{"days since yesterday", 1, ""},
		{"days since 1970-01-01", math.NaN(), ""},
		{"days since 1970-01-01", math.Inf(1), ""},
		{"days since 1970-01-01", 1e300, ""},
		{"K", 1, ""},
	} {
		got, ok := Time(c.units, c.value)
		if ok != (c.want != "") || ok && got.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%v %s: %v, %v, expected %q", c.value, c.units, got, ok, c.want)
		}
	}
}
