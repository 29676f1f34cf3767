package cf

import "fmt"

// A Calendar says which dates exist (CF conventions 1.11, section 4.4.1).
type Calendar int

// The calendars.
const (
	Standard           Calendar = iota // Gregorian from 1582-10-15, Julian before; no year 0
	ProlepticGregorian                 // Gregorian always
	Julian                             // no year 0
	NoLeap                             // every year has 365 days
	AllLeap                            // every year has 366 days
	Day360                             // every month has 30 days
)

// calendars are the names of calendars.
var calendars = map[string]Calendar{
	"": Standard, "standard": Standard, "gregorian": Standard, "proleptic_gregorian": ProlepticGregorian, "julian": Julian,
	"noleap": NoLeap, "365_day": NoLeap, "all_leap": AllLeap, "366_day": AllLeap, "360_day": Day360,
}

// String returns the name that CF prefers.
func (c Calendar) String() string {
	names := [...]string{"standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("Calendar(%d)", int(c))
	}
	return names[c]
}

// yearZero reports whether the calendar has a year 0. Without a year 0, the year before 1 is -1.
func (c Calendar) yearZero() bool { return c != Standard && c != Julian }

// firstGregorian is 1582-10-15 as a Julian day number.
const firstGregorian = 2299161

// day numbers a date of the calendar. It is the Julian day where the calendar follows the sun, days
// since year 0 elsewhere.
func (c Calendar) day(year int64, month, day int) int64 {
	if !c.yearZero() && year < 0 {
		year++
	}
	switch c {
	case Day360:
		return 360*year + 30*int64(month-1) + int64(day-1)
	case NoLeap:
		return 365*year + int64(dayOfYear(month, day, false))
	case AllLeap:
		return 366*year + int64(dayOfYear(month, day, true))
	case ProlepticGregorian:
		return gregorianDay(year, month, day)
	case Julian:
		return julianDay(year, month, day)
	}
	if n := gregorianDay(year, month, day); n >= firstGregorian {
		return n
	}
	return julianDay(year, month, day)
}

// date is the date that has a number.
func (c Calendar) date(n int64) (year int64, month, day int) {
	switch {
	case c == Day360:
		year, rest := floorDiv(n, 360)
		return year, int(rest/30) + 1, int(rest%30) + 1
	case c == NoLeap:
		year, rest := floorDiv(n, 365)
		month, day = monthOf(int(rest), false)
		return year, month, day
	case c == AllLeap:
		year, rest := floorDiv(n, 366)
		month, day = monthOf(int(rest), true)
		return year, month, day
	case c == ProlepticGregorian, c == Standard && n >= firstGregorian:
		century, rest := floorDiv(4*(n+32044)+3, 146097)
		year, month, day = fromMarch(rest / 4)
		year += 100 * century
	default:
		year, month, day = fromMarch(n + 32082)
	}
	if !c.yearZero() && year <= 0 {
		year--
	}
	return year, month, day
}

// gregorianDay is the Julian day number of a date, years counted with a year 0.
func gregorianDay(year int64, month, day int) int64 {
	y, n := sinceMarch(year, month, day)
	return n + quotient(y, 4) - quotient(y, 100) + quotient(y, 400) - 32045
}

func julianDay(year int64, month, day int) int64 {
	y, n := sinceMarch(year, month, day)
	return n + quotient(y, 4) - 32083
}

// sinceMarch counts the days from 1 March -4800 without leap days, and the year that begins in
// March.
func sinceMarch(year int64, month, day int) (y, n int64) {
	early := int64(14-month) / 12 // January and February belong to the year before
	y = year + 4800 - early
	m := int64(month) + 12*early - 3
	return y, int64(day) + (153*m+2)/5 + 365*y
}

// fromMarch is the date n days after 1 March -4800, every fourth year with a leap day.
func fromMarch(n int64) (year int64, month, day int) {
	y, rest := floorDiv(4*n+3, 1461)
	e := rest / 4
	m := (5*e + 2) / 153
	return y - 4800 + m/10, int(m + 3 - 12*(m/10)), int(e - (153*m+2)/5 + 1)
}

// beforeMonth are the days of a year before each month.
var beforeMonth = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// dayOfYear counts from 0.
func dayOfYear(month, day int, leap bool) int {
	n := beforeMonth[month-1] + day - 1
	if leap && month > 2 {
		n++
	}
	return n
}

func monthOf(dayOfYear int, leap bool) (month, day int) {
	for month = 12; ; month-- {
		first := beforeMonth[month-1]
		if leap && month > 2 {
			first++
		}
		if dayOfYear >= first {
			return month, dayOfYear - first + 1
		}
	}
}

// floorDiv divides towards minus infinity, so that the rest is not negative.
func floorDiv(a, b int64) (q, rest int64) {
	q, rest = a/b, a%b
	if rest < 0 {
		q, rest = q-1, rest+b
	}
	return q, rest
}

func quotient(a, b int64) int64 {
	q, _ := floorDiv(a, b)
	return q
}
