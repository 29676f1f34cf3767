package cdl

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf"
)

// oneVerb is a printf format with one verb for a number.
var oneVerb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^%]*%[-+ #0]*[0-9]{0,2}(?:\.[0-9]{1,2})?)(?:hh|h|ll|l)?([diufFeEgGxXo])([^%]*)$`)
})

// formatOf returns the function that formats the numbers of a variable with the attribute C_format. It is nil
// for others, and for formats that do not fit the type.
func formatOf(v *netcdf.Var) func(e any, text string) string {
	a := v.Attr("C_format")
	if a == nil || !v.Type.Numeric() {
		return nil
	}
	text, _ := a.Value.(string)
	m := oneVerb().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	verb := m[2]
	switch verb {
	case "i", "u":
		verb = "d"
	}
	real := verb != "d" && verb != "x" && verb != "X" && verb != "o"
	if real != v.Type.Class.IsFloat() {
		return nil
	}
	format := m[1] + verb + m[3]
	return func(e any, text string) string {
		if x, ok := e.(float64); ok && x-x != 0 {
			return text // NaN and infinities
		}
		return fmt.Sprintf(format, e)
	}
}
