package main

import "github.com/spf13/cobra"

// A foreignFlag is an option of ecCodes' tools that ours do not have.
type foreignFlag struct {
	short    string
	hasValue bool
	instead  string // what to do
}

var gribLsForeign = []foreignFlag{
	{"s", true, "keys cannot be changed; set them with grib_set of ecCodes first"},
	{"M", false, "messages of several fields are always listed field by field; count the messages with -p offset"},
	{"g", false, "headers of the GTS are always passed over"},
	{"T", true, "only GRIB is read; tgmconv ls and tgmconv convert read other formats"},
	{"7", false, "messages with a wrong length are passed over and reported; leave it out"},
	{"X", true, "cut the file first, for example with tail -c +N"},
	{"x", false, "data are only decoded for keys that need them; leave it out"},
	{"V", false, "use tgmconv --version"},
}

// addForeignFlags makes a usage error of each of these options, see [rejectForeign].
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

// rejectForeign says what to use instead of an option that is not there.
func rejectForeign(cmd *cobra.Command, list []foreignFlag) error {
	for _, f := range list {
		if cmd.Flags().Changed(f.name()) {
			return usagef("-%s is an option of ecCodes' tools that is not provided: %s", f.short, f.instead)
		}
	}
	return nil
}
