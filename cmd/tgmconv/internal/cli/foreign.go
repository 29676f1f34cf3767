package cli

import "github.com/spf13/cobra"

// A ForeignFlag is an option of ecCodes' tools that ours do not have.
type ForeignFlag struct {
	Short    string
	HasValue bool
	Instead  string // what to do
}

// GRIBLsForeign are flags of grib_ls.
var GRIBLsForeign = []ForeignFlag{
	{"g", false, "headers of the GTS are always skipped"},
	{"T", true, "only GRIB is read; tgmconv ls and tgmconv convert read other formats"},
	{"7", false, "messages with a wrong length are skipped and reported; leave it out"},
	{"x", false, "data are only decoded for keys that need them; leave it out"},
	{"V", false, "use tgmconv --version"},
}

// addForeignFlags adds these options, each of which is a usage error, see [rejectForeign].
func addForeignFlags(cmd *cobra.Command, list []ForeignFlag) {
	flags := cmd.Flags()
	for _, f := range list {
		if f.HasValue {
			flags.StringP(f.name(), f.Short, "", "")
		} else {
			flags.BoolP(f.name(), f.Short, false, "")
		}
		flags.Lookup(f.name()).Hidden = true
	}
}

func (f ForeignFlag) name() string { return "eccodes-" + f.Short }

// rejectForeign returns a usage error that names the replacement of an option.
func rejectForeign(cmd *cobra.Command, list []ForeignFlag) error {
	for _, f := range list {
		if cmd.Flags().Changed(f.name()) {
			return Usagef("-%s is an option of ecCodes' tools that is not provided: %s", f.Short, f.Instead)
		}
	}
	return nil
}
