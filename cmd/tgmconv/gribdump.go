package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// gribDump are the flags of grib dump.
type gribDump struct {
	keys, where []string
	namespace   string
	json        bool
}

func newGRIBDump() *cobra.Command {
	var f gribDump
	cmd := &cobra.Command{
		Use:   "dump [flags] FILE...",
		Short: "Show all keys of the fields of GRIB files",
		Long: `Show all keys of the fields of GRIB files, in the order of the message, as grib_dump of ecCodes does: arrays
too, of which the first hundred elements are shown.

` + gribWhereHelp,
		Example: `  tgmconv grib dump forecast.grib2
  tgmconv grib dump -w count=3 forecast.grib2
  tgmconv grib dump -p pl,Nj,values --json reduced.grib`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringArrayVarP(&f.where, "where", "w", nil, "show only fields that fulfil the clause KEY=VALUE or KEY!=VALUE")
	flags.StringVarP(&f.namespace, "namespace", "n", "", "show the keys of a namespace: ls, mars, geography, time, vertical, parameter, statistics")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON, arrays in full")
	return cmd
}

func (f *gribDump) run(cmd *cobra.Command, names []string) error {
	where, err := parseWhere(f.where)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	list := newJSONList(out, "  ")
	err = eachInput(cmd, names, func(name string) error {
		disk, err := openDisk(cmd, name)
		if err != nil {
			return err
		}
		defer disk.Close()
		if !f.json {
			fmt.Fprintf(out, "***** FILE: %s\n", name)
		}
		_, err = eachField(cmd.Context(), disk, func(field gribField) error {
			switch {
			case !where.match(field.lookup):
				return nil
			case f.json:
				return list.add(f.object(field))
			}
			return f.write(out, field)
		})
		return err
	})
	if f.json {
		if closeErr := list.close(); closeErr != nil {
			return closeErr
		}
	}
	if flushErr := out.Flush(); flushErr != nil {
		return written(flushErr)
	}
	return err
}

// shown are the keys to show of a field, with their values; a key asked for that it does not have is left out.
func (f *gribDump) shown(field gribField) []keys.Key {
	switch {
	case len(f.keys) > 0:
		var list []keys.Key
		for _, name := range splitKeys(f.keys) {
			if value, err := field.Get(name); err == nil {
				list = append(list, keys.Key{Name: name, Value: value, Missing: field.missing(name)})
			}
		}
		return list
	case f.namespace != "":
		return field.Namespace(f.namespace)
	}
	return field.All()
}

// write shows a field as grib_dump does.
func (f *gribDump) write(out io.Writer, field gribField) error {
	title := fmt.Sprintf("#==============   MESSAGE %d ( length=%d )", field.count, len(field.field.Message.Data))
	if _, err := fmt.Fprintf(out, "%-59s==============\nGRIB {\n", title); err != nil {
		return written(err)
	}
	for _, key := range f.shown(field) {
		if _, err := fmt.Fprintf(out, "  %s;\n", assignment(key)); err != nil {
			return written(err)
		}
	}
	_, err := io.WriteString(out, "}\n")
	return written(err)
}

// shownElements is how many elements of an array are shown.
const shownElements = 100

// assignment is a key with its value in the language of ecCodes' rules.
func assignment(key keys.Key) string {
	switch value := key.Value.(type) {
	case []int64:
		return arrayText(key.Name, value, func(n int64) string { return fmt.Sprint(n) })
	case []float64:
		return arrayText(key.Name, value, numberText)
	case []byte:
		return fmt.Sprintf("%s = %s", key.Name, hex.EncodeToString(value[:min(len(value), shownElements)]))
	case float64:
		if !key.Missing {
			return key.Name + " = " + numberText(value)
		}
	}
	if key.Missing {
		return key.Name + " = MISSING"
	}
	return fmt.Sprintf("%s = %v", key.Name, key.Value)
}

// numberText is a number with the six digits that ecCodes' tools show.
func numberText(v float64) string { return fmt.Sprintf("%.6g", v) }

func arrayText[T any](name string, values []T, text func(T) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s(%d) = {", name, len(values))
	const perLine = 10
	for i, v := range values[:min(len(values), shownElements)] {
		if i%perLine == 0 {
			b.WriteString("\n  ")
		}
		b.WriteString(text(v))
		if i < len(values)-1 {
			b.WriteString(", ")
		}
	}
	if rest := len(values) - shownElements; rest > 0 {
		fmt.Fprintf(&b, "\n  ... %d more values", rest)
	}
	return b.String() + "\n  }"
}

// object is a field as --json shows it: keys with values in their own types, null where they are missing. A key that
// occurs several times in a message, such as numberOfSection, has its last value.
func (f *gribDump) object(field gribField) map[string]any {
	object := make(map[string]any)
	for _, key := range f.shown(field) {
		if key.Missing {
			object[key.Name] = nil
			continue
		}
		object[key.Name] = key.Value
	}
	return object
}
