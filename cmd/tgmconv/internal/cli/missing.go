package cli

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/option"
)

// MissingName is the flag of the verbs that look or convert, for files that do not mark missing points.
const MissingName = "missing"

// DeclareMissing adds the setting.
func DeclareMissing(s *option.Set) {
	s.Add(option.Option{Name: MissingName, Value: new([]float64), Help: "netCDF: these stored numbers mark missing points, in addition to the attributes, such as -999"}, nil)
}

// MissingOf is the value of --missing, nil if it was not given.
func MissingOf(cmd *cobra.Command) []float64 {
	numbers, err := cmd.Flags().GetFloat64Slice(MissingName)
	if err != nil { // a command without the flag
		return nil
	}
	return numbers
}
