package fromgrib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping/where"
)

// ParseWhere reads clauses about the keys of fields, see package where.
func ParseWhere(texts []string) (where.Clauses, error) {
	clauses, err := where.ParseAll(texts)
	if err != nil {
		return nil, err
	}
	for _, c := range clauses {
		if c.Key == "count" || c.Key == "offset" {
			return nil, fmt.Errorf("%q: %s is not a key of the field, but of its place in the file", c.String(), c.Key)
		}
	}
	return clauses, nil
}

// Lookup returns the keys of a message for the clauses of package where, in the types that ecCodes
// gives them.
func Lookup(h *keys.Handle) where.Lookup { return handleLookup{h} }

type handleLookup struct{ h *keys.Handle }

func (l handleLookup) Text(key string) (string, bool) {
	v, err := l.h.String(key)
	return v, err == nil
}

func (l handleLookup) Int(key string) (int64, bool) {
	v, err := l.h.Int(key)
	return v, err == nil
}

func (l handleLookup) Real(key string) (float64, bool) {
	v, err := l.h.Float(key)
	return v, err == nil
}

// selects reports whether all clauses hold.
func (s *Source) selects(h *keys.Handle) bool {
	return s.opts.Where.Match(Lookup(h), &s.asked)
}

// UnknownKeys returns the keys of Options.Where and Options.GroupBy that no field has had so far.
func (s *Source) UnknownKeys() []string { return s.asked.Unknown() }

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
		!slices.ContainsFunc(s.opts.Where, func(c where.Clause) bool { return needs(c.Key) })
}
