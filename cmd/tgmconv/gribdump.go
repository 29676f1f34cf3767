package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// gribDump are the flags of grib dump.
type gribDump struct {
	keys, where  []string
	namespace    string
	octets, json bool
	full, all    bool
}

var gribDumpForeign = []foreignFlag{
	{"D", false, "use --all to see every key that is not hidden"},
	{"t", false, "types of keys are not shown"},
	{"H", false, "use xxd or od on the file; tgmconv grib ls -p offset says where messages begin"},
	{"a", false, "aliases are not shown; -n shows the keys of a namespace under their names there"},
	{"s", true, "keys cannot be changed; set them with grib_set of ecCodes first"},
	{"M", false, "messages of several fields are always shown field by field"},
	{"T", true, "only GRIB is read; tgmconv dump shows Tensogram files"},
	{"7", false, "messages with a wrong length are passed over and reported; leave it out"},
	{"X", true, "use -w count=N, or cut the file first, for example with tail -c +N"},
	{"x", false, "use -p to choose keys; data are decoded only for keys that need them"},
	{"V", false, "use tgmconv --version"},
}

func newGRIBDump() *cobra.Command {
	var f gribDump
	cmd := &cobra.Command{
		Use:   "dump [flags] FILE...",
		Short: "Show the keys of the fields of GRIB files as grib_dump does",
		Long: `Show the keys of the fields of GRIB files, as grib_dump of ecCodes does: the keys that describe a message, in its
order, with the meaning of codes; with --octets the octets of every section. Of arrays the first hundred elements are
shown unless --data is given.

` + gribWhereHelp,
		Example: `  tgmconv grib dump forecast.grib2
  tgmconv grib dump -O -w count=3 forecast.grib2
  tgmconv grib dump --all forecast.grib2
  tgmconv grib dump -p pl,Nj,values --json reduced.grib`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.octets, "octets", "O", false, "show the octets of each section as the WMO manual does")
	flags.BoolVarP(&f.full, "data", "d", false, "show all elements of arrays")
	flags.BoolVar(&f.all, "all", false, "show every key that is not hidden")
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringArrayVarP(&f.where, "where", "w", nil, "show only fields that fulfil the clause KEY=VALUE or KEY!=VALUE")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "show the keys of a namespace: ls, mars, geography, time, vertical, parameter, statistics")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON")
	addForeignFlags(cmd, gribDumpForeign)
	return cmd
}

func (f *gribDump) check(cmd *cobra.Command) error {
	if err := rejectForeign(cmd, gribDumpForeign); err != nil {
		return err
	}
	chosen := 0
	for _, is := range []bool{f.octets, f.all, len(f.keys) > 0, f.namespace != ""} {
		if is {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return usagef("--octets, --all, --keys and --namespace choose what to show, expected one of them")
	case f.octets && f.json:
		return usagef("--octets is for people and --json for machines, expected one of them")
	}
	return nil
}

func (f *gribDump) run(cmd *cobra.Command, names []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	where, err := parseWhere(f.where)
	if err != nil {
		return err
	}
	d := &gribDumper{gribDump: f, out: bufio.NewWriter(cmd.OutOrStdout())}
	if f.json {
		d.out.WriteString(`{ "messages" : [`)
	}
	err = eachInput(cmd, names, func(name string) error {
		disk, err := openDisk(cmd, name)
		if err != nil {
			return err
		}
		defer disk.Close()
		if !f.json {
			d.out.WriteString("***** FILE: " + name + "\n")
		}
		_, err = eachField(cmd.Context(), disk, func(field gribField) error {
			if !where.match(fieldKeys{field}) {
				return nil
			}
			return d.field(field)
		})
		return err
	})
	if f.json {
		d.out.WriteString("\n]}\n")
	}
	if flushErr := d.out.Flush(); flushErr != nil {
		return written(flushErr)
	}
	return err
}

// entries are the keys to show of a field; one asked for that it does not have is left out.
func (f *gribDump) entries(field gribField) []keys.Entry {
	all := field.Entries()
	var list []keys.Entry
	switch {
	case len(f.keys) > 0:
		for _, name := range splitKeys(f.keys) {
			if e, ok := field.Entry(name); ok {
				list = append(list, e)
			}
		}
	case f.namespace != "":
		for _, name := range field.Names(f.namespace) {
			if e, ok := field.Entry(name); ok {
				list = append(list, e)
			}
		}
	default:
		for _, e := range all {
			bits := strings.HasSuffix(e.Class, "bitmap") && e.Type == keys.Bytes
			if e.Type != keys.Section && (e.Dump && !bits || f.all && !e.Hidden) {
				list = append(list, e)
			}
		}
	}
	return list
}
