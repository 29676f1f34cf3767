package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/fields"
)

// newGRIB groups the verbs that look into GRIB files.
func newGRIB() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grib COMMAND",
		Short: "Look into GRIB files: grib ls, grib get, grib dump, …",
		Long: `Look into GRIB files as grib_ls, grib_get, grib_dump and others of ecCodes do, without ecCodes: keys, values and
their texts are the same.`,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib dump -w shortName=2t forecast.grib2`,
		Args: usageArgs(unknownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGRIBLs(), newGRIBDump())
	return cmd
}

// gribInput are the flags of the verbs of grib that say which fields are read.
type gribInput struct {
	where    []string
	start    int64
	messages bool
	keep     bool // whether files stay open until closeAll
	open     []*diskFile
	selected *whereFlag // once selector was called
}

func (in *gribInput) addFlags(cmd *cobra.Command, verb string) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&in.where, "where", "w", nil, verb+" only fields that fulfil the clause KEY=VALUE or KEY!=VALUE")
	flags.BoolVarP(&in.messages, "messages", "M", false, "take only the first field of a message that has several")
	flags.Int64VarP(&in.start, "offset", "X", 0, "begin at this byte of each file")
}

// check checks the flags.
func (in *gribInput) check() error {
	if in.start < 0 {
		return usagef("--offset is %d, expected 0 or more", in.start)
	}
	return nil
}

// selector returns the function that selects fields.
func (in *gribInput) selector() (func(fields.Field) (ok, last bool), error) {
	w, err := parseWhere(in.where)
	if err != nil {
		return nil, err
	}
	in.selected = w
	// As in ecCodes, nothing is read after the one field that count=N asks for.
	only := 0
	for _, c := range w.clauses {
		if n, ok := c.Only(); ok && c.Key == "count" {
			only = int(n)
		}
	}
	return func(f fields.Field) (ok, last bool) {
		return w.match(fieldKeys{f}), only > 0 && f.Count >= only
	}, nil
}

// fieldKeys gives the keys of a field to clauses.
type fieldKeys struct{ fields.Field }

// Text implements where.Lookup.
func (f fieldKeys) Text(key string) (string, bool) {
	v, err := f.String(key)
	return v, err == nil
}

// Int implements where.Lookup.
func (f fieldKeys) Int(key string) (int64, bool) {
	n, err := f.Field.Int(key)
	return n, err == nil
}

// Real implements where.Lookup.
func (f fieldKeys) Real(key string) (float64, bool) {
	v, err := f.Float(key)
	return v, err == nil
}

// each opens the files one after the other and calls look for each. What goes wrong with one of them
// is reported and fails the command when all were looked at.
func (in *gribInput) each(cmd *cobra.Command, names []string, look func(fields.Scanner) error) error {
	defer in.warn(cmd)
	return eachInput(cmd, names, func(name string) error {
		disk, err := openDisk(cmd, name)
		if err != nil {
			return err
		}
		if in.open = append(in.open, disk); !in.keep {
			defer in.closeAll()
		}
		return look(fields.Scanner{Reader: disk, Size: disk.size, Name: name, Start: in.start, Messages: in.messages})
	})
}

// warn names the keys of --where that no field had.
func (in *gribInput) warn(cmd *cobra.Command) {
	if in.selected != nil {
		in.selected.warn(cmd.ErrOrStderr(), "field")
	}
}

// closeAll closes the files that were opened.
func (in *gribInput) closeAll() {
	for _, disk := range in.open {
		disk.Close()
	}
	in.open = nil
}

// An outputWriter marks what goes wrong with writing as an outputError.
type outputWriter struct{ cmd *cobra.Command }

// Write implements io.Writer.
func (w outputWriter) Write(p []byte) (int, error) {
	n, err := w.cmd.OutOrStdout().Write(p)
	return n, written(err)
}

// parseGRIBKeys reads the values of -p.
func parseGRIBKeys(values []string) []fields.Key { return fields.ParseKeys(splitKeys(values)) }

// gribNamespaces are the namespaces of keys, for the help.
var gribNamespaces = strings.Join([]string{"ls", "mars", "geography", "time", "vertical", "parameter", "statistics"}, ", ")
