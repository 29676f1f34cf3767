package netcdfverbs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// NewNetCDF groups the verbs that look into netCDF files.
func NewNetCDF() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "netcdf COMMAND",
		Short: "Look into netCDF files: netcdf ls, netcdf dump",
		Long:  `Look into netCDF files, classic and netCDF-4, without the netCDF library.`,
		Example: `  tgmconv netcdf ls t2m.nc
  tgmconv netcdf dump t2m.nc`,
		Args: cli.UsageArgs(cli.UnknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newNetCDFLs(), newNetCDFDump())
	return cmd
}

// eachNetCDF calls look for every netCDF file.
func eachNetCDF(cmd *cobra.Command, names []string, look func(name string, f *netcdf.File) error) error {
	formats := []importers.Format{importers.FormatNetCDF, importers.FormatZarr}
	return looking.EachInputOf(cmd, names, formats, func(name string) error {
		disk, err := cli.OpenDisk(cmd, name)
		if err != nil {
			return err
		}
		defer disk.Close()
		f, err := looking.OpenNetCDF(cmd, disk)
		if err != nil {
			return err
		}
		defer f.Close()
		err = look(cli.Shown(name), f)
		warnSkipped(cmd, name, f.Root())
		return errors.Join(err, refusedIn(f.Root()))
	})
}

// warnSkipped names the variables of a group and its groups that are not shown, and why.
func warnSkipped(cmd *cobra.Command, name string, g *netcdf.Group) {
	for _, s := range g.Skipped {
		if !errors.Is(s.Err, storage.ErrExternal) { // which is an error
			cli.Warn(cmd, fmt.Sprintf("%s: %s/%s: skipped: %s", cli.Shown(name), strings.TrimSuffix(g.Path, "/"), s.Name, fault.Detail(s.Err)))
		}
	}
	for _, sub := range g.Groups {
		warnSkipped(cmd, name, sub)
	}
}

// refusedIn is the error for a variable or a link of a group that needs another file, which is not
// read.
func refusedIn(g *netcdf.Group) error {
	for _, s := range g.Skipped {
		if errors.Is(s.Err, storage.ErrExternal) {
			return fmt.Errorf("%s/%s: %w", strings.TrimSuffix(g.Path, "/"), s.Name, s.Err)
		}
	}
	for _, v := range g.Vars {
		if errors.Is(v.Err, storage.ErrExternal) {
			return fmt.Errorf("%s: %w", v.Path, v.Err)
		}
	}
	for _, sub := range g.Groups {
		if err := refusedIn(sub); err != nil {
			return err
		}
	}
	return nil
}
