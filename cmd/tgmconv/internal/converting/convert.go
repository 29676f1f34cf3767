package converting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// ConvertVerb are the flags of convert.
type ConvertVerb struct {
	Conversion
	grib    gribFlags
	netcdf  netcdfFlags
	splitBy string // as the formats have it
	Other   otherOutput
}

// NewConvert is the verb that finds the format of its inputs by their content.
func NewConvert() *cobra.Command { return new(ConvertVerb).Verb().Command() }

// Verb is the verb that has the flags.
func (v *ConvertVerb) Verb() cli.Verb {
	return cli.Verb{
		Use:   "convert [flags] FILE... [OUT]",
		Short: "Convert files to Tensogram, or to the format of the output's name",
		Long: `Convert files to the format of the output's name: .tgm, .nc, .grib, .grib1, .grib2, .zarr, .tet, .csv or .parquet.
--to names the format if the name does not; Tensogram is the default. The last word is the output if it has the suffix
of a format and does not exist, if it ends in /, or if --force is given; -o always names the output. to-netcdf, to-grib,
to-zarr, to-tet, values and extract --all write the other formats with more flags.

The format of each input is found by its content: GRIB, netCDF, Zarr, .tet or Tensogram. Inputs are files,
folders (every file below them), patterns, http(s), s3, gs and az addresses, and - for standard
input, also compressed with gzip, zstd or bzip2, and in .zip and .tar archives (all their files, or
those named after ::); outputs are files, and objects of s3, gs and az.

--sel, --bbox, --drop and --rename choose a part of the labelled dataset, as info --dataset shows it, and rename its
variables and dimensions. In Tensogram the variables become objects with unpacked values, beside their coordinates.

By default values stay as precise and about as small as in the source: packed integers are kept, missing points become
a mask, all metadata is kept. Consecutive GRIB inputs make one message; each netCDF or .tet file makes a message.
--split, --group-by and --split-by divide messages otherwise.

` + outputHelp,
		Example: `  tgmconv convert forecast.grib2 forecast.tgm
  tgmconv convert forecast.grib2 forecast.nc
  tgmconv convert --to netcdf -o files/ archive.tgm
  tgmconv convert -o all.tgm archive/
  tgmconv convert -o converted/ --update archive/
  tgmconv convert -o 'day/[shortName]-[step].tgm' forecast.grib2
  tgmconv convert -o steps.tgm 'day.tar.gz::fields/*.grib2'
  curl -s https://example.org/t2m.nc | tgmconv convert -o t2m.tgm -
  tgmconv convert -o t2m.tgm --where shortName=2t https://example.org/forecast.grib2
  tgmconv convert -o s3://bucket/day.tgm 's3://bucket/in/*.grib2'`,
		Words: v.Batch.inputArgs, Options: v.declare, InOrder: true, Run: v.run,
	}
}

func (v *ConvertVerb) declare(s *option.Set) {
	v.splitBy = "file"
	v.Conversion.declare(s)
	v.grib.declare(s, &v.Conversion, gribFormat)
	cli.DeclareWhere(s, &v.grib.where, "only fields, or netCDF variables, that match KEY=VALUE[/VALUE...], KEY!=VALUE, KEY>VALUE, … (tgmconv ls --help has all forms)")
	s.Add(option.Option{Name: "split-by", Value: &v.splitBy, Words: []string{"file", "variable", "record"}, Help: NetCDFFormats + ": one message for each file, variable or record"}, nil)
	v.netcdf.declare(s, NetCDFFormats+": ")
	v.Other.declare(s)
}

func (v *ConvertVerb) run(cmd *cobra.Command, args []string) error {
	args, err := v.Other.Positional(cmd, args)
	if err != nil {
		return err
	}
	if done, err := v.Other.Run(cmd, args, v.Output); done || err != nil {
		return err
	}
	v.grib.limits.Bind(cmd)
	v.netcdf.where = v.grib.where
	change := v.Other.change
	return v.Conversion.run(cmd, args, func(ctx context.Context, inputs []importers.Input, client *unpack.Client, found *findings) (importers.Source, error) {
		if change.IsZero() {
			return v.sourceByContent(ctx, cmd, inputs, client, found)
		}
		return v.partSource(cmd, inputs, change, found)
	})
}

// partSource makes a source of a part of the labelled dataset of the inputs.
func (v *ConvertVerb) partSource(cmd *cobra.Command, inputs []importers.Input, change dataset.Change, found *findings) (importers.Source, error) {
	opts := partOptions{change: change, clauses: v.grib.where, tempDir: v.tempDir, bad: func(err error) error {
		if !v.SkipBad {
			return err
		}
		found.skip(err)
		return nil
	}}
	var gribErr, netcdfErr error
	opts.grib, gribErr = v.grib.options(&v.Conversion)
	opts.netcdf, netcdfErr = v.netcdfOptions(cmd)
	if err := errors.Join(gribErr, netcdfErr); err != nil {
		return nil, err
	}
	opts.change.Variables = opts.netcdf.Variables
	return newPartSource(cmd, inputs, opts)
}

