package gribverbs

import (
	"github.com/spf13/cobra"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
)

var gribGetForeign = []cli.ForeignFlag{
	{Short: "f", HasValue: false, Instead: "a key that a field does not have is shown as not_found by tgmconv grib ls"},
	{Short: "P", HasValue: true, Instead: "use -p"},
	{Short: "W", HasValue: true, Instead: "columns are separated by one blank; use tgmconv grib ls for a table"},
	{Short: "g", HasValue: false, Instead: "headers of the GTS are always skipped"},
	{Short: "G", HasValue: false, Instead: "the mode of GRIBEX is not provided"},
	{Short: "T", HasValue: true, Instead: "only GRIB is read; tgmconv get reads Tensogram files"},
	{Short: "7", HasValue: false, Instead: "messages with a wrong length are skipped and reported; leave it out"},
	{Short: "V", HasValue: false, Instead: "use tgmconv --version"},
}

func newGRIBGet() *cobra.Command {
	f := gribLs{width: 1}
	return cli.Verb{
		Use:   "get [flags] FILE...",
		Short: "Show the values of keys of GRIB files as grib_get does",
		Long: `Show the values of keys of the fields of GRIB files, one field per line, as grib_get of ecCodes does: without titles, and
with an error if a field lacks a key. A key can be shown as text, number or integer: level:s, level:d, level:i.

` + gribWhereHelp,
		Example: `  tgmconv grib get -p shortName,level,step forecast.grib2
  tgmconv grib get -m forecast.grib2
  tgmconv grib get -p step -l 50.1,8.7,1 -w shortName=2t forecast.grib2`,
		Options: f.declare,
		Foreign: gribGetForeign,
		Run: func(cmd *cobra.Command, names []string) error {
			cli.CollectRarely(cli.MetadataGC)
			options, err := f.options(cmd)
			if err != nil {
				return err
			}
			options.Strict = true
			if len(options.Keys) == 0 && options.Namespace == "" && options.Near == nil && !options.Indexed {
				return cli.Usagef("nothing to show: expected --keys, --namespace, --mars, --nearest or --index")
			}
			return f.list(cmd, names, options)
		},
	}.Command()
}
