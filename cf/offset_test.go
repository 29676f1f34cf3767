package cf

import (
	"math"
	"slices"
	"testing"
)

func unitsOf(t *testing.T, units, calendar string) *TimeUnits {
	t.Helper()
	u, err := ParseTimeUnits(units, calendar)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAfter(t *testing.T) {
	const hour = 3_600_000_000
	for _, test := range []struct {
		to, from, toCalendar, fromCalendar string
		want                               int64
		ok                                 bool
	}{
		{"hours since 2020-01-01", "days since 2020-02-01", "", "", 744 * hour, true},
		{"hours since 2020-02-01", "hours since 2020-01-01", "", "", -744 * hour, true},
		{"days since 2020-02-01", "days since 2020-03-01", "noleap", "365_day", 28 * 24 * hour, true},
		{"days since 2020-02-01", "days since 2020-03-01", "360_day", "360_day", 30 * 24 * hour, true},
		{"days since 2020-01-01", "days since 2020-01-02 12:00+01:00", "standard", "gregorian", 35 * hour, true},
		{"days since 1582-10-04", "days since 1582-10-15", "standard", "standard", 24 * hour, true},
		{"days since 2020-01-01", "days since 2020-01-02", "standard", "proleptic_gregorian", 24 * hour, true},
		{"days since 0001-01-01", "days since 0001-01-01", "standard", "proleptic_gregorian", 48 * hour, true},
		{"days since 2020-01-01", "days since 2020-01-01", "julian", "standard", 0, false},
		{"days since 2020-01-01", "days since 2020-01-01", "noleap", "proleptic_gregorian", 0, false},
		{"seconds since 2020-01-01", "seconds since 2020-01-01 00:00:00.0000005", "", "", 0, false},
		{"days since 2020-01-01", "days since 9020-01-01", "", "", 0, false},
	} {
		to, from := unitsOf(t, test.to, test.toCalendar), unitsOf(t, test.from, test.fromCalendar)
		if got, ok := from.After(to); ok != test.ok || got.Micro != test.want {
			t.Errorf("from %s to %s: %v, %v; expected %v, %v", test.from, test.to, got, ok, test.want, test.ok)
		}
	}
}

func TestGregorian(t *testing.T) {
	for _, test := range []struct {
		units, calendar string
		days            int64
		want            bool
	}{
		{"hours since 2020-01-01", "", 0, true},
		{"hours since 2020-01-01", "proleptic_gregorian", 1000, true},
		{"hours since 2020-01-01", "julian", 0, false},
		{"hours since 2020-01-01", "noleap", 0, false},
		{"days since 0001-01-01", "", 737425, true},
		{"days since 0001-01-01", "", 0, false},
		{"days since 1678-01-01", "", 0, true},
		{"days since 1678-01-01", "", -1, false},
		{"days since 1677-12-31 23:00-01:00", "", 0, true},
		{"days since 2262-01-01", "proleptic_gregorian", -1, true},
		{"days since 2262-01-01", "proleptic_gregorian", 0, false},
	} {
		if got := unitsOf(t, test.units, test.calendar).Gregorian(Offset{Micro: test.days * microsPerDay}); got != test.want {
			t.Errorf("%d days, %s in %q: %v", test.days, test.units, test.calendar, got)
		}
	}
}

// TestOffsets compares with the times that xarray 2026.9 decodes.
func TestOffsets(t *testing.T) {
	for _, test := range []struct {
		units, calendar string
		number          float64
		want            Offset
		ok              bool
	}{
		{"days since 2020-01-01", "", 1.0 / 24, Offset{3_600_000_000, 0}, true},
		{"days since 1900-01-01", "", 43831.041666666664, Offset{3787002000_000_000, 0}, true},
		{"days since 2020-01-01", "", -0.1, Offset{-8640_000_000, 0}, true},
		{"days since 0001-01-01", "", 737425.041666666664, Offset{63713523599_999_997, 0}, true},
		{"days since 1700-01-01", "", 200_000.25, Offset{200_000*microsPerDay + 21600_000_000, 0}, true}, // more than 63 bits of nanoseconds
		{"days since 2000-01-01", "noleap", 1.0 / 24, Offset{3_600_000_000, 0}, true},
		{"days since 2000-01-01", "360_day", 0.1, Offset{8640_000_000, 0}, true},
		{"seconds since 2000-01-01", "noleap", 1e-6 / 2, Offset{}, false},
		{"days since 2000-01-01", "", math.NaN(), Offset{}, false},
		{"days since 2000-01-01", "", math.Inf(1), Offset{}, false},
		{"days since 2000-01-01", "", 1e300, Offset{}, false},
		{"nanoseconds since 2000-01-01", "", 1, Offset{}, false},
	} {
		got, ok := unitsOf(t, test.units, test.calendar).Offsets([]float64{test.number})
		if ok != test.ok || ok && got[0] != test.want {
			t.Errorf("%v %s: %v, %v; expected %v, %v", test.number, test.units, got, ok, test.want, test.ok)
		}
	}
	if got, ok := unitsOf(t, "days since 2000-01-01", "").OffsetsOf([]int64{-1, 2}); !ok || !slices.Equal(got, []Offset{{Micro: -microsPerDay}, {Micro: 2 * microsPerDay}}) {
		t.Errorf("%v, %v", got, ok)
	}
	if got, ok := unitsOf(t, "days since 2000-01-01", "").OffsetsOf([]int64{math.MaxInt64}); ok {
		t.Errorf("%v", got)
	}
}

func TestOffsetNumbers(t *testing.T) {
	for _, test := range []struct {
		units           string
		offset          Offset
		i               int64
		f               float64
		isInt, isNumber bool
	}{
		{"hours since 2020-01-01", Offset{7_200_000_000, 0}, 2, 2, true, true},
		{"hours since 2020-01-01", Offset{1_800_000_000, 0}, 0, 0.5, false, true},
		{"days since 2020-01-01", Offset{3_600_000_000, 0}, 0, 1.0 / 24, false, false},
		{"days since 2020-01-01", Offset{-86_400_000_000, 0}, -1, -1, true, true},
		{"seconds since 2020-01-01", Offset{1, 1}, 0, 0, false, false},
		{"nanoseconds since 2020-01-01", Offset{-1, 1}, -999, 0, true, false},
		{"nanoseconds since 2020-01-01", Offset{1 << 62, 1}, 0, 0, false, false},
	} {
		u := unitsOf(t, test.units, "")
		if i, ok := u.Int(test.offset); ok != test.isInt || ok && i != test.i {
			t.Errorf("%v in %s: %v, %v", test.offset, test.units, i, ok)
		}
		if f, ok := u.Float(test.offset); ok != test.isNumber || ok && f != test.f {
			t.Errorf("%v in %s: %v, %v", test.offset, test.units, f, ok)
		}
	}
}
