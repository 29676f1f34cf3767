package main

import (
	"slices"
	"strconv"
	"strings"
)

// A clause is one condition of --where.
type clause struct {
	key    string
	not    bool
	values []string // alternatives; the whole text is the first of them
}

// clauses all have to hold.
type clauses []clause

// splitClauses gives the clauses of the values of --where, in which they are joined by commas. A
// comma is part of a value when no clause follows it.
func splitClauses(values []string) []string {
	var all []string
	for _, value := range values {
		for i, part := range strings.Split(value, ",") {
			if i > 0 && !strings.Contains(part, "=") {
				all[len(all)-1] += "," + part
			} else {
				all = append(all, part)
			}
		}
	}
	return all
}

// parseWhere reads the values of --where.
func parseWhere(values []string) (clauses, error) {
	var all clauses
	for _, text := range splitClauses(values) {
		c, err := parseClause(text)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func parseClause(text string) (clause, error) {
	key, value, ok := strings.Cut(text, "=")
	not := false
	if rest, cut := strings.CutSuffix(key, "!"); cut {
		key, not = rest, true
	}
	key = strings.TrimSpace(key)
	if !ok || key == "" {
		return clause{}, usagef("--where %q: expected KEY=VALUE or KEY!=VALUE", text)
	}
	values := append([]string{value}, strings.Split(value, "/")...)
	return clause{key: key, not: not, values: slices.Compact(values)}, nil
}

// match reports whether all clauses hold for what has the keys of lookup.
func (cs clauses) match(lookup keyLookup) bool {
	for _, c := range cs {
		if !c.match(lookup) {
			return false
		}
	}
	return true
}

func (c clause) match(lookup keyLookup) bool {
	value, ok := lookup(c.key)
	if !ok {
		return c.not
	}
	text, err := valueText(value)
	if err != nil {
		return c.not
	}
	return slices.ContainsFunc(c.values, func(wanted string) bool { return sameValue(text, wanted) }) != c.not
}

// sameValue compares as numbers where both are numbers: 850 is 850.0.
func sameValue(text, wanted string) bool {
	if text == wanted {
		return true
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	y, err := strconv.ParseFloat(wanted, 64)
	return err == nil && x == y
}
