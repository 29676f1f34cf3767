package main

import (
	"github.com/spf13/cobra"
)

var gribGetForeign = []foreignFlag{
	{"f", false, "a key that a field does not have is shown as not_found by tgmconv grib ls"},
	{"P", true, "use -p"},
	{"W", true, "columns are separated by one blank; use tgmconv grib ls for a table"},
	{"g", false, "headers of the GTS are always skipped"},
	{"G", false, "the mode of GRIBEX is not provided"},
	{"T", true, "only GRIB is read; tgmconv get reads Tensogram files"},
	{"7", false, "messages with a wrong length are skipped and reported; leave it out"},
	{"V", false, "use tgmconv --version"},
}

func newGRIBGet() *cobra.Command {
	f := gribLs{width: 1}
	return verb{
		use:   "get [flags] FILE...",
		short: "Show the values of keys of GRIB files as grib_get does",
		long: `Show the values of keys of the fields of GRIB files, a field a line, as grib_get of ecCodes does: without titles, and
with an error if a field does not have a key. A key can be asked for as text, number or integer: level:s, level:d, level:i.

` + gribWhereHelp,
		example: `  tgmconv grib get -p shortName,level,step forecast.grib2
  tgmconv grib get -m forecast.grib2
  tgmconv grib get -p step -l 50.1,8.7,1 -w shortName=2t forecast.grib2`,
		options: f.declare,
		foreign: gribGetForeign,
		run: func(cmd *cobra.Command, names []string) error {
			collectRarely(metadataGC)
			options, err := f.options(cmd)
			if err != nil {
				return err
			}
			options.Strict = true
			if len(options.Keys) == 0 && options.Namespace == "" && options.Near == nil && !options.Indexed {
				return usagef("nothing to show: expected --keys, --namespace, --mars, --nearest or --index")
			}
			return f.list(cmd, names, options)
		},
	}.command()
}
