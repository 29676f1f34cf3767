package fromgrib

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// A Clause compares a key of ecCodes with values. The zero value is not valid.
type Clause struct {
	Key    string
	Values []string // alternatives
	Not    bool
}

// ParseClause reads key=value[/value...] or key!=value[/value...].
func ParseClause(text string) (Clause, error) {
	at := strings.IndexByte(text, '=')
	if at < 0 {
		return Clause{}, fmt.Errorf("%q has no =, expected key=value[/value...] or key!=value", text)
	}
	key, not := strings.CutSuffix(text[:at], "!")
	key = strings.TrimSpace(key)
	if key == "" {
		return Clause{}, fmt.Errorf("%q names no key, expected key=value[/value...]", text)
	}
	return Clause{key, strings.Split(text[at+1:], "/"), not}, nil
}

// String gives the clause as ParseClause reads it.
func (c Clause) String() string {
	op := "="
	if c.Not {
		op = "!="
	}
	return c.Key + op + strings.Join(c.Values, "/")
}

// holds tells whether the message of h satisfies c. A key that the message does not have equals nothing.
func (c Clause) holds(h *keys.Handle) bool {
	value, err := h.String(c.Key)
	equal := err == nil && slices.ContainsFunc(c.Values, func(want string) bool { return sameValue(value, want) })
	return equal != c.Not
}

// sameValue compares as text, and as numbers where both are: level 850 is 850.0, step 6 is 06.
func sameValue(got, want string) bool {
	if got == want {
		return true
	}
	g, err := strconv.ParseFloat(got, 64)
	if err != nil {
		return false
	}
	w, err := strconv.ParseFloat(want, 64)
	return err == nil && g == w
}

// selects tells whether all clauses hold.
func (s *Source) selects(h *keys.Handle) bool {
	for _, c := range s.opts.Where {
		if !c.holds(h) {
			return false
		}
	}
	return true
}

// needsValues are keys that depend on the data or the bitmap and not on the headers alone.
var needsValues = []string{
	"values", "max", "min", "maximum", "minimum", "avg", "average", "sd", "skew", "kurt", "const", "isConstant",
	"numberOfMissing", "numberOfValues", "numberOfCodedValues", "bitmap", "md5Data", "md5Section6", "md5Section7", "md5DataSection",
}

// headersSuffice tells whether the clauses and the grouping can be judged without the data.
func (s *Source) headersSuffice() bool {
	needs := func(key string) bool {
		if _, name, ok := strings.Cut(key, "."); ok {
			key = name
		}
		return slices.Contains(needsValues, key)
	}
	return !slices.ContainsFunc(s.opts.GroupBy, needs) &&
		!slices.ContainsFunc(s.opts.Where, func(c Clause) bool { return needs(c.Key) })
}
