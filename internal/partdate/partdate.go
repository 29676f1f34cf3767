// Package partdate reads dates as people type them. The end may be left out: 2020-01 is all of that
// month. They are compared with dates of any calendar.
package partdate

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Date is the first fields of a date: year, month, day, hour, minute, second. A date with fields left out
// stands for all of the year, month and so on.
type Date []int

var forms = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(-?\d{4,9})(?:-(\d\d?)(?:-(\d\d?)(?:[T ](\d\d?)(?::(\d\d)(?::(\d\d)(?:\.\d*)?)?)?)?)?)?Z?$`),
		regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(?:(\d\d)(\d\d)?)?)?Z?$`), // without separators
	}
})

// largest are the largest numbers of the fields after the year.
var largest = []int{12, 31, 23, 59, 59}

// Parse reads a date in the form of ISO 8601: 2020, 2020-01, 2020-01-02, 2020-01-02T06, 2020-01-02T06:30, and
// also 20200102 or 2020010206. Parts of a second are ignored.
func Parse(text string) (Date, error) {
	for i, form := range forms() {
		m := form.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil || i == 0 && len(m[1]) > 4 && m[2] == "" {
			continue
		}
		var d Date
		for _, digits := range m[1:] {
			if digits == "" {
				break
			}
			n, err := strconv.Atoi(digits)
			if k := len(d) - 1; err != nil || k >= 0 && (n > largest[k] || n < 1 && k < 2) {
				return nil, fmt.Errorf("%q is no date", text)
			}
			d = append(d, n)
		}
		return d, nil
	}
	return nil, fmt.Errorf("%q is no date, expected one such as 2020-01-02, 2020-01 or 2020-01-02T06", text)
}

// Compare compares a date, given by all its fields, with the time that d stands for. It is 0 for dates
// within that time, less than 0 for dates before, more for dates after.
func (d Date) Compare(fields [6]int) int {
	for i, n := range d {
		if order := cmp.Compare(fields[i], n); order != 0 {
			return order
		}
	}
	return 0
}

// Start returns all fields of the first moment of the time that d stands for.
func (d Date) Start() [6]int {
	fields := [6]int{1: 1, 2: 1}
	copy(fields[:], d)
	return fields
}

// Fields reads a date that is complete, as programs write it: 2017-03-22T06:00:00Z.
func Fields(text string) (fields [6]int, ok bool) {
	text, _, _ = strings.Cut(text, ".")
	d, err := Parse(text)
	copy(fields[:], d)
	return fields, err == nil && len(d) >= 3
}
