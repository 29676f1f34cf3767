package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/unpack"
)

// gribFlags are the flags of GRIB sources.
type gribFlags struct {
	limits  gribLimits
	split   bool
	groupBy string
	allKeys bool
	where   []string

	noSections, keepData bool

	learned *fromgrib.Learned // of all inputs so far
}

// newConvertGRIB is the verb for GRIB editions 1 and 2.
func newConvertGRIB() *cobra.Command {
	var c conversion
	var g gribFlags
	cmd := &cobra.Command{
		Use:   "convert-grib [flags] FILE... [OUT.tgm]",
		Short: "Convert GRIB files to Tensogram",
		Long: `Convert GRIB files of editions 1 and 2 to Tensogram: values, missing points, coordinates
and keys as ecCodes gives them. Inputs are files, folders (every GRIB file below them),
patterns, http(s), s3, gs and az addresses, of which only what --where selects is fetched, and - for
standard input.

All fields go into one message, unless --split or --group-by says otherwise.`,
		Example: `  tgmconv convert-grib -o forecast.tgm forecast.grib2
  tgmconv convert-grib -o steps.tgm --group-by date,time,step forecast.grib2
  tgmconv convert-grib -o t.tgm -w shortName=t -w level=500/850 forecast.grib2
  tgmconv convert-grib --encoding simple_packing --bits 16 --compression szip -o small.tgm forecast.grib2
  cat *.grib2 | tgmconv convert-grib - > all.tgm`,
		Args: usageArgs(c.batch.inputArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, client *unpack.Client, _ *findings) (importers.Source, error) {
				return g.source(inputs, client, &c)
			})
		},
	}
	c.register(cmd)
	g.register(cmd, &c)
	cmd.Flags().Lookup("where").Usage = "only fields that fulfil the clause KEY=VALUE[/VALUE...], KEY!=VALUE, KEY>VALUE, … (tgmconv ls --help has all forms)"
	dropFormat(cmd, "GRIB")
	return cmd
}

func (g *gribFlags) register(cmd *cobra.Command, c *conversion) {
	g.learned = fromgrib.NewLearned()
	f := cmd.Flags()
	f.BoolVar(&g.split, "split", false, "GRIB: one message for each field")
	f.StringVar(&g.groupBy, "group-by", "", "GRIB: one message for each combination of these keys, such as date,time,step")
	f.StringVar(&c.coordinates, "coordinates", "axes", "GRIB: latitudes and longitudes to write: axes (a value for each row and column, of grids that have them), all (else a value for each point, once a grid) or none")
	completeWords(cmd, "coordinates", coordinates)
	f.BoolVar(&c.repeat, "repeat-metadata", false, "GRIB: write grib_repro and geometry of small fields too, which follow from their sections, for programs that look for them there")
	f.BoolVar(&g.allKeys, "all-keys", false, "GRIB: add ecCodes' namespaces ls, geography, time, vertical, parameter and statistics")
	f.BoolVar(&g.noSections, "no-sections", false, "GRIB: leave out the sections with which to-grib writes the same message again")
	f.BoolVar(&g.keepData, "keep-data", false, "GRIB: keep bitmap and data sections too, of packings that to-grib cannot code to the same bytes (complex, JPEG 2000, PNG, second order, spectral)")
	f.StringArrayVarP(&g.where, "where", "w", nil, "only fields, or netCDF variables, that fulfil the clause KEY=VALUE[/VALUE...], KEY!=VALUE, KEY>VALUE, … (tgmconv ls --help has all forms)")
	g.limits.register(cmd)
}

func (g *gribFlags) source(inputs []importers.Input, opener importers.Opener, c *conversion) (importers.Source, error) {
	opts, err := g.options(c)
	if err != nil {
		return nil, err
	}
	opts.Opener = opener
	return fromgrib.New(inputs, opts), nil
}

// options checks the flags and makes the options of GRIB sources of them.
func (g *gribFlags) options(c *conversion) (opts fromgrib.Options, err error) {
	if err := g.limits.check(); err != nil {
		return opts, err
	}
	opts = fromgrib.Options{Learned: g.learned, AllKeys: g.allKeys, SkipBad: c.skipBad, Sections: !g.noSections, KeepData: g.keepData, Stream: true,
		MaxPoints: g.limits.points, MaxArray: g.limits.limits().MaxArray, MaxMessage: int64(g.limits.memory)}
	switch {
	case g.noSections && g.keepData:
		return opts, usagef("--no-sections and --keep-data exclude each other")
	case g.split && g.groupBy != "":
		return opts, usagef("--split and --group-by exclude each other")
	case g.split:
		opts.Split = true
	case g.groupBy != "":
		for key := range strings.SplitSeq(g.groupBy, ",") {
			if key = strings.TrimSpace(key); key == "" {
				return opts, usagef("--group-by is %q, expected keys with commas between them", g.groupBy)
			}
			opts.GroupBy = append(opts.GroupBy, key)
		}
	}
	if opts.Where, err = fromgrib.ParseWhere(g.where); err != nil {
		return opts, usagef("--where %w", err)
	}
	return opts, nil
}
