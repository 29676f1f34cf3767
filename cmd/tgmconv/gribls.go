package main

import (
	"bufio"
	"regexp"

	"github.com/spf13/cobra"
)

// gribLs are the flags of grib ls.
type gribLs struct {
	keys, also, where []string
	namespace         string
	mars              bool
	json              bool
	format            string
	width             int
	order, near       string
	index             int
}

const gribWhereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE, or has <, <=, > or >= in place of =. VALUE may list
alternatives with slashes and ranges (500/to/850/by/50); * stands for any text and ? for one character.
An integer is compared with the key's value as an integer, a decimal number with its value as a real
number, anything else with its text. Clauses are joined by commas or given by repeating --where, and all
must hold.`

func newGRIBLs() *cobra.Command {
	var f gribLs
	cmd := &cobra.Command{
		Use:   "ls [flags] FILE...",
		Short: "List the fields of GRIB files as grib_ls does",
		Long: `List the fields of GRIB files, one a line, as grib_ls of ecCodes does: the same keys, values and layout.
A key can be asked for as text, number or integer: level:s, level:d, level:i.

With --nearest the values at the four grid points around a place follow the keys, or, as LAT,LON,1, the value at the
nearest one; LAT,LON,1,MASK takes only points where the first field of the GRIB file MASK is 0.5 or more, if there are any.

` + gribWhereHelp,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib ls -p shortName,level:d,max -w typeOfLevel=isobaricInhPa,level=500/850 forecast.grib2
  tgmconv grib ls -n mars forecast.grib2
  tgmconv grib ls -B 'step:i asc, level:i desc' forecast.grib2
  tgmconv grib ls -l 50.1,8.7 -p step forecast.grib2
  tgmconv grib ls --json forecast.grib2 | jq '.messages[].shortName'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringSliceVarP(&f.also, "also", "P", nil, "keys to show before the usual ones")
	flags.StringArrayVarP(&f.where, "where", "w", nil, "show only fields that fulfil the clause KEY=VALUE or KEY!=VALUE")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "show the keys of a namespace: ls, mars, geography, time, vertical, parameter, statistics")
	flags.BoolVarP(&f.mars, "mars", "m", false, "show the keys of the namespace mars")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON")
	flags.StringVarP(&f.format, "format", "F", "%g", "C format of numbers asked for with :d")
	flags.IntVarP(&f.width, "width", "W", 10, "least width of a column")
	flags.StringVarP(&f.order, "order-by", "B", "", "order of the fields of all files: KEY[:s|:i|:d] [asc|desc], joined by commas")
	flags.StringVarP(&f.near, "nearest", "l", "", "show the values near a place: LAT,LON[,1|4[,MASK]]")
	flags.IntVarP(&f.index, "index", "i", -1, "show the value with this index, counted from 0 as they are stored")
	addForeignFlags(cmd, gribLsForeign)
	return cmd
}

// numberFormat is what --format may be: a C conversion of one floating-point number.
var numberFormat = regexp.MustCompile(`^%([-+ 0]*)([0-9]{0,3})(\.[0-9]{1,2})?([eEfFgG])$`)

// goFormat is the format of Go's package fmt that does what the C format does: six digits where
// none are asked for.
func goFormat(format string) (string, error) {
	parts := numberFormat.FindStringSubmatch(format)
	if parts == nil {
		return "", usagef("--format %q: expected one of %%e, %%f and %%g, with flags, width and precision", format)
	}
	if parts[3] == "" {
		parts[3] = ".6"
	}
	return "%" + parts[1] + parts[2] + parts[3] + parts[4], nil
}

func (f *gribLs) run(cmd *cobra.Command, names []string) error {
	l, err := f.lister(cmd)
	if err != nil {
		return err
	}
	l.begin()
	err = eachInput(cmd, names, func(name string) error { return l.file(cmd, name) })
	l.end(len(names))
	if flushErr := l.out.Flush(); flushErr != nil {
		return written(flushErr)
	}
	return err
}

// lister checks the flags.
func (f *gribLs) lister(cmd *cobra.Command) (*gribLister, error) {
	if err := rejectForeign(cmd, gribLsForeign); err != nil {
		return nil, err
	}
	where, err := parseWhere(f.where)
	if err != nil {
		return nil, err
	}
	format, err := goFormat(f.format)
	if err != nil {
		return nil, err
	}
	if f.width < 0 || f.width > 1000 {
		return nil, usagef("--width is %d, expected 0 to 1000", f.width)
	}
	if f.mars {
		f.namespace = "mars"
	}
	l := &gribLister{gribLs: f, format: format, where: where, out: bufio.NewWriter(cmd.OutOrStdout())}
	if l.orders, err = parseOrder(f.order); err != nil {
		return nil, err
	}
	switch index := cmd.Flags().Changed("index"); {
	case index && f.near != "":
		return nil, usagef("--index and --nearest are both given, expected one of them")
	case index && f.json:
		return nil, usagef("--index with --json: use tgmconv grib dump -p values --json, or --index without --json")
	case index && f.index < 0:
		return nil, usagef("--index is %d, expected 0 or more", f.index)
	}
	if f.near != "" {
		l.place, err = parsePlace(cmd, f.near)
	}
	return l, err
}
