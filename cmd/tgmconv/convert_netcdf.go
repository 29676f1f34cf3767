package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
)

// netcdfFlags are the flags of netCDF sources.
type netcdfFlags struct {
	splitBy string
	cf      bool
}

// splits are the values of --split-by in the order of fromnetcdf.Split.
var splits = []string{"file", "variable", "record"}

// newConvertNetCDF is the verb for netCDF classic and netCDF-4.
func newConvertNetCDF() *cobra.Command {
	var c conversion
	var n netcdfFlags
	cmd := &cobra.Command{
		Use:   "convert-netcdf [flags] FILE...",
		Short: "Convert netCDF files to Tensogram",
		Long: `Converts netCDF files, classic and netCDF-4, to Tensogram: the numeric variables of all groups
with their attributes. Packed variables (scale_factor, add_offset) are unpacked to float64 and fill
values become missing points; what has no tensor form, such as text, is passed over with a warning.
Inputs are files, folders, patterns, http(s), s3, gs and az addresses, and - for standard input.`,
		Example: `  tgmconv convert-netcdf --cf -o t2m.tgm t2m.nc
  tgmconv convert-netcdf --split-by record -o steps.tgm forecast.nc
  curl -s https://example.org/t2m.nc | tgmconv convert-netcdf - > t2m.tgm`,
		Args: usageArgs(c.batch.inputArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, opener importers.Opener) (importers.Source, error) {
				return n.source(inputs, opener)
			})
		},
	}
	c.register(cmd)
	n.register(cmd)
	return cmd
}

func (n *netcdfFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&n.splitBy, "split-by", "file", "netCDF: one message for each file, variable or record")
	f.BoolVar(&n.cf, "cf", false, "netCDF: add the attributes of the CF conventions as a map of their own")
	completeWords(cmd, "split-by", splits)
}

func (n *netcdfFlags) source(inputs []importers.Input, opener importers.Opener) (importers.Source, error) {
	if err := oneOf("split-by", n.splitBy, splits); err != nil {
		return nil, err
	}
	return fromnetcdf.New(inputs, fromnetcdf.Options{Split: fromnetcdf.Split(slices.Index(splits, n.splitBy)), CF: n.cf, Opener: opener}), nil
}
