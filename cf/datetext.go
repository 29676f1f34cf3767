package cf

import (
	"regexp"
	"strings"
	"sync"
)

// dateText is a date and a time as models and tools write them: 2005-08-28_12:00:00, 2005-08-28T12:00Z,
// 2005-08-28, 20050828120000.
var dateText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})(?:[T_ ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.\d+)?)?)?)?(?:Z| ?UTC)?$|^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$`)
})

// ParseDate reads a text that is a date and a time, such as the variable Times that WRF writes. It is in the
// Gregorian calendar.
func ParseDate(text string) (Date, bool) {
	m := dateText().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Date{}, false
	}
	if m[1] == "" {
		copy(m[1:], m[7:])
	}
	d := Date{
		Calendar: ProlepticGregorian, Year: int64(number(m[1])), Month: number(m[2]), Day: number(m[3]),
		Hour: number(m[4]), Minute: number(m[5]), Second: number(m[6]),
	}
	if t, ok := d.Time(); !ok || t.Day() != d.Day || int(t.Month()) != d.Month || d.Hour > 23 || d.Minute > 59 || d.Second > 59 {
		return Date{}, false
	}
	return d, true
}

// TimesNames returns the names of variables that have the times along a dimension as texts.
func TimesNames(dim string) []string {
	return []string{dim, dim + "s", "Times", "times", "Time", "time", "time_string"}
}
