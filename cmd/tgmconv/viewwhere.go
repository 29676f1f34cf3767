package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
)

// A whereFlag is what --where selects.
type whereFlag struct {
	text    []string // as it was given
	clauses where.Clauses
	asked   where.Asked
}

// parseWhere reads the values of --where.
func parseWhere(values []string) (*whereFlag, error) {
	clauses, err := where.ParseAll(values)
	if err != nil {
		return nil, usagef("--where %w", err)
	}
	return &whereFlag{text: values, clauses: clauses}, nil
}

// match reports whether all clauses hold for what is known of something.
func (w *whereFlag) match(k *mapping.Known) bool {
	return len(w.clauses) == 0 || k.Match(w.clauses, &w.asked)
}

// warn names the keys that nothing had: most are misspelt. If all had them, it says when nothing was
// selected.
func (w *whereFlag) warn(out io.Writer, what string) {
	if !w.warnOfKeys(out, what) {
		return
	}
	if err := w.none(what); err != nil {
		fmt.Fprintf(out, "tgmconv: warning: %v\n", err)
	}
}

// warnOfKeys names the keys that nothing had. It reports whether there are none.
func (w *whereFlag) warnOfKeys(out io.Writer, what string) (ok bool) {
	unknown := w.asked.Unknown()
	for _, key := range unknown {
		hint := ""
		if dataset.IsAxis(key) {
			hint = fmt.Sprintf(": --sel %s=... takes a part of variables along their dimensions", key)
		}
		fmt.Fprintf(out, "tgmconv: warning: no %s has the key %q%s\n", what, key, hint)
	}
	return len(unknown) == 0
}

// none is an error if there was something to select from, and nothing was selected.
func (w *whereFlag) none(what string) error {
	if !w.asked.None() {
		return nil
	}
	return fmt.Errorf("no %s matches %s", what, w)
}

// nothingWritten is the error of a command that wrote nothing. Unless --where selected nothing, it is
// because the inputs hold no object of a kind.
func (w *whereFlag) nothingWritten(kind string) error {
	why := w.none("object")
	if why == nil {
		why = fmt.Errorf("the inputs hold no %s, or none that was asked for", kind)
	}
	return fmt.Errorf("nothing was written: %w", why)
}

// String returns the flag as it was given.
func (w *whereFlag) String() string { return "--where " + strings.Join(w.text, " --where ") }
