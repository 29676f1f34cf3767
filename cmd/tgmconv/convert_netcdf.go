package main

import "github.com/spf13/cobra"

// newConvertNetCDF is the verb for netCDF classic and netCDF-4.
func newConvertNetCDF() *cobra.Command {
	return &cobra.Command{
		Use:   "convert-netcdf [flags] FILE...",
		Short: "Convert netCDF files to Tensogram",
		Args:  usageArgs(atLeastOneInput),
	}
}
