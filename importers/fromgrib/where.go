package fromgrib

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// A Clause compares a key of ecCodes with values. The zero value is not valid.
type Clause struct {
	Key string
	// Type is what the key is asked for as: 's' text, 'i' integer, 'd' number; 0 is the key's own
	// type.
	Type   byte
	Values []string // alternatives
	Not    bool
}

// ParseClause reads key=value[/value...] or key!=value[/value...]. The key may have a type as in
// ecCodes' tools: level:i.
func ParseClause(text string) (Clause, error) {
	at := strings.IndexByte(text, '=')
	if at < 0 {
		return Clause{}, fmt.Errorf("%q has no =, expected key=value[/value...] or key!=value", text)
	}
	key, not := strings.CutSuffix(strings.TrimSpace(text[:at]), "!")
	c := Clause{Key: strings.TrimSpace(key), Not: not, Values: strings.Split(text[at+1:], "/")}
	if n := len(c.Key) - 2; n > 0 && c.Key[n] == ':' {
		c.Key, c.Type = c.Key[:n], c.Key[n+1]
		if c.Type == 'l' {
			c.Type = 'i'
		}
		if strings.IndexByte("sid", c.Type) < 0 {
			return Clause{}, fmt.Errorf("%q asks for type %q, expected s, i or d", text, c.Type)
		}
	}
	switch c.Key {
	case "":
		return Clause{}, fmt.Errorf("%q names no key, expected key=value[/value...]", text)
	case "count", "offset":
		return Clause{}, fmt.Errorf("%q: %s is not a key of the field, but of where it lies", text, c.Key)
	}
	return c, nil
}

// String gives the clause as ParseClause reads it.
func (c Clause) String() string {
	key, op := c.Key, "="
	if c.Type != 0 {
		key += ":" + string(c.Type)
	}
	if c.Not {
		op = "!="
	}
	return key + op + strings.Join(c.Values, "/")
}

// value is the key's value as text.
func (c Clause) value(h *keys.Handle) (string, error) {
	switch c.Type {
	case 'i':
		n, err := h.Int(c.Key)
		return strconv.FormatInt(n, 10), err
	case 'd':
		v, err := h.Float(c.Key)
		return strconv.FormatFloat(v, 'g', -1, 64), err
	}
	return h.String(c.Key)
}

// holds reports whether the message of h satisfies c, and whether it has the key. A key that it does
// not have equals nothing.
func (c Clause) holds(h *keys.Handle) (ok, found bool) {
	value, err := c.value(h)
	equal := err == nil && slices.ContainsFunc(c.Values, func(want string) bool {
		if c.Type == 's' {
			return value == want
		}
		return sameValue(value, want)
	})
	return equal != c.Not, err == nil
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

// selects reports whether all clauses hold.
func (s *Source) selects(h *keys.Handle) bool {
	for _, c := range s.opts.Where {
		ok, found := c.holds(h)
		s.asked.note(c.Key, found)
		if !ok {
			return false
		}
	}
	return true
}

// askedKeys remembers which keys were asked for and whether any field had them. It may be used by
// several goroutines.
type askedKeys struct {
	mu    sync.Mutex
	found map[string]bool
}

func (a *askedKeys) note(key string, found bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == nil {
		a.found = make(map[string]bool)
	}
	a.found[key] = a.found[key] || found
}

// UnknownKeys are the keys of Options.Where and Options.GroupBy that were asked for in vain so far:
// no field had them.
func (s *Source) UnknownKeys() []string {
	s.asked.mu.Lock()
	defer s.asked.mu.Unlock()
	var unknown []string
	for key, found := range s.asked.found {
		if !found {
			unknown = append(unknown, key)
		}
	}
	slices.Sort(unknown)
	return unknown
}

// needsValues are keys that depend on the data or the bitmap and not on the headers alone.
var needsValues = []string{
	"values", "max", "min", "maximum", "minimum", "avg", "average", "sd", "skew", "kurt", "const", "isConstant",
	"numberOfMissing", "numberOfValues", "numberOfCodedValues", "bitmap", "md5Data", "md5Section6", "md5Section7", "md5DataSection",
}

// headersSuffice reports whether the clauses and the grouping can be judged without the data.
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
