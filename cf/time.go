package cf

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Date is a date and a time of a calendar, in UTC.
type Date struct {
	Calendar                                      Calendar
	Year                                          int64
	Month, Day, Hour, Minute, Second, Microsecond int
}

// String returns the date in the form of ISO 8601, as "2017-03-22T06:00:00". Only dates that are
// the same in the Gregorian calendar end in Z.
func (d Date) String() string {
	s := fmt.Sprintf("%04d", d.Year)
	if d.Year < 0 {
		s = fmt.Sprintf("-%04d", -d.Year)
	}
	s += fmt.Sprintf("-%02d-%02dT%02d:%02d:%02d", d.Month, d.Day, d.Hour, d.Minute, d.Second)
	if d.Microsecond != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%06d", d.Microsecond), "0")
	}
	if _, ok := d.Time(); ok {
		s += "Z"
	}
	return s
}

// Time returns the date as a time of the Gregorian calendar. The result is false for dates that are
// not in the Gregorian calendar, and for years that do not have four digits.
func (d Date) Time() (time.Time, bool) {
	switch {
	case d.Year < 0 || d.Year > 9999:
		return time.Time{}, false
	case d.Calendar == ProlepticGregorian:
	case d.Calendar == Standard && gregorianDay(d.Year, d.Month, d.Day) >= firstGregorian:
	default:
		return time.Time{}, false
	}
	return time.Date(int(d.Year), time.Month(d.Month), d.Day, d.Hour, d.Minute, d.Second, 1000*d.Microsecond, time.UTC), true
}

// TimeUnits are the units of a time coordinate: "days since 1850-01-01", in a calendar.
type TimeUnits struct {
	Calendar Calendar
	unit     int64 // in microseconds; of less, in 1/perMicro
	perMicro int64 // 1 except for nanoseconds
	day      int64 // of the reference
	micro    int64 // of that day; beyond it with a time zone
	finer    bool  // the reference has parts of a microsecond, which are left out
}

const (
	microsPerSecond = 1_000_000
	microsPerDay    = 86_400 * microsPerSecond
)

// timeUnits are the lengths of the units in microseconds, in the spellings that udunits and cftime
// know.
var timeUnits = map[string]int64{
	"microsecond": 1, "microsec": 1, "millisecond": 1000, "millisec": 1000, "msec": 1000, "ms": 1000,
	"second": microsPerSecond, "sec": microsPerSecond, "s": microsPerSecond,
	"minute": 60 * microsPerSecond, "min": 60 * microsPerSecond,
	"hour": 3600 * microsPerSecond, "hr": 3600 * microsPerSecond, "h": 3600 * microsPerSecond,
	"day": microsPerDay, "d": microsPerDay,
}

// reference is a date of reference: year-month-day, a time, and a time zone.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([+-]?\d+)(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ]\s*(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?)?)?)?)?\s*(?:(Z|UTC)|([+-])(\d{2}):?(\d{2})?)?(?:\s.*)?$`)
})

// ParseTimeUnits reads the attributes units and calendar of a time coordinate. The calendar may be
// empty. Months are a unit of the calendar 360_day, common_years of noleap; elsewhere they have no
// fixed length.
func ParseTimeUnits(units, calendar string) (*TimeUnits, error) {
	t := &TimeUnits{perMicro: 1}
	var ok bool
	if t.Calendar, ok = calendars[strings.ToLower(strings.TrimSpace(calendar))]; !ok {
		return nil, fmt.Errorf("calendar %q is not one of CF", calendar)
	}
	words := strings.Fields(units)
	if len(words) < 3 || !strings.EqualFold(words[1], "since") {
		return nil, fmt.Errorf("units %q, expected a unit of time since a date", units)
	}
	if err := t.setUnit(strings.ToLower(words[0])); err != nil {
		return nil, fmt.Errorf("units %q: %w", units, err)
	}
	if err := t.setReference(strings.Join(words[2:], " ")); err != nil {
		return nil, fmt.Errorf("units %q: %w", units, err)
	}
	return t, nil
}

