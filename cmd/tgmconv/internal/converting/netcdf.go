package converting

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
)

// netcdfFlags are the flags of netCDF sources.
type netcdfFlags struct {
	opts  fromnetcdf.Options
	where []string
	// maxMemory is the size of an array of a Zarr store that becomes one object.
	maxMemory cli.ByteSize
}

// NewConvertNetCDF is the verb for netCDF classic and netCDF-4.
func NewConvertNetCDF() *cobra.Command {
	return new(netcdfFlags).convertArrays(cli.Verb{
		Use:   "convert-netcdf [flags] FILE... [OUT.tgm]",
		Short: "Convert netCDF files to Tensogram",
		Long: `Convert netCDF files, classic and netCDF-4, to Tensogram: the variables of all groups with their
attributes. Packed variables (scale_factor, add_offset) keep their integers; missing points of
floating-point variables become a mask. Variables without a tensor form are listed in the metadata, with a warning.
Inputs are files, folders, patterns, http(s), s3, gs and az addresses, and - for standard input, also
compressed and in archives.

--variable, --group and --where choose variables; their coordinates, with bounds and grid mappings,
come with them. From files on the network only chosen variables are fetched.`,
		Example: `  tgmconv convert-netcdf --cf -o t2m.tgm t2m.nc
  tgmconv convert-netcdf --split-by record -o steps.tgm forecast.nc
  tgmconv convert-netcdf --variable t2m,u10 --variable 'tp*' -o surface.tgm https://example.org/era5.nc
  tgmconv convert-netcdf --where standard_name=air_temperature,units=K -o t.tgm era5.nc
  tgmconv convert-netcdf --split-by record --where 'time>=2017-03-22' -o late.tgm forecast.nc
  curl -s https://example.org/t2m.nc | tgmconv convert-netcdf - > t2m.tgm`,
	}, fromnetcdf.New)
}

// NewConvertZarr is the verb for Zarr stores of both formats.
func NewConvertZarr() *cobra.Command {
	n := &netcdfFlags{maxMemory: wholeArray}
	return n.convertArrays(cli.Verb{
		Use:   "convert-zarr [flags] STORE... [OUT.tgm]",
		Short: "Convert Zarr stores to Tensogram",
		Long: `Convert Zarr stores to Tensogram: the arrays of all groups with their attributes, in the same way as convert-netcdf
converts variables. A store is a local folder or .zip, or lies at an http(s), s3, gs or az address; an input may also be
a group or an array in a store. Chunks that are not stored have the fill value of their array. A store with an
array larger than --max-memory is split by the first dimension of the largest array, as with --split-by record.`,
		Example: `  tgmconv convert-zarr -o t2m.tgm t2m.zarr
  tgmconv convert-zarr --variable t2m -o surface.tgm https://example.org/era5.zarr
  tgmconv convert-zarr -o t.tgm forecast.zarr/surface/t`,
		Options: func(s *option.Set) {
			s.Number(cli.MaxMemoryFlag, &n.maxMemory, "size of the largest array that becomes one object; a store with a larger array is split as by record: bytes, or a number with kB, MB, GB, KiB, MiB, GiB")
		},
	}, fromzarr.New)
}

// wholeArray is the size of arrays of Zarr stores up to which they become one object, unless a flag says so.
const wholeArray = 1 << 30

// convertArrays completes the verb of a format with netCDF's data model.
func (n *netcdfFlags) convertArrays(v cli.Verb, of func([]importers.Input, fromnetcdf.Options) *fromnetcdf.Source) *cobra.Command {
	var c Conversion
	v.Words, v.InOrder = c.Batch.inputArgs, true
	own := v.Options
	v.Options = func(s *option.Set) {
		c.declare(s)
		n.declare(s, "")
		if own != nil {
			own(s)
		}
		cli.DeclareWhere(s, &n.where, "only variables that match ATTRIBUTE=VALUE[/VALUE...], ATTRIBUTE!=VALUE, DIMENSION>VALUE, … (tgmconv ls --help has all forms)")
	}
	v.Run = func(cmd *cobra.Command, args []string) error {
		return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, client *unpack.Client, _ *findings) (importers.Source, error) {
			opts, err := n.options(cmd)
			opts.Opener = client
			return of(inputs, opts), err
		})
	}
	return v.Command()
}

// NetCDFFormats are the formats that the flags of netCDF sources are for.
const NetCDFFormats = "netCDF, Zarr"

func (n *netcdfFlags) declare(s *option.Set, prefix string) {
	n.opts.Declare(s, prefix)
	cli.DeclareMissing(s)
}

// options makes the options of netCDF sources of the flags.
func (n *netcdfFlags) options(cmd *cobra.Command) (opts fromnetcdf.Options, err error) {
	opts = n.opts
	opts.Missing, opts.MaxMemory = cli.MissingOf(cmd), int64(n.maxMemory)
	if opts.Where, err = mapping.ParseClauses(n.where); err != nil {
		return opts, cli.Usagef("--where %w", err)
	}
	return opts, nil
}
