package cf

import "testing"

func TestShift(t *testing.T) {
	for _, test := range []struct {
		to, from, toCalendar, fromCalendar string
		want                               float64
		ok                                 bool
	}{
		{"hours since 2020-01-01", "hours since 2020-02-01", "", "", 744, true},
		{"hours since 2020-02-01", "hours since 2020-01-01", "", "", -744, true},
		{"days since 2020-02-01", "days since 2020-03-01", "noleap", "365_day", 28, true},
		{"days since 2020-02-01", "days since 2020-03-01", "360_day", "360_day", 30, true},
		{"days since 2020-01-01", "day since 2020-01-01T00:00:00Z", "standard", "gregorian", 0, true},
		{"days since 2020-01-01", "days since 2020-01-02 12:00", "", "", 1.5, true},
		{"days since 2020-01-01", "days since 2020-01-02 01:00", "", "", 0, false},
		{"days since 1582-10-04", "days since 1582-10-15", "standard", "standard", 1, true},
		{"days since 2020-01-01", "hours since 2020-01-01", "", "", 0, false},
		{"days since 2020-01-01", "days since 2020-01-01", "standard", "proleptic_gregorian", 0, false},
		{"nanoseconds since 2020-01-01", "nanoseconds since 2020-01-02", "", "", 0, false},
		{"seconds since 2020-01-01", "seconds since 2020-01-01 00:00:00.0000005", "", "", 0, false},
		{"days since 2020-01-01", "days since 9020-01-01", "", "", 0, false},
	} {
		to, err := ParseTimeUnits(test.to, test.toCalendar)
		if err != nil {
			t.Fatal(err)
		}
		from, err := ParseTimeUnits(test.from, test.fromCalendar)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := to.Shift(from); got != test.want || ok != test.ok {
			t.Errorf("from %s to %s: %v, %v; expected %v, %v", test.from, test.to, got, ok, test.want, test.ok)
		}
	}
}