func (t *TimeUnits) setUnit(name string) error {
	singular := strings.TrimSuffix(name, "s")
	switch n, ok := timeUnits[name]; {
	case ok:
		t.unit = n
	case timeUnits[singular] != 0 && len(singular) > 1:
		t.unit = timeUnits[singular]
	case singular == "nanosecond":
		t.unit, t.perMicro = 1, 1000
	case singular == "month" && t.Calendar == Day360:
		t.unit = 30 * microsPerDay
	case singular == "common_year" && t.Calendar == NoLeap:
		t.unit = 365 * microsPerDay
	default:
		return fmt.Errorf("%q has no fixed length in calendar %s", name, t.Calendar)
	}
	return nil
}

func (t *TimeUnits) setReference(s string) error {
	m := reference().FindStringSubmatch(s)
	if m == nil {
		return fmt.Errorf("%q is not a date", s)
	}
	year, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || year > maxYear || year < -maxYear {
		return fmt.Errorf("%q is not a year", m[1])
	}
	month, day := max(1, number(m[2])), max(1, number(m[3]))
	hour, minute, second := number(m[4]), number(m[5]), number(m[6])
	if m[2] != "" && number(m[2]) == 0 || m[3] != "" && number(m[3]) == 0 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 {
		return fmt.Errorf("%q is not a date", s)
	}
	t.day = t.Calendar.day(year, month, day)
	if y, mo, d := t.Calendar.date(t.day); y != year || mo != month || d != day {
		return fmt.Errorf("calendar %s has no day %s", t.Calendar, s)
	}
	fraction := int64(0)
	if m[7] != "" {
		fraction = int64(number((m[7] + "000000")[:6]))
		t.finer = len(m[7]) > 6 && strings.Trim(m[7][6:], "0") != ""
	}
	t.micro = int64(hour*3600+minute*60+second)*microsPerSecond + fraction
	zone := int64(number(m[10])*3600+number(m[11])*60) * microsPerSecond
	if m[9] == "-" {
		zone = -zone
	}
	t.micro -= zone
	return nil
}

// maxYear bounds years, so that nothing overflows.
const maxYear = 200_000_000

// number is the number in up to nine digits; their pattern admits nothing else.
func number(digits string) int {
	n := 0
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

// Date returns the date at v units after the reference, to the nearest microsecond. The result is
// false for a v that is not a time, such as NaN, and for times that a Date cannot hold.
func (t *TimeUnits) Date(v float64) (Date, bool) {
	whole, fraction := math.Modf(v)
	if math.IsNaN(v) || math.Abs(whole) >= 1<<62 {
		return Date{}, false
	}
	// The two parts apart lose less than one product.
	d, ok := t.offset(int64(whole))
	return t.at(d, int64(math.RoundToEven(fraction*float64(t.unit)/float64(t.perMicro))), ok)
}

// DateOf is like [TimeUnits.Date] for an integer.
func (t *TimeUnits) DateOf(v int64) (Date, bool) {
	d, ok := t.offset(v)
	return t.at(d, 0, ok)
}

// moment is a number of days, and microseconds that may exceed a day.
type moment struct{ days, micro int64 }

// offset is n units.
func (t *TimeUnits) offset(n int64) (m moment, ok bool) {
	if t.unit >= microsPerDay {
		perUnit := t.unit / microsPerDay
		if n > math.MaxInt32*int64(1000)/perUnit || n < -math.MaxInt32*int64(1000)/perUnit {
			return m, false
		}
		return moment{days: n * perUnit}, true
	}
	perDay := microsPerDay / t.unit * t.perMicro
	days, rest := floorDiv(n, perDay)
	return moment{days, quotient(rest*t.unit+t.perMicro/2, t.perMicro)}, true
}

// at is the date at an offset from the reference.
func (t *TimeUnits) at(m moment, micro int64, ok bool) (Date, bool) {
	if !ok || m.days > maxDays || m.days < -maxDays {
		return Date{}, false
	}
	over, rest := floorDiv(t.micro+m.micro+micro, microsPerDay)
	d := Date{Calendar: t.Calendar, Microsecond: int(rest % microsPerSecond)}
	d.Year, d.Month, d.Day = t.Calendar.date(t.day + m.days + over)
	seconds := int(rest / microsPerSecond)
	d.Hour, d.Minute, d.Second = seconds/3600, seconds/60%60, seconds%60
	return d, true
}

// maxDays bounds offsets, so that nothing overflows.
const maxDays = 366 * maxYear
