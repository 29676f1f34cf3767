package fromgrib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// ParseWhere reads clauses about the keys of fields, see [mapping.Clauses].
func ParseWhere(texts []string) (mapping.Clauses, error) {
	clauses, err := mapping.ParseClauses(texts)
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

// selects reports whether all clauses hold for field i of a part's message.
func (s *Source) selects(h *keys.Handle, f *grib.Field, p *importers.Part, i int) bool {
	if len(s.opts.Where) == 0 {
		return true
	}
	return s.knownAt(h, f, p, i).Match(s.opts.Where, &s.asked)
}

// knownAt returns the description of field i of a part's message, with its place.
func (s *Source) knownAt(h *keys.Handle, f *grib.Field, p *importers.Part, i int) *mapping.Known {
	known := s.Known(h, f)
	known.Place = &mapping.Place{File: storage.Display(p.Input), Message: p.Number, Object: i}
	return known
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
		!slices.ContainsFunc(s.opts.Where, func(c mapping.Clause) bool { return needs(c.Key) })
}
