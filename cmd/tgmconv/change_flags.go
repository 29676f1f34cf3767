package main

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/option"
)

// changeFlags say which part of a labelled dataset is shown, and under which names.
type changeFlags struct {
	dataset.Change
	set *option.Set // of a command that checks them itself
}

// register adds the flags, without --variable where a command has one of its own.
func (f *changeFlags) register(cmd *cobra.Command) {
	f.set = new(option.Set)
	f.Declare(f.set)
	addOptions(cmd, f.set)
}

// changeFlagNames are the names of what Declare adds.
func changeFlagNames() []string { return []string{"sel", "bbox", "variable", "drop", "rename"} }

// change is what the flags ask for.
func (f *changeFlags) change() (dataset.Change, error) {
	if f.set != nil {
		if err := f.set.Validate(); err != nil {
			return dataset.Change{}, misused(err)
		}
	}
	return f.Change, nil
}
