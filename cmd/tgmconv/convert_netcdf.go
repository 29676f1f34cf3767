package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping/where"
)

// netcdfFlags are the flags of netCDF sources.
type netcdfFlags struct {
	splitBy   string
	cf        bool
	variables []string
	groups    []string
	where     []string
	missing   func() []float64
	maxMemory byteSize // of an array of a Zarr store
}

// splits are the values of --split-by in the order of fromnetcdf.Split.
var splits = []string{"file", "variable", "record"}

// newConvertNetCDF is the verb for netCDF classic and netCDF-4.
func newConvertNetCDF() *cobra.Command {
	return new(netcdfFlags).convertArrays(&cobra.Command{
		Use:   "convert-netcdf [flags] FILE... [OUT.tgm]",
		Short: "Convert netCDF files to Tensogram",
		Long: `Convert netCDF files, classic and netCDF-4, to Tensogram: the variables of all groups with their
attributes. Packed variables (scale_factor, add_offset) keep their integers, missing points become a
mask where values are floating point; what has no tensor form is listed in the metadata, with a warning.
Inputs are files, folders, patterns, http(s), s3, gs and az addresses, and - for standard input, also
compressed and in archives.

--variable, --group and --where choose variables; their coordinates, with bounds and grid mappings,
come with them. Of files on the network only what is chosen is fetched.`,
		Example: `  tgmconv convert-netcdf --cf -o t2m.tgm t2m.nc
  tgmconv convert-netcdf --split-by record -o steps.tgm forecast.nc
  tgmconv convert-netcdf --variable t2m,u10 --variable 'tp*' -o surface.tgm https://example.org/era5.nc
  tgmconv convert-netcdf --where standard_name=air_temperature,units=K -o t.tgm era5.nc
  tgmconv convert-netcdf --split-by record --where 'time>=2017-03-22' -o late.tgm forecast.nc
  curl -s https://example.org/t2m.nc | tgmconv convert-netcdf - > t2m.tgm`,
	}, fromnetcdf.New)
}

// newConvertZarr is the verb for Zarr stores of both formats.
func newConvertZarr() *cobra.Command {
	n := netcdfFlags{maxMemory: wholeArray}
	cmd := n.convertArrays(&cobra.Command{
		Use:   "convert-zarr [flags] STORE... [OUT.tgm]",
		Short: "Convert Zarr stores to Tensogram",
		Long: `Convert Zarr stores to Tensogram: the arrays of all groups with their attributes, as convert-netcdf does the
variables of netCDF files. A store is a folder or a .zip, here or at an http(s), s3, gs or az address; a group or
an array in it may be named as well. Chunks that are not stored have the fill value of their array. A store with an
array larger than --max-memory is split by the first dimension of the largest, as --split-by record does it.`,
		Example: `  tgmconv convert-zarr -o t2m.tgm t2m.zarr
  tgmconv convert-zarr --variable t2m -o surface.tgm https://example.org/era5.zarr
  tgmconv convert-zarr -o t.tgm forecast.zarr/surface/t`,
	}, fromzarr.New)
	cmd.Flags().Var(&n.maxMemory, maxMemoryFlag, "size of the largest array that becomes one object; a store with a larger one is split as by record: bytes, or a number with kB, MB, GB, KiB, MiB, GiB")
	return cmd
}

// wholeArray is the size of arrays of Zarr stores up to which they become one object, unless a flag says so.
const wholeArray = 1 << 30

// convertArrays completes the verb of a format with netCDF's data model.
func (n *netcdfFlags) convertArrays(cmd *cobra.Command, of func([]importers.Input, fromnetcdf.Options) *fromnetcdf.Source) *cobra.Command {
	var c conversion
	cmd.Args = usageArgs(c.batch.inputArgs)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, client *unpack.Client, _ *findings) (importers.Source, error) {
			return n.source(inputs, client, of)
		})
	}
	c.register(cmd)
	n.registerAll(cmd)
	return cmd
}

// registerAll registers the flags for a verb that has no other format.
func (n *netcdfFlags) registerAll(cmd *cobra.Command) {
	n.register(cmd)
	cmd.Flags().StringArrayVarP(&n.where, "where", "w", nil, "only variables that fulfil the clause ATTRIBUTE=VALUE[/VALUE...], ATTRIBUTE!=VALUE, DIMENSION>VALUE, … (tgmconv ls --help has all forms)")
	dropFormat(cmd, netcdfFormats)
}

// netcdfFormats are the formats that the flags of netCDF sources are for.
const netcdfFormats = "netCDF, Zarr"

func (n *netcdfFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&n.splitBy, "split-by", "file", netcdfFormats+": one message for each file, variable or record")
	f.BoolVar(&n.cf, "cf", false, netcdfFormats+": add the attributes of the CF conventions as a map of their own")
	f.StringSliceVar(&n.variables, "variable", nil, netcdfFormats+": only variables of these names or patterns (group/name, 't*'), with their coordinates")
	f.StringSliceVar(&n.groups, "group", nil, netcdfFormats+": only variables in and below the groups of these paths or patterns")
	completeWords(cmd, "split-by", splits)
	missingFlag(cmd)
	n.missing = func() []float64 { return missingOf(cmd) }
}

func (n *netcdfFlags) source(inputs []importers.Input, opener importers.Opener, of func([]importers.Input, fromnetcdf.Options) *fromnetcdf.Source) (importers.Source, error) {
	opts, err := n.options()
	if err != nil {
		return nil, err
	}
	opts.Opener = opener
	return of(inputs, opts), nil
}

// options checks the flags and makes the options of netCDF sources of them.
func (n *netcdfFlags) options() (opts fromnetcdf.Options, err error) {
	if err := oneOf("split-by", n.splitBy, splits); err != nil {
		return opts, err
	}
	opts = fromnetcdf.Options{
		Split: fromnetcdf.Split(slices.Index(splits, n.splitBy)), CF: n.cf, Variables: n.variables, Groups: n.groups, Missing: n.missing(),
		MaxMemory: int64(n.maxMemory),
	}
	for flag, patterns := range map[string][]string{"variable": n.variables, "group": n.groups} {
		for _, p := range patterns {
			if err := fromnetcdf.CheckPattern(p); err != nil {
				return opts, usagef("--%s: %w", flag, err)
			}
		}
	}
	if opts.Where, err = where.ParseAll(n.where); err != nil {
		return opts, usagef("--where %w", err)
	}
	return opts, nil
}
