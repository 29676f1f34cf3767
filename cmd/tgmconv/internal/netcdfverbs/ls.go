package netcdfverbs

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// netcdfLs are the flags of netcdf ls.
type netcdfLs struct {
	keys  []string
	where []string
	json  bool
}

func newNetCDFLs() *cobra.Command {
	var f netcdfLs
	return cli.Verb{
		Use:   "ls [flags] FILE...",
		Short: "List the variables of netCDF files, one per line",
		Long: `List the variables of netCDF files in all groups, one per line: type, dimensions with their lengths, units, and how
they are stored. The keys of --keys are attributes, and name, path, group, type, dims, shape, chunks, storage,
elements, size (bytes of all elements) and stored (bytes in the file). --where also takes the keys of all verbs: dtype,
global.NAME, standard_name, valid_time, file, …`,
		Example: `  tgmconv netcdf ls t2m.nc
  tgmconv netcdf ls -w units=K t2m.nc
  tgmconv netcdf ls -p name,shape,standard_name t2m.nc
  tgmconv netcdf ls --json t2m.nc | jq '.[].name'`,
		Options: func(s *option.Set) {
			s.List("keys/p", &f.keys, "keys to show, joined by commas")
			cli.DeclareWhere(s, &f.where, "show only variables that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
			s.Bool("json/j", &f.json, "write JSON, values in their own types")
		},
		Run: f.run,
	}.Command()
}

// netcdfColumns are the columns of netcdf ls by default.
var netcdfColumns = []terminal.Column{
	{Title: "name", Key: "path"}, {Title: "type", Key: "type"}, {Title: "dimensions"}, {Title: "units", Key: "units"},
	{Title: mapping.KeyLongName, Key: mapping.KeyLongName}, {Title: "storage", Key: "storage"}, {Title: "size", Right: true},
}

func (f *netcdfLs) run(cmd *cobra.Command, names []string) error {
	where, err := cli.ParseWhere(f.where)
	if err != nil {
		return err
	}
	defer where.Warn(cmd.ErrOrStderr(), "variable")
	keys := cli.SplitKeys(f.keys)
	if f.json {
		list := cli.NewJSONList(cmd.OutOrStdout(), "")
		err := eachNetCDF(cmd, names, func(name string, file *netcdf.File) error {
			known := fromnetcdf.Known(file, name)
			for _, v := range show.Variables(file.Root()) {
				if where.Match(knownOf(v, known)) {
					if err := list.Add(v.JSON(name, keys)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		return list.Finish(err)
	}
	first := true
	return eachNetCDF(cmd, names, func(name string, file *netcdf.File) error {
		known := fromnetcdf.Known(file, name)
		t := terminal.NewTable(netcdfColumns)
		if len(keys) > 0 {
			t = terminal.KeyTable(keys)
		}
		var size uint64
		for _, v := range show.Variables(file.Root()) {
			if where.Match(knownOf(v, known)) {
				t.Add(netcdfCells(v, keys))
				size += v.Size() // of arrays that are in a file: no overflow
			}
		}
		w, colours := terminal.Coloured(cmd.OutOrStdout())
		out := bufio.NewWriter(w)
		if len(names) > 1 && !first {
			fmt.Fprintln(out)
		}
		if len(names) > 1 {
			fmt.Fprintln(out, safetext.Line(name))
		}
		first = false
		t.Write(out, colours)
		if len(keys) == 0 {
			fmt.Fprintf(out, "%s, %s of values, %s\n", cli.Count(t.Len(), "variable"), show.Bytes(int64(size)), file.Kind)
		}
		return cli.Written(out.Flush())
	})
}

// knownOf are the keys of a variable, with its layout in the file.
func knownOf(v show.Variable, known func(*netcdf.Var) *mapping.Known) *mapping.Known {
	k := known(v.Var)
	k.Stored = v.Stored
	return k
}

// netcdfCells are the texts of a line.
func netcdfCells(v show.Variable, keys []string) (cells []string) {
	for _, key := range keys {
		cells = append(cells, looking.CellText(v.Value, key))
	}
	if len(keys) > 0 {
		return cells
	}
	for _, c := range netcdfColumns {
		switch c.Title {
		case "dimensions":
			cells = append(cells, safetext.Line(v.Dimensions()))
		case "size":
			cells = append(cells, show.Bytes(int64(v.Size())))
		default:
			cell := looking.CellText(v.Value, c.Key)
			if cell == "N/A" {
				cell = ""
			}
			cells = append(cells, cell)
		}
	}
	return cells
}