// netcdfOptions are the options of the flags.
func (v *ConvertVerb) netcdfOptions(cmd *cobra.Command) (opts fromnetcdf.Options, err error) {
	split, err := fromnetcdf.ParseSplit(v.splitBy)
	if err != nil {
		return opts, cli.Usagef("--split-by %w", err)
	}
	opts, err = v.netcdf.options(cmd)
	opts.Split = split
	return opts, err
}

// sourceByContent makes a source of inputs of any format, in their order. Flags that one of them
// would not obey must not be given.
func (v *ConvertVerb) sourceByContent(ctx context.Context, cmd *cobra.Command, inputs []importers.Input, client *unpack.Client, found *findings) (importers.Source, error) {
	// What is wrong with flags of one format matters if there is an input of it.
	var gribErr, netcdfErr, tetErr error
	var opts fromany.Options
	opts.GRIB, gribErr = v.grib.options(&v.Conversion)
	opts.NetCDF, netcdfErr = v.netcdfOptions(cmd)
	opts.Tet, tetErr = tetOptions(v.splitBy, v.grib.where)
	opts.Tet.MaxArray = cli.MaxArrayOf(cmd)
	opts.NetCDF.MaxArray = opts.Tet.MaxArray
	if opts.NetCDF.MaxMemory = wholeArray; v.grib.limits.Memory > 0 {
		opts.NetCDF.MaxMemory = int64(v.grib.limits.Memory)
	}
	wrong := map[importers.Format]error{importers.FormatGRIB: gribErr, importers.FormatNetCDF: netcdfErr, importers.FormatZarr: netcdfErr, importers.FormatTet: tetErr}
	opts.Check = func(in importers.Input, format importers.Format) error {
		if err := flagsFit(cmd.Flags(), format, in.Name); err != nil {
			return err
		}
		return wrong[format]
	}
	opts.PassedOver = func(in importers.Input, why string) { found.note(in.Name, "skipped: "+why) }
	clauses, err := cli.ParseWhere(v.grib.where)
	if err != nil {
		return nil, err
	}
	opts.Tensogram.Where = clauses.Clauses
	if v.SkipBad {
		opts.Skip = found.skip
	}
	return fromany.New(ctx, inputs, client, opts)
}

// A formatFlag is flags of convert that only inputs of some formats obey.
type formatFlag struct {
	Formats []importers.Format
	Flags   []string
}

// names are the formats in words.
func (f *formatFlag) names() string {
	var names []string
	for _, format := range f.Formats {
		names = append(names, string(format))
	}
	return cli.AndList(names)
}

// FormatFlags are the flags that only inputs of some formats obey.
var FormatFlags = []formatFlag{
	{[]importers.Format{importers.FormatGRIB}, []string{"split", "group-by", "coordinates", "repeat-metadata", "all-keys", "no-sections", "keep-data", cli.MaxPointsFlag}},
	{[]importers.Format{importers.FormatGRIB, importers.FormatZarr}, []string{cli.MaxMemoryFlag}},
	{[]importers.Format{importers.FormatNetCDF, importers.FormatZarr, importers.FormatTet}, []string{"split-by"}},
	{[]importers.Format{importers.FormatNetCDF, importers.FormatZarr}, []string{"cf", "variable", "group", cli.MissingName}},
}

// flagsFit refuses flags that an input would not obey.
func flagsFit(flags *pflag.FlagSet, format importers.Format, name string) error {
	for _, f := range FormatFlags {
		if slices.Contains(f.Formats, format) {
			continue
		}
		for _, flag := range f.Flags {
			if flags.Changed(flag) {
				return cli.Usagef("--%s is for %s files, and %s is a %s file", flag, f.names(), storage.Display(name), format)
			}
		}
	}
	return nil
}

// makeSource makes the source of a conversion, and notes the inputs that it leaves out.
type makeSource func(ctx context.Context, inputs []importers.Input, client *unpack.Client, found *findings) (importers.Source, error)

