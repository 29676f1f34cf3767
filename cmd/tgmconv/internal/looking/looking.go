package looking

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/look"
)

// checkFields is CheckWork for the variables of files that are looked at. Other fields are read part
// by part, or bounded one by one.
func checkFields(cmd *cobra.Command, c *chosenFields) error {
	bytes := 0.0
	for _, f := range c.fields {
		if f.OfVariable() {
			bytes += nd.Estimate(f.Shape, f.DType.Size())
		}
	}
	return cli.CheckWork(cmd, c.Archive, bytes)
}

// checkGrids is CheckWork for the coordinates of fields.
func checkGrids(cmd *cobra.Command, c *chosenFields) error {
	return cli.CheckWork(cmd, c.Archive, look.GridWork(c.fields))
}

// CheckObjects is CheckWork for the objects of a Tensogram file. Objects that cannot be read are met again
// by who reads it.
func CheckObjects(cmd *cobra.Command, name string, v *ViewFile) error {
	bytes := 0.0
	for m, err := range v.File.Messages() {
		if err != nil {
			break
		}
		for o, err := range m.Objects() {
			if err != nil {
				break
			}
			bytes += nd.Estimate(o.Descriptor().Shape, o.Descriptor().DType.Size())
		}
	}
	return cli.CheckWorkOf(cmd, name, cli.PackedSize([]catalog.FileState{{Name: name, Size: v.Disk.Size}}), bytes)
}
