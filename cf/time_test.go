package cf

import (
	"encoding/json"
	"os"
	"testing"
)

// TestDatesAreThoseOfCFTime compares with the output of interop/netcdf/cftime_vectors.py.
func TestDatesAreThoseOfCFTime(t *testing.T) {
	b, err := os.ReadFile("testdata/cftime.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Dates []struct {
			Units, Calendar string
			Value           float64
			Date            *[7]int
		}
	}
	if err := json.Unmarshal(b, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Dates) < 2000 {
		t.Errorf("%d dates, expected more than 2000", len(vectors.Dates))
	}
	for _, v := range vectors.Dates {
		units, err := ParseTimeUnits(v.Units, v.Calendar)
		if (err == nil) != (v.Date != nil) {
			t.Errorf("%s in calendar %s: error %v, want date %v", v.Units, v.Calendar, err, v.Date)
			continue
		}
		if err != nil {
			continue
		}
		d, ok := units.Date(v.Value)
		got := [7]int{int(d.Year), d.Month, d.Day, d.Hour, d.Minute, d.Second, d.Microsecond}
		if !ok || got != *v.Date {
			t.Errorf("%v %s in calendar %s is %v, want %v", v.Value, v.Units, v.Calendar, got, *v.Date)
		}
	}
}

func TestDateText(t *testing.T) {
	for _, test := range []struct {
		units, calendar string
		value           float64
		want            string
	}{
		{"days since 2000-02-28", "", 1.25, "2000-02-29T06:00:00Z"}, {"days since 2000-02-28", "noleap", 1, "2000-03-01T00:00:00"},
		{"days since 2000-02-28", "360_day", 2, "2000-02-30T00:00:00"}, {"seconds since 1970-01-01", "standard", 0.5, "1970-01-01T00:00:00.5Z"},
		{"days since 1582-10-15", "gregorian", -1, "1582-10-04T00:00:00"}, {"days since 0001-01-01", "standard", -1, "-0001-12-31T00:00:00"},
		{"days since 2000", "", 0, "2000-01-01T00:00:00Z"}, {"days since 2000-01-01T12Z", "", 0, "2000-01-01T12:00:00Z"},
		{"nanoseconds since 2000-01-01", "", 1500, "2000-01-01T00:00:00.000002Z"},
	} {
		units, err := ParseTimeUnits(test.units, test.calendar)
		if err != nil {
			t.Error(err)
			continue
		}
		if d, ok := units.Date(test.value); d.String() != test.want || !ok {
			t.Errorf("%v %s is %s, want %s", test.value, test.units, d, test.want)
		}
	}
}

func FuzzDate(f *testing.F) {
	f.Add("days since 1850-01-01", "standard", 1.5)
	f.Add("months since -0001-01-01 00:00 +01:00", "360_day", -1e6)
	f.Add("common_years since 200000000-12-31", "noleap", 1e18)
	f.Fuzz(func(t *testing.T, text, calendar string, value float64) {
		units, err := ParseTimeUnits(text, calendar)
		if err != nil {
			return
		}
		d, ok := units.Date(value)
		if !ok {
			return
		}
		if d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > 31 || d.Hour > 23 || d.Minute > 59 || d.Second > 59 || d.Hour < 0 {
			t.Errorf("%v %s is %+v", value, text, d)
		}
		if n := d.Calendar.day(d.Year, d.Month, d.Day); func() bool { y, m, day := d.Calendar.date(n); return y != d.Year || m != d.Month || day != d.Day }() {
			t.Errorf("%s is not its own date", d)
		}
	})
}
