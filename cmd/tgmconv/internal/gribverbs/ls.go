package gribverbs

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/option"
)

// gribLs are the flags of grib ls and grib get.
type gribLs struct {
	gribInput
	keys, also  []string
	set         []string
	namespace   string
	mars        bool
	json        bool
	format      string
	width       int
	order, near string
	index       int
	selected    *fieldSelector
}

func newGRIBLs() *cobra.Command {
	var f gribLs
	return cli.Verb{
		Use:   "ls [flags] FILE...",
		Short: "List the fields of GRIB files as grib_ls does",
		Long: `List the fields of GRIB files, one per line, as grib_ls of ecCodes does: the same keys, values and layout.
A key can be shown as text, number or integer: level:s, level:d, level:i. In a folder all GRIB files are listed.

With --nearest LAT,LON the values at the four grid points around a place follow the keys. LAT,LON,1 shows only the value
at the nearest point; LAT,LON,1,MASK takes only points where the first field of the GRIB file MASK is 0.5 or more, if
there are any.

` + gribWhereHelp,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib ls -p shortName,level:d,max -w typeOfLevel=isobaricInhPa,level=500/850 forecast.grib2
  tgmconv grib ls -n mars forecast.grib2
  tgmconv grib ls -B 'step:i asc, level:i desc' forecast.grib2
  tgmconv grib ls -l 50.1,8.7 -p step forecast.grib2
  tgmconv grib ls -s centre=ecmf,step=24 -p centre,validityDate forecast.grib2
  tgmconv grib ls --json forecast.grib2 | jq '.messages[].shortName'`,
		Options: func(s *option.Set) {
			f.declare(s)
			s.List("also/P", &f.also, "keys to show before the usual ones")
			cli.DeclareJSON(s, &f.json)
			f.width = 10
			s.Int("width/W", &f.width, 0, 1000, "minimum width of a column")
		},
		Foreign: cli.GRIBLsForeign,
		Run: func(cmd *cobra.Command, args []string) error {
			cli.CollectRarely(cli.MetadataGC)
			return f.run(cmd, args)
		},
	}.Command()
}

// declare adds the settings that grib ls and grib get have in common.
func (f *gribLs) declare(s *option.Set) {
	f.gribInput.declare(s, "show")
	f.format, f.index = "%g", -1
	s.List("keys/p", &f.keys, "keys to show, joined by commas")
	s.List("set/s", &f.set, "keys to set in the selected fields before they are shown: KEY=VALUE, joined by commas; files stay as they are")
	s.Text("namespace/n", &f.namespace, "show the keys of a namespace: "+gribNamespaces)
	s.Bool("mars/m", &f.mars, "show the keys of the namespace mars")
	s.Text("format/F", &f.format, "C format of real numbers")
	s.Text("order-by/B", &f.order, "order of the fields of all files: KEY[:s|:i|:d] [asc|desc], joined by commas")
	s.Text("nearest/l", &f.near, "show the values near a place: LAT,LON[,1|4[,MASK]]")
	s.Number("index/i", &f.index, "show the value with this index, counted from 0 in stored order")
}

func (f *gribLs) run(cmd *cobra.Command, names []string) error {
	options, err := f.options(cmd)
	if err != nil {
		return err
	}
	options.Table = true
	if options.Namespace == "" && len(options.Keys) == 0 {
		options.Namespace = "ls"
	}
	return f.list(cmd, names, options)
}

func (f *gribLs) list(cmd *cobra.Command, names []string, options list.Options) error {
	f.keep, f.heads = len(options.Order) > 0, f.headsSuffice(&options)
	defer f.closeAll()
	defer f.selected.warn(cmd)
	l := list.New(cli.OutputTo(cmd.OutOrStdout()), options)
	err := f.each(cmd, names, func(s fields.Scanner) error { return l.File(cmd.Context(), s) })
	if err != nil && f.json && l.Empty() {
		return err
	}
	if endErr := l.End(cmd.Context()); endErr != nil {
		return endErr
	}
	return err
}

// options checks the flags.
func (f *gribLs) options(cmd *cobra.Command) (o list.Options, err error) {
	if err := f.check(); err != nil {
		return o, err
	}
	if f.selected, err = f.selector(); err != nil {
		return o, err
	}
	if o.Set, err = keys.ParseSettings(f.set); err != nil {
		return o, cli.Usagef("--set is %w", err)
	}
	o.Select = f.selected.selects
	if o.Format, err = list.ParseFormat(f.format); err != nil {
		return o, cli.Usagef("--format %w", err)
	}
	o.Keys, o.Also = parseGRIBKeys(f.keys), parseGRIBKeys(f.also)
	o.Namespace, o.Width, o.JSON = f.namespace, f.width, f.json
	if f.mars {
		o.Namespace = "mars"
	}
	if o.Order, err = list.ParseOrder(f.order); err != nil {
		return o, cli.Usagef("--order-by %w", err)
	}
	o.Index, o.Indexed = f.index, cmd.Flags().Changed("index")
	switch {
	case o.Indexed && f.near != "":
		return o, cli.Usagef("--index and --nearest are both given, expected one of them")
	case o.Indexed && f.json:
		return o, cli.Usagef("--index with --json: use tgmconv grib dump -p values --json, or --index without --json")
	case o.Indexed && f.index < 0:
		return o, cli.Usagef("--index is %d, expected 0 or more", f.index)
	}
	if f.near != "" {
		o.Near, err = parsePlace(cmd, f.near)
	}
	return o, err
}

// parsePlace reads the value of --nearest and the first field of the mask.
func parsePlace(cmd *cobra.Command, text string) (*list.Place, error) {
	p, err := list.ParsePlace(text)
	if err != nil {
		return nil, cli.Usagef("--nearest %w", err)
	}
	if p.MaskName == "" {
		return p, nil
	}
	disk, err := cli.OpenDisk(cmd, p.MaskName)
	if err != nil {
		return nil, cli.InFile(p.MaskName, err)
	}
	defer disk.Close()
	if p.Mask, err = (fields.Scanner{Reader: disk, Size: disk.Size}).First(cmd.Context()); err != nil {
		return nil, cli.InFile(p.MaskName, err)
	}
	return p, nil
}
