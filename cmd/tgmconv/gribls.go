package main

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
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
	cmd := &cobra.Command{
		Use:   "ls [flags] FILE...",
		Short: "List the fields of GRIB files as grib_ls does",
		Long: `List the fields of GRIB files, one a line, as grib_ls of ecCodes does: the same keys, values and layout.
A key can be asked for as text, number or integer: level:s, level:d, level:i. Of a folder all GRIB files in it are listed.

With --nearest the values at the four grid points around a place follow the keys, or, as LAT,LON,1, the value at the
nearest one; LAT,LON,1,MASK takes only points where the first field of the GRIB file MASK is 0.5 or more, if there are any.

` + gribWhereHelp,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib ls -p shortName,level:d,max -w typeOfLevel=isobaricInhPa,level=500/850 forecast.grib2
  tgmconv grib ls -n mars forecast.grib2
  tgmconv grib ls -B 'step:i asc, level:i desc' forecast.grib2
  tgmconv grib ls -l 50.1,8.7 -p step forecast.grib2
  tgmconv grib ls -s centre=ecmf,step=24 -p centre,validityDate forecast.grib2
  tgmconv grib ls --json forecast.grib2 | jq '.messages[].shortName'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error {
			collectRarely(metadataGC)
			return f.run(cmd, args)
		},
	}
	f.addFlags(cmd)
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.also, "also", "P", nil, "keys to show before the usual ones")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON")
	flags.IntVarP(&f.width, "width", "W", 10, "least width of a column")
	addForeignFlags(cmd, gribLsForeign)
	return cmd
}

// addFlags adds the flags that grib ls and grib get have in common.
func (f *gribLs) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.gribInput.addFlags(cmd, "show")
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringSliceVarP(&f.set, "set", "s", nil, "keys to set in the selected fields before they are shown: KEY=VALUE, joined by commas; files stay as they are")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "show the keys of a namespace: "+gribNamespaces)
	flags.BoolVarP(&f.mars, "mars", "m", false, "show the keys of the namespace mars")
	flags.StringVarP(&f.format, "format", "F", "%g", "C format of real numbers")
	flags.StringVarP(&f.order, "order-by", "B", "", "order of the fields of all files: KEY[:s|:i|:d] [asc|desc], joined by commas")
	flags.StringVarP(&f.near, "nearest", "l", "", "show the values near a place: LAT,LON[,1|4[,MASK]]")
	flags.IntVarP(&f.index, "index", "i", -1, "show the value with this index, counted from 0 as they are stored")
}

func (f *gribLs) run(cmd *cobra.Command, names []string) error {
	if err := rejectForeign(cmd, gribLsForeign); err != nil {
		return err
	}
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
	l := list.New(outputWriter{cmd.OutOrStdout()}, options)
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
	if o.Set, err = parseSettings(f.set); err != nil {
		return o, err
	}
	o.Select = f.selected.selects
	if o.Format, err = list.ParseFormat(f.format); err != nil {
		return o, usagef("--format %w", err)
	}
	if f.width < 0 || f.width > 1000 {
		return o, usagef("--width is %d, expected 0 to 1000", f.width)
	}
	o.Keys, o.Also = parseGRIBKeys(f.keys), parseGRIBKeys(f.also)
	o.Namespace, o.Width, o.JSON = f.namespace, f.width, f.json
	if f.mars {
		o.Namespace = "mars"
	}
	if o.Order, err = list.ParseOrder(f.order); err != nil {
		return o, usagef("--order-by %w", err)
	}
	o.Index, o.Indexed = f.index, cmd.Flags().Changed("index")
	switch {
	case o.Indexed && f.near != "":
		return o, usagef("--index and --nearest are both given, expected one of them")
	case o.Indexed && f.json:
		return o, usagef("--index with --json: use tgmconv grib dump -p values --json, or --index without --json")
	case o.Indexed && f.index < 0:
		return o, usagef("--index is %d, expected 0 or more", f.index)
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
		return nil, usagef("--nearest %w", err)
	}
	if p.MaskName == "" {
		return p, nil
	}
	disk, err := openDisk(cmd, p.MaskName)
	if err != nil {
		return nil, inFile(p.MaskName, err)
	}
	defer disk.Close()
	if p.Mask, err = (fields.Scanner{Reader: disk, Size: disk.size}).First(cmd.Context()); err != nil {
		return nil, inFile(p.MaskName, err)
	}
	return p, nil
}
