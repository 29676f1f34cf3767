package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/fields"
	"github.com/tgmconv/tgmconv/importers"
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
	cmd.AddCommand(newGRIBLs(), newGRIBGet(), newGRIBDump(), newGRIBCount(), newGRIBCopy(), newGRIBCompare())
	return cmd
}

// gribInput are the flags of the verbs of grib that say which fields are read.
type gribInput struct {
	where    []string
	start    int64
	messages bool
	keep     bool // whether files stay open until closeAll
	open     []*diskFile
}

const gribWhereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE; VALUE may list alternatives with slashes. Clauses are
joined by commas or given by repeating --where, and all must hold.`

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
	where, err := parseWhere(in.where)
	if err != nil {
		return nil, err
	}
	// As in ecCodes, nothing is read after the one field that count=N asks for.
	only := 0
	for _, c := range where {
		if c.key == "count" && !c.not && len(c.values) == 1 {
			fmt.Sscan(c.values[0], &only)
		}
	}
	return func(f fields.Field) (ok, last bool) {
		return where.match(func(key string) (any, bool) {
			text, err := f.Text(fields.ParseKey(key), "%.6g")
			return text, err == nil
		}), only > 0 && f.Count >= only
	}, nil
}

// each opens the files one after the other and calls look for each. What goes wrong with one of them
// is reported and fails the command when all were looked at.
func (in *gribInput) each(cmd *cobra.Command, names []string, look func(fields.Scanner) error) error {
	names, err := gribFiles(names)
	if err != nil {
		return err
	}
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

// closeAll closes the files that were opened.
func (in *gribInput) closeAll() {
	for _, disk := range in.open {
		disk.Close()
	}
	in.open = nil
}

// gribFiles puts the GRIB files that are in a folder, and in the folders of it, in place of the
// folder.
func gribFiles(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		before := len(files)
		err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && isGRIB(path) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no GRIB file is in this folder", name)
		}
	}
	return files, nil
}

func isGRIB(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // what is wrong with it is said when it is read
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return true
	}
	format, err := importers.DetectFormat(f, info.Size())
	return err != nil || format == importers.FormatGRIB
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
