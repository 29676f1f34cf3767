package netcdfverbs

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cdl"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// netcdfDump are the flags of netcdf dump.
type netcdfDump struct {
	variables   []string
	coordinates bool
	header      bool
	all         bool
	name        string
}

func newNetCDFDump() *cobra.Command {
	var f netcdfDump
	return cli.Verb{
		Use:   "dump [flags] FILE...",
		Short: "Print netCDF files as CDL, as ncdump does",
		Long: `Print netCDF files as CDL, byte for byte as ncdump of the netCDF library does: the header, as ncdump -h, and with
-v, -c or -a values after it. ncgen turns the text into a netCDF file again.`,
		Example: `  tgmconv netcdf dump t2m.nc
  tgmconv netcdf dump -c t2m.nc
  tgmconv netcdf dump -v t2m,latitude t2m.nc`,
		Options: func(s *option.Set) {
			s.List("variables/v", &f.variables, "print the values of these variables; group/name if several groups have a variable of this name")
			s.Bool("coordinates/c", &f.coordinates, "print the values of coordinate variables")
			s.Bool("all/a", &f.all, "print the values of all variables, as ncdump without flags does")
			s.Bool("header/h", &f.header, "print the header only, which is the default")
			s.Text("name/n", &f.name, "name of the data set; default: the name of the file")
			s.Bool("help", new(bool), "print this help") // -h is ncdump's
		},
		OneOf: []string{"variables", "coordinates", "all", "header"},
		Run:   f.run,
	}.Command()
}

func (f *netcdfDump) run(cmd *cobra.Command, names []string) error {
	opts := cdl.Options{Variables: f.variables}
	switch {
	case f.coordinates:
		opts.Data = cdl.CoordinateData
	case f.all:
		opts.Data = cdl.AllData
	}
	return eachNetCDF(cmd, names, func(name string, file *netcdf.File) error {
		if opts.Name = f.name; opts.Name == "" {
			opts.Name = dataSetName(name)
		}
		return cdl.Write(cmd.Context(), cli.OutputTo(cmd.OutOrStdout()), file, opts)
	})
}

// dataSetName is the name of a file without its folder and extension.
func dataSetName(name string) string {
	base := filepath.Base(name)
	switch {
	case name == storage.Stdin:
		return "stdin"
	case storage.IsRemote(name):
		base = path.Base(strings.TrimRight(storage.Display(name), "/"))
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}
