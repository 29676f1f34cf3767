package storage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Outputs are the outputs of one command, each begun when it is first needed. They appear together,
// when Commit is called.
type Outputs struct {
	Create func(name string) (Writer, error) // begins an output
	Max    int                               // outputs that may be open at one time; 0 means MaxOutputs
	open   map[string]Writer
}

// MaxOutputs is the default of [Outputs.Max].
const MaxOutputs = 500

// A TooManyOutputsError says that more outputs are needed than may be open at the same time.
type TooManyOutputsError struct{ Max int }

func (e *TooManyOutputsError) Error() string {
	return fmt.Sprintf("more than %d outputs at one time", e.Max)
}

// Get returns the output of a name.
func (o *Outputs) Get(name string) (Writer, error) {
	if out, ok := o.open[name]; ok {
		return out, nil
	}
	if limit := cmp.Or(o.Max, MaxOutputs); len(o.open) >= limit {
		return nil, &TooManyOutputsError{limit}
	}
	out, err := o.Create(name)
	if err != nil {
		return nil, err
	}
	if o.open == nil {
		o.open = map[string]Writer{}
	}
	o.open[name] = out
	return out, nil
}

// Commit makes all outputs appear, in the order of their names, which it returns. If one of them
// fails, it returns the names of the outputs that have appeared.
func (o *Outputs) Commit() (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(o.open)) {
		if err := o.open[name].Commit(); err != nil {
			return names, err
		}
		delete(o.open, name)
		names = append(names, name)
	}
	return names, nil
}

// Abort removes the outputs that have not appeared.
func (o *Outputs) Abort() {
	for _, out := range o.open {
		out.Abort()
	}
	clear(o.open)
}
