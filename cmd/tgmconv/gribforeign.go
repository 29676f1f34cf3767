package main

import "github.com/spf13/cobra"

// A foreignFlag is an option of ecCodes' tools that ours do not have.
type foreignFlag struct {
	short    string
	hasValue bool
	instead  string // what to do
}

var gribLsForeign = []foreignFlag{
	{"g", false, "headers of the GTS are always skipped"},
	{"T", true, "only GRIB is read; tgmconv ls and tgmconv convert read other formats"},
	{"7", false, "messages with a wrong length are skipped and reported; leave it out"},
	{"x", false, "data are only decoded for keys that need them; leave it out"},
	{"V", false, "use tgmconv --version"},
}

// addForeignFlags adds these options, each of which is a usage error, see [rejectForeign].
func addForeignFlags(cmd *cobra.Command, list []foreignFlag) {
	flags := cmd.Flags()
	for _, f := range list {
		if f.hasValue {
			flags.StringP(f.name(), f.short, "", "")
		} else {
			flags.BoolP(f.name(), f.short, false, "")
		}
		flags.Lookup(f.name()).Hidden = true
	}
}

func (f foreignFlag) name() string { return "eccodes-" + f.short }

// rejectForeign returns a usage error that says what to use in place of an option.
func rejectForeign(cmd *cobra.Command, list []foreignFlag) error {
	for _, f := range list {
		if cmd.Flags().Changed(f.name()) {
			return usagef("-%s is an option of ecCodes' tools that is not provided: %s", f.short, f.instead)
		}
	}
	return nil
}
