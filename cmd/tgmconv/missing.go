package main

import "github.com/spf13/cobra"

// missingName is the flag of the verbs that look or convert, for files that do not say what is missing.
const missingName = "missing"

func missingFlag(cmd *cobra.Command) {
	cmd.Flags().Float64Slice(missingName, nil, "netCDF: these numbers, as they are stored, mean a missing point though no attribute says so, such as -999")
	cmd.Flags().Lookup(missingName).DefValue = ""
}

// missingOf is the value of --missing, nil if it was not given.
func missingOf(cmd *cobra.Command) []float64 {
	numbers, err := cmd.Flags().GetFloat64Slice(missingName)
	if err != nil { // a command without the flag
		return nil
	}
	return numbers
}