// run is the common part of the converting verbs: inputs, outputs, summary.
func (c *Conversion) run(cmd *cobra.Command, args []string, source makeSource) error {
	began := time.Now()
	opts, err := c.Options(cmd)
	if err != nil {
		return err
	}
	client := cli.ClientOf(cmd)
	if c.Batch.watch != 0 {
		return c.watch(cmd, args)
	}
	if args, err = c.Batch.WithListed(cmd, args); err != nil {
		return err
	}
	target, err := c.target(cmd, client)
	if err != nil {
		return err
	}
	inputs, err := c.Inputs(c.lookingContext(cmd.Context(), cmd.Flags(), len(args)), client, args)
	if err != nil {
		return err
	}
	unlock, err := c.Batch.lock(cmd, target)
	if err != nil {
		return err
	}
	defer unlock()
	if target.report, err = openRunReport(&c.Batch); err != nil {
		return err
	}
	jobs, err := target.jobs(inputs, args)
	if err != nil {
		return errors.Join(err, target.report.close())
	}
	opts.Work = cli.WorkOf(cmd, inputs)
	var total importers.Report
	err = (&jobRunner{c, cmd, client, target, source, opts}).run(jobs, &total)
	if closeErr := target.report.close(); err == nil {
		err = closeErr
	}
	c.noteUnknownKeys()
	c.addTo(&total)
	done := c.reportOf(&total)
	done.Began = began
	if err == nil && target.folder && len(target.written) == 0 && target.upToDate == 0 {
		err = importers.ErrNoFields
	}
	if err != nil {
		done.List(cmd.ErrOrStderr())
		return c.Explain(err)
	}
	if err := c.summary(cmd, done, &total, target); err != nil {
		return err
	}
	return cli.DoneWithout(total.Skipped)
}

// lookingContext is the context for recognising a number of inputs. With --where only a little of
// each may be needed; a single input without --where will be read whole.
func (c *Conversion) lookingContext(ctx context.Context, flags *pflag.FlagSet, inputs int) context.Context {
	f := flags.Lookup("where")
	switch {
	case f != nil && f.Changed:
		return storage.Sparse(ctx)
	case inputs == 1:
		return storage.Whole(ctx)
	}
	return ctx
}

// Inputs lists the inputs that args name. With --skip-bad, inputs that cannot be opened are left
// out and reported.
func (c *Conversion) Inputs(ctx context.Context, client *unpack.Client, args []string) ([]importers.Input, error) {
	var all []importers.Input
	args, err := cli.WithCatalogues(ctx, client, args)
	if err != nil {
		return nil, err
	}
	for _, arg := range args {
		found, err := client.Find(ctx, arg)
		switch {
		case err != nil && c.SkipBad:
			c.skip(err)
		case err != nil:
			return nil, err
		}
		all = append(all, found...)
	}
	all, err = c.withoutOutput(ctx, client, all)
	if err != nil || !c.SkipBad {
		return all, err
	}
	return slices.DeleteFunc(all, func(in importers.Input) bool {
		st, err := os.Stat(in.Name)
		if err != nil || !st.Mode().IsRegular() {
			return false // not a file, or gone: the source reports it
		}
		f, err := os.Open(in.Name)
		if err != nil {
			c.skip(cli.InFile(in.Name, err))
			return true
		}
		f.Close()
		return false
	}), nil
}

// withoutOutput refuses an output that would replace one of the inputs. The output of an earlier
// conversion in the folder is not an input.
func (c *Conversion) withoutOutput(ctx context.Context, client *unpack.Client, inputs []importers.Input) ([]importers.Input, error) {
	if c.Output == "" || c.Output == storage.Stdin {
		return inputs, nil
	}
	var kept []importers.Input
	for _, in := range inputs {
		if !storage.SameFile(in.Name, c.Output) {
			kept = append(kept, in)
		} else if !in.FromFolder || !isTensogram(ctx, client, in.Name) {
			return nil, cli.Usagef("-o %s: the output would replace an input, %s", c.Output, in.Name)
		}
	}
	return kept, nil
}

// isTensogram reports whether a file begins like a message.
func isTensogram(ctx context.Context, client *unpack.Client, name string) bool {
	found, err := fromany.FormatOf(ctx, client, name)
	return err == nil && found == importers.FormatTensogram
}

// Explain puts an error of a library into the words of the command line.
func (c *Conversion) Explain(err error) error {
	var format *importers.FormatError
	var path *fs.PathError
	var output *storage.WriteError
	switch {
	case errors.Is(err, importers.ErrNoFields) && len(c.Skipped) > 0:
		return &NothingError{"every input was skipped, or holds no field that was asked for", c.Skipped}
	case errors.Is(err, importers.ErrNoFields):
		return &NothingError{"the inputs hold no field, or none that was asked for", nil}
	case errors.As(err, &format) && format.Found.IsSource():
		return fmt.Errorf("%w (tgmconv convert takes GRIB, netCDF, Zarr, .tet and Tensogram)", err)
	case errors.As(err, &output):
		return output
	case errors.As(err, &path) && path.Op == "write":
		return fmt.Errorf("temporary file %s: writing: %w (--temp-dir names another folder)", path.Path, path.Err)
	case c.opts.Encoding.Compression == "szip" && c.opts.Encoding.Encoding == importers.EncodingNone && errors.As(err, new(*tgm.CompressionError)):
		return fmt.Errorf("%w (szip goes with --encoding simple_packing or --filter shuffle)", err)
	}
	return err
}

// A NothingError says that there was nothing to convert.
type NothingError struct {
	why     string
	Skipped []*importers.BadInput // inputs that could not be read
}

func (e *NothingError) Error() string { return "nothing was converted: " + e.why }
func (e *NothingError) Unwrap() error { return importers.ErrNoFields }
