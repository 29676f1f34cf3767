package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// newNetCDF groups the verbs that look into netCDF files.
func newNetCDF() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "netcdf COMMAND",
		Short: "Look into netCDF files: netcdf ls, netcdf dump",
		Long:  `Look into netCDF files, classic and netCDF-4, without the netCDF library.`,
		Example: `  tgmconv netcdf ls t2m.nc
  tgmconv netcdf dump t2m.nc`,
		Args: usageArgs(unknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newNetCDFLs(), newNetCDFDump())
	return cmd
}

// eachNetCDF calls look for every netCDF file.
func eachNetCDF(cmd *cobra.Command, names []string, look func(name string, f *netcdf.File) error) error {
	return eachInputOf(cmd, names, importers.FormatNetCDF, func(name string) error {
		disk, err := openDisk(cmd, name)
		if err != nil {
			return err
		}
		defer disk.Close()
		if err := importers.ExpectFormat(disk, disk.size, importers.Input{Name: name}, importers.FormatNetCDF); err != nil {
			return err
		}
		var opts []netcdf.Option
		if path := storage.LocalPath(name); path != "" && name != storage.Stdin {
			opts = append(opts, netcdf.WithOpener(filepath.Base(path), netcdf.InFolder(filepath.Dir(path))))
		}
		f, err := netcdf.NewFile(disk, disk.size, opts...)
		if err != nil {
			return err
		}
		defer f.Close()
		return look(shown(name), f)
	})
}
