package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/zarr"
)

// gribLs are the flags of grib ls.
type gribLs struct {
	keys, also, where []string
	namespace         string
	mars              bool
	json              bool
	format            string
	width             int
}

const gribWhereHelp = `A clause of --where is KEY=VALUE or KEY!=VALUE; VALUE may list alternatives with slashes. Clauses are
joined by commas or given by repeating --where, and all must hold.`

func newGRIBLs() *cobra.Command {
	var f gribLs
	cmd := &cobra.Command{
		Use:   "ls [flags] FILE...",
		Short: "List the fields of GRIB files as grib_ls does",
		Long: `List the fields of GRIB files, one a line, as grib_ls of ecCodes does: the same keys, values and layout.
A key can be asked for as text, number or integer: level:s, level:d, level:i.

` + gribWhereHelp,
		Example: `  tgmconv grib ls forecast.grib2
  tgmconv grib ls -p shortName,level:d,max -w typeOfLevel=isobaricInhPa,level=500/850 forecast.grib2
  tgmconv grib ls -n mars forecast.grib2
  tgmconv grib ls --json forecast.grib2 | jq '.messages[].shortName'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringSliceVarP(&f.also, "also", "P", nil, "keys to show before the usual ones")
	flags.StringArrayVarP(&f.where, "where", "w", nil, "show only fields that fulfil the clause KEY=VALUE or KEY!=VALUE")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "show the keys of a namespace: ls, mars, geography, time, vertical, parameter, statistics")
	flags.BoolVarP(&f.mars, "mars", "m", false, "show the keys of the namespace mars")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON")
	flags.StringVarP(&f.format, "format", "F", "%g", "C format of numbers asked for with :d")
	flags.IntVarP(&f.width, "width", "W", 10, "least width of a column")
	return cmd
}

// numberFormat is what --format may be: a C conversion of one floating-point number.
var numberFormat = regexp.MustCompile(`^%([-+ 0]*)([0-9]{0,3})(\.[0-9]{1,2})?([eEfFgG])$`)

// goFormat is the format of Go's package fmt that does what the C format does: six digits where none are asked for.
func goFormat(format string) (string, error) {
	parts := numberFormat.FindStringSubmatch(format)
	if parts == nil {
		return "", usagef("--format %q: expected one of %%e, %%f and %%g, with flags, width and precision", format)
	}
	if parts[3] == "" {
		parts[3] = ".6"
	}
	return "%" + parts[1] + parts[2] + parts[3] + parts[4], nil
}

func (f *gribLs) run(cmd *cobra.Command, names []string) error {
	where, err := parseWhere(f.where)
	if err != nil {
		return err
	}
	format, err := goFormat(f.format)
	if err != nil {
		return err
	}
	if f.width < 0 || f.width > 1000 {
		return usagef("--width is %d, expected 0 to 1000", f.width)
	}
	if f.mars {
		f.namespace = "mars"
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	l := &gribLister{gribLs: f, format: format, where: where, out: out}
	if f.json {
		out.WriteString("{ \"messages\" : [ ")
	}
	err = eachInput(cmd, names, func(name string) error { return l.file(cmd, name) })
	switch {
	case f.json:
		out.WriteString("\n]}\n")
	case len(names) > 0:
		fmt.Fprintf(out, "%d of %d total messages in %d files\n", l.shown, l.seen, len(names))
	}
	if flushErr := out.Flush(); flushErr != nil {
		return written(flushErr)
	}
	return err
}

// A gribLister writes the list.
type gribLister struct {
	*gribLs
	format      string
	where       clauses
	out         *bufio.Writer
	columns     []gribKey // of the table: those of the first field
	shown, seen int       // fields, over all files
}

func (l *gribLister) file(cmd *cobra.Command, name string) error {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return err
	}
	defer disk.Close()
	if !l.json {
		fmt.Fprintln(l.out, name)
	}
	before := l.shown
	n, err := eachField(cmd.Context(), disk, l.field)
	l.seen += n
	if !l.json {
		fmt.Fprintf(l.out, "%d of %d messages in %s\n\n", l.shown-before, n, name)
	}
	return err
}

func (l *gribLister) field(f gribField) error {
	if l.columns == nil && !l.json {
		l.columns = l.keysOf(f)
		l.writeHeader()
	}
	if !l.where.match(f.lookup) {
		return nil
	}
	l.shown++
	if l.json {
		return l.writeJSON(f)
	}
	for i, key := range l.columns {
		text, err := l.text(f, key)
		if err != nil {
			return err
		}
		l.writeCell(text, i == len(l.columns)-1)
	}
	return written(l.out.WriteByte('\n'))
}

// text is the value of a key. As in grib_ls, JSON has integers that are asked for as such, not the texts of their codes.
func (l *gribLister) text(f gribField, key gribKey) (string, error) {
	if native, err := f.NativeType(key.name); l.json && !key.listed && key.typ == 0 && err == nil && native == keys.Long {
		key.typ = 'i'
	}
	text, _, err := f.text(key, l.format)
	return text, err
}

// keysOf are the keys to show of a field. Those of a namespace depend on the field.
func (l *gribLister) keysOf(f gribField) []gribKey {
	var list []gribKey
	for _, key := range splitKeys(append(l.also, l.keys...)) {
		list = append(list, parseGRIBKey(key))
	}
	if len(l.keys) > 0 && l.namespace == "" {
		return list
	}
	namespace := l.namespace
	if namespace == "" {
		namespace = "ls"
	}
	for _, name := range f.Names(namespace) {
		list = append(list, gribKey{name: name, listed: true})
	}
	return list
}

// columnWidth is the width of all columns, as in grib_ls: that of the longest title.
func (l *gribLister) columnWidth() int {
	width := l.width
	for _, key := range l.columns {
		width = max(width, len(key.name))
	}
	return width
}

func (l *gribLister) writeHeader() {
	for i, key := range l.columns {
		l.writeCell(key.name, i == len(l.columns)-1)
	}
	l.out.WriteByte('\n')
}

func (l *gribLister) writeCell(text string, last bool) {
	if last {
		l.out.WriteString(text)
		return
	}
	fmt.Fprintf(l.out, "%-*s  ", l.columnWidth(), text)
}

// writeJSON writes a field as grib_ls -j does: numbers are numbers, but for those with zeros in front.
func (l *gribLister) writeJSON(f gribField) error {
	if l.shown > 1 {
		l.out.WriteString(",")
	}
	l.out.WriteString("\n  {")
	for i, key := range l.keysOf(f) {
		text, err := l.text(f, key)
		if err != nil {
			return err
		}
		if i > 0 {
			l.out.WriteByte(',')
		}
		name, err := zarr.AppendJSON(nil, key.name)
		if err != nil {
			return err
		}
		value, err := jsonValue(text)
		if err != nil {
			return err
		}
		fmt.Fprintf(l.out, "\n    %s: %s", name, value)
	}
	_, err := io.WriteString(l.out, "\n  }")
	return written(err)
}

// jsonValue is the text itself where it is a JSON number, else a JSON string.
func jsonValue(text string) ([]byte, error) {
	if json.Valid([]byte(text)) && strings.Trim(text, "0123456789+-.eE") == "" {
		return []byte(text), nil
	}
	return zarr.AppendJSON(nil, text)
}
