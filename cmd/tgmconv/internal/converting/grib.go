package converting

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
)

// gribFlags are the flags of GRIB sources.
type gribFlags struct {
	limits  cli.GRIBLimits
	opts    fromgrib.Options
	where   []string
	learned *fromgrib.Learned // of all inputs so far
}

// NewConvertGRIB is the verb for GRIB editions 1 and 2.
func NewConvertGRIB() *cobra.Command {
	var c Conversion
	var g gribFlags
	return cli.Verb{
		Use:   "convert-grib [flags] FILE... [OUT.tgm]",
		Short: "Convert GRIB files to Tensogram",
		Long: `Convert GRIB files of editions 1 and 2 to Tensogram: values, missing points, coordinates
and keys as ecCodes gives them. Inputs are files, folders (every GRIB file below them),
patterns, http(s), s3, gs and az addresses, and - for standard input. From addresses, only
fields that --where selects are fetched.

All fields go into one message, unless --split or --group-by says otherwise.`,
		Example: `  tgmconv convert-grib -o forecast.tgm forecast.grib2
  tgmconv convert-grib -o steps.tgm --group-by date,time,step forecast.grib2
  tgmconv convert-grib -o t.tgm -w shortName=t -w level=500/850 forecast.grib2
  tgmconv convert-grib --encoding simple_packing --bits 16 --compression szip -o small.tgm forecast.grib2
  cat *.grib2 | tgmconv convert-grib - > all.tgm`,
		Words: c.Batch.inputArgs,
		Options: func(s *option.Set) {
			c.declare(s)
			g.declare(s, &c, "")
			cli.DeclareWhere(s, &g.where, "only fields that match KEY=VALUE[/VALUE...], KEY!=VALUE, KEY>VALUE, … (tgmconv ls --help has all forms)")
		},
		InOrder: true,
		Run: func(cmd *cobra.Command, args []string) error {
			g.limits.Bind(cmd)
			return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, client *unpack.Client, _ *findings) (importers.Source, error) {
				opts, err := g.options(&c)
				opts.Opener = client
				return fromgrib.New(inputs, opts), err
			})
		},
	}.Command()
}

// gribFormat begins the help of flags of GRIB sources, where a verb has others.
const gribFormat = "GRIB: "

func (g *gribFlags) declare(s *option.Set, c *Conversion, prefix string) {
	g.learned = fromgrib.NewLearned()
	g.opts.Declare(s, prefix)
	c.opts.DeclareGrids(s, prefix)
	g.limits.Declare(s, prefix)
}

// options makes the options of GRIB sources of the flags.
func (g *gribFlags) options(c *Conversion) (opts fromgrib.Options, err error) {
	if err := g.limits.Check(); err != nil {
		return opts, err
	}
	opts = g.opts
	opts.Learned, opts.SkipBad, opts.Stream = g.learned, c.SkipBad, true
	opts.MaxPoints, opts.MaxArray, opts.MaxMessage = g.limits.Points, g.limits.Limits().MaxArray, int64(g.limits.Memory)
	if opts.Where, err = fromgrib.ParseWhere(g.where); err != nil {
		return opts, cli.Usagef("--where %w", err)
	}
	return opts, nil
}
