package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
)

// A WhereFlag holds the clauses of --where, and the keys that were met.
type WhereFlag struct {
	text    []string // as it was given
	Clauses mapping.Clauses
	Asked   mapping.Asked
}

// ParseWhere reads the values of --where.
func ParseWhere(values []string) (*WhereFlag, error) {
	clauses, err := mapping.ParseClauses(values)
	if err != nil {
		return nil, Usagef("--where %w", err)
	}
	return &WhereFlag{text: values, Clauses: clauses}, nil
}

// Match reports whether all clauses hold for the known keys of an object.
func (w *WhereFlag) Match(k *mapping.Known) bool {
	return len(w.Clauses) == 0 || k.Match(w.Clauses, &w.Asked)
}

// Warn names the keys that nothing had: most are misspelt. If all had them, it says when nothing was
// selected.
func (w *WhereFlag) Warn(out io.Writer, what string) {
	if !w.WarnOfKeys(out, what) {
		return
	}
	if err := w.None(what); err != nil {
		fmt.Fprintf(out, "tgmconv: warning: %v\n", err)
	}
}

// WarnOfKeys names the keys that nothing had. It reports whether there are none.
func (w *WhereFlag) WarnOfKeys(out io.Writer, what string) (ok bool) {
	unknown := w.Asked.Unknown()
	for _, key := range unknown {
		hint := ""
		if dataset.IsAxis(key) {
			hint = fmt.Sprintf(": --sel %s=... takes a part of variables along their dimensions", key)
		}
		fmt.Fprintf(out, "tgmconv: warning: no %s has the key %q%s\n", what, key, hint)
	}
	return len(unknown) == 0
}

// None is an error if there was something to select from, and nothing was selected.
func (w *WhereFlag) None(what string) error {
	if !w.Asked.None() {
		return nil
	}
	return fmt.Errorf("no %s matches %s", what, w)
}

// NothingWritten is the error of a command that wrote nothing. Unless --where selected nothing, it is
// because the inputs hold no object of a kind.
func (w *WhereFlag) NothingWritten(kind string) error {
	why := w.None("object")
	if why == nil {
		why = fmt.Errorf("the inputs hold no %s, or none that was asked for", kind)
	}
	return fmt.Errorf("nothing was written: %w", why)
}

// String returns the flag as it was given.
func (w *WhereFlag) String() string { return "--where " + strings.Join(w.text, " --where ") }
