package main

import "github.com/spf13/cobra"

// newConvertGRIB is the verb for GRIB editions 1 and 2.
func newConvertGRIB() *cobra.Command {
	return &cobra.Command{
		Use:   "convert-grib [flags] FILE...",
		Short: "Convert GRIB files to Tensogram",
		Args:  usageArgs(atLeastOneInput),
	}
}
