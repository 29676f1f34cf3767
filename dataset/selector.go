package dataset

import (
	"fmt"
	"strings"
)

// A Selector chooses positions along the axis of a key by their labels: one of them, or one of some
// ranges of them.
//
//	selector = key "=" item { "/" item }
//	item     = label | [ label ] ":" [ label ]
//
// Ranges have both of their ends.
type Selector struct {
	Key   string   // the name of a dimension or coordinate, or its meaning: lat, lon, level, time, step, number
	Items []string // labels and ranges
}

// String returns the selector as it is given.
func (s *Selector) String() string { return s.Key + "=" + strings.Join(s.Items, "/") }

// A SelectorError reports a selector that cannot be understood.
type SelectorError struct {
	Selector string
	Reason   string
}

func (e *SelectorError) Error() string { return fmt.Sprintf("%q: %s", e.Selector, e.Reason) }

// ParseSelectors reads selectors. One text may have several, separated by commas.
func ParseSelectors(texts []string) (list []Selector, err error) {
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			key, labels, ok := strings.Cut(part, "=")
			s := Selector{Key: strings.TrimSpace(key)}
			if !ok || s.Key == "" {
				return nil, &SelectorError{part, "expected KEY=LABEL, KEY=LABEL/LABEL, or KEY=FROM:TO"}
			}
			for item := range strings.SplitSeq(labels, "/") {
				if item = strings.TrimSpace(item); item == "" || item == ":" {
					return nil, &SelectorError{part, "a label is empty, expected KEY=LABEL, KEY=LABEL/LABEL, or KEY=FROM:TO"}
				}
				s.Items = append(s.Items, item)
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// cut divides an item at the colon of a range. Both ends are labels or empty. Labels may have colons
// as well: 2020-01-02T06:00.
func cut(item string, isLabel func(string) bool) (from, to string, ok bool) {
	for i := range len(item) {
		if item[i] != ':' {
			continue
		}
		from, to = strings.TrimSpace(item[:i]), strings.TrimSpace(item[i+1:])
		if (from == "" || isLabel(from)) && (to == "" || isLabel(to)) {
			return from, to, true
		}
	}
	return "", "", false
}
