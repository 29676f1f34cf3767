package main

import (
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/mapping/where"
)

// A whereFlag is what --where selects.
type whereFlag struct {
	clauses where.Clauses
	asked   where.Asked
}

// parseWhere reads the values of --where.
func parseWhere(values []string) (*whereFlag, error) {
	clauses, err := where.ParseAll(values)
	if err != nil {
		return nil, usagef("--where %w", err)
	}
	return &whereFlag{clauses: clauses}, nil
}

// match reports whether all clauses hold for what l gives values of.
func (w *whereFlag) match(l where.Lookup) bool { return w.clauses.Match(l, &w.asked) }

// matchKeys is match for values as the metadata of a message have them.
func (w *whereFlag) matchKeys(value keyLookup) bool { return w.match(where.Values(value)) }

// warn names the keys that nothing had: most are misspelt.
func (w *whereFlag) warn(out io.Writer, what string) {
	for _, key := range w.asked.Unknown() {
		fmt.Fprintf(out, "tgmconv: warning: no %s has the key %q\n", what, key)
	}
}
