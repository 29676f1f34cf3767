package gribverbs

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/dump"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/internal/option"
)

// gribDump are the flags of grib dump.
type gribDump struct {
	gribInput
	keys         []string
	namespace    string
	octets, json bool
	full, all    bool
}

var gribDumpForeign = []cli.ForeignFlag{
	{Short: "D", HasValue: false, Instead: "use --all to see every key that is not hidden"},
	{Short: "t", HasValue: false, Instead: "types of keys are not shown"},
	{Short: "H", HasValue: false, Instead: "use xxd or od on the file; tgmconv grib ls -p offset says where messages begin"},
	{Short: "a", HasValue: false, Instead: "aliases are not shown; -n shows the keys of a namespace under their names there"},
	{Short: "s", HasValue: true, Instead: "keys cannot be changed; set them with grib_set of ecCodes first"},
	{Short: "T", HasValue: true, Instead: "only GRIB is read; tgmconv dump shows Tensogram files"},
	{Short: "7", HasValue: false, Instead: "messages with a wrong length are skipped and reported; leave it out"},
	{Short: "x", HasValue: false, Instead: "use -p to choose keys; data are decoded only for keys that need them"},
	{Short: "V", HasValue: false, Instead: "use tgmconv --version"},
}

func newGRIBDump() *cobra.Command {
	var f gribDump
	return cli.Verb{
		Use:   "dump [flags] FILE...",
		Short: "Show the keys of the fields of GRIB files as grib_dump does",
		Long: `Show the keys of the fields of GRIB files, as grib_dump of ecCodes does: the keys that describe a message, in their
order in it, with the meaning of codes. --octets shows the octets of every section. Arrays are cut to their first
hundred elements unless --data is given.

` + gribWhereHelp,
		Example: `  tgmconv grib dump forecast.grib2
  tgmconv grib dump -O -w count=3 forecast.grib2
  tgmconv grib dump --all forecast.grib2
  tgmconv grib dump -p pl,Nj,values --json reduced.grib`,
		Options: func(s *option.Set) {
			f.gribInput.declare(s, "show")
			s.Bool("octets/O", &f.octets, "show the octets of each section as the WMO manual does")
			s.Bool("data/d", &f.full, "show all elements of arrays")
			s.Bool("all", &f.all, "show every key that is not hidden")
			s.List("keys/p", &f.keys, "keys to show, joined by commas")
			s.Text("namespace/n", &f.namespace, "show the keys of a namespace: "+gribNamespaces)
			cli.DeclareJSON(s, &f.json)
		},
		Foreign: gribDumpForeign,
		Run: func(cmd *cobra.Command, args []string) error {
			cli.CollectRarely(cli.MetadataGC)
			return f.run(cmd, args)
		},
	}.Command()
}

func (f *gribDump) check(cmd *cobra.Command) error {
	chosen := 0
	for _, is := range []bool{f.octets, f.all, len(f.keys) > 0, f.namespace != ""} {
		if is {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return cli.Usagef("--octets, --all, --keys and --namespace choose what to show, expected one of them")
	case f.octets && f.json:
		return cli.Usagef("--octets is for people and --json for machines, expected one of them")
	}
	return f.gribInput.check()
}

func (f *gribDump) run(cmd *cobra.Command, names []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	selected, err := f.selector()
	if err != nil {
		return err
	}
	defer selected.warn(cmd)
	d := dump.New(cli.OutputTo(cmd.OutOrStdout()), dump.Options{
		Keys: cli.SplitKeys(f.keys), Namespace: f.namespace, All: f.all, Octets: f.octets, Full: f.full, JSON: f.json})
	err = f.each(cmd, names, func(s fields.Scanner) error {
		d.File(s.Name)
		_, err := s.Each(cmd.Context(), func(field fields.Field) error {
			ok, last := selected.selects(field)
			if ok {
				if err := d.Field(field); err != nil {
					return err
				}
			}
			if last {
				return fields.ErrStop
			}
			return nil
		})
		return err
	})
	if err != nil && f.json && d.Empty() {
		return err
	}
	if endErr := d.End(); endErr != nil {
		return endErr
	}
	return err
}
