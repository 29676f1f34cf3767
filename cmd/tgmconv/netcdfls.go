package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/safetext"
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
	cmd := &cobra.Command{
		Use:   "ls [flags] FILE...",
		Short: "List the variables of netCDF files, one a line",
		Long: `List the variables of netCDF files, of all groups, one a line: type, dimensions with their lengths, units, and how
they are stored. The keys of --keys and --where are attributes, and name, path, group, type, dims, shape, chunks, storage,
elements, size (bytes of all elements) and stored (bytes in the file).`,
		Example: `  tgmconv netcdf ls t2m.nc
  tgmconv netcdf ls -w units=K t2m.nc
  tgmconv netcdf ls -p name,shape,standard_name t2m.nc
  tgmconv netcdf ls --json t2m.nc | jq '.[].name'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringArrayVarP(&f.where, "where", "w", nil, "show only what fulfils the clause KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON, values in their own types")
	return cmd
}

// netcdfColumns are what netcdf ls shows when no keys are asked for.
var netcdfColumns = []tableColumn{
	{title: "name", key: "path"}, {title: "type", key: "type"}, {title: "dimensions"}, {title: "units", key: "units"},
	{title: "long_name", key: "long_name"}, {title: "storage", key: "storage"}, {title: "size", right: true},
}

func (f *netcdfLs) run(cmd *cobra.Command, names []string) error {
	where, err := parseWhere(f.where)
	if err != nil {
		return err
	}
	defer where.warn(cmd.ErrOrStderr(), "variable")
	keys := splitKeys(f.keys)
	if f.json {
		list := newJSONList(cmd.OutOrStdout(), "")
		err := eachNetCDF(cmd, names, func(name string, file *netcdf.File) error {
			for _, v := range variables(file.Root()) {
				if where.matchKeys(v.value) {
					if err := list.add(v.json(name, keys)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		return list.finish(err)
	}
	first := true
	return eachNetCDF(cmd, names, func(name string, file *netcdf.File) error {
		t := newTable(netcdfColumns)
		if len(keys) > 0 {
			t = keyTable(keys)
		}
		var size uint64
		for _, v := range variables(file.Root()) {
			if where.matchKeys(v.value) {
				t.add(v.cells(keys))
				size += v.Size() // of arrays that are in a file: no overflow
			}
		}
		w, colours := coloured(cmd)
		out := bufio.NewWriter(w)
		if len(names) > 1 && !first {
			fmt.Fprintln(out)
		}
		if len(names) > 1 {
			fmt.Fprintln(out, safetext.Line(name))
		}
		first = false
		t.write(out, colours)
		if len(keys) == 0 {
			fmt.Fprintf(out, "%s, %s of values, %s\n", count(len(t.lines), "variable"), byteText(int64(size)), file.Kind)
		}
		return written(out.Flush())
	})
}

// A netcdfVar is a variable with its group.
type netcdfVar struct {
	*netcdf.Var
	group *netcdf.Group
}

// variables lists the variables of a group and of those in it.
func variables(g *netcdf.Group) (list []netcdfVar) {
	for _, v := range g.Vars {
		list = append(list, netcdfVar{v, g})
	}
	for _, c := range g.Groups {
		list = append(list, variables(c)...)
	}
	return list
}

// value is the value of a key: of those that every variable has, else of an attribute.
func (v netcdfVar) value(key string) (any, bool) {
	switch key {
	case "name":
		return v.Name, true
	case "path":
		return strings.TrimPrefix(v.Path, "/"), true
	case "group":
		return v.group.Path, true
	case "type":
		return v.Type.Describe(), true
	case "dims":
		names := make([]any, len(v.Dims))
		for i, d := range v.Dims {
			names[i] = d.Name
		}
		return names, true
	case "shape":
		return v.Shape(), true
	case "chunks":
		return v.Storage.ChunkShape, v.Storage.ChunkShape != nil
	case "storage":
		return v.storage(), true
	case "elements":
		return v.Len(), true
	case "size":
		return v.Size(), true
	case "stored":
		return v.Storage.Stored, v.Storage.Stored > 0
	}
	a := v.Attr(key)
	if a == nil || a.Err != nil {
		return nil, false
	}
	return attrValue(a.Value)
}

// attrValue is the value of an attribute: of a list of one, that one.
func attrValue(value any) (any, bool) {
	switch list := value.(type) {
	case []int64:
		return oneOrAll(list)
	case []uint64:
		return oneOrAll(list)
	case []float64:
		return oneOrAll(list)
	case []string:
		return oneOrAll(list)
	case string:
		return list, true
	}
	return nil, false
}

func oneOrAll[T any](list []T) (any, bool) {
	if len(list) == 1 {
		return list[0], true
	}
	all := make([]any, len(list))
	for i, v := range list {
		all[i] = v
	}
	return all, true
}

// storage says how the elements lie in the file: "chunked 1x181x360, shuffle, deflate 4".
func (v netcdfVar) storage() string {
	s := string(v.Storage.Layout)
	if v.Storage.ChunkShape != nil {
		s += " " + shapeText(v.Storage.ChunkShape)
	}
	for _, f := range v.Storage.Filters {
		s += ", " + f.Name
		if f.Level >= 0 {
			s += fmt.Sprintf(" %d", f.Level)
		}
	}
	return s
}

// dimensions is "time=12, latitude=181", with * for unlimited dimensions.
func (v netcdfVar) dimensions() string {
	parts := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		parts[i] = fmt.Sprintf("%s=%d", d.Name, d.Len)
		if d.Unlimited {
			parts[i] += "*"
		}
	}
	return strings.Join(parts, ", ")
}

// cells are the texts of a line.
func (v netcdfVar) cells(keys []string) (cells []string) {
	for _, key := range keys {
		cells = append(cells, cellText(v.value, key))
	}
	if len(keys) > 0 {
		return cells
	}
	for _, c := range netcdfColumns {
		switch c.title {
		case "dimensions":
			cells = append(cells, safetext.Line(v.dimensions()))
		case "size":
			cells = append(cells, byteText(int64(v.Size())))
		default:
			cell := cellText(v.value, c.key)
			if cell == "N/A" {
				cell = ""
			}
			cells = append(cells, cell)
		}
	}
	return cells
}

// json is the variable as ls --json shows it.
func (v netcdfVar) json(file string, keys []string) map[string]any {
	object := make(map[string]any)
	if len(keys) == 0 {
		object["file"] = file
		keys = []string{"name", "path", "group", "type", "dims", "shape", "chunks", "storage", "size", "units", "long_name", "standard_name"}
	}
	for _, key := range keys {
		if value, ok := v.value(key); ok {
			object[key] = value
		}
	}
	return object
}
