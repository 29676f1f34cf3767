package main

import "github.com/spf13/cobra"

// newConvert is the verb that finds the format of its inputs by their content.
func newConvert() *cobra.Command {
	return &cobra.Command{
		Use:   "convert [flags] FILE...",
		Short: "Convert GRIB or netCDF files, whichever they are, to Tensogram",
		Args:  usageArgs(atLeastOneInput),
	}
}
