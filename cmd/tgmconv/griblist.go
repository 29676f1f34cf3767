package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/zarr"
)

// A gribLister writes the list.
type gribLister struct {
	*gribLs
	format      string
	where       *whereFlag
	orders      []gribOrder
	place       *gribPlace
	out         *bufio.Writer
	columns     []gribKey // of the table: those of the first field
	rows        []gribRow // held back to be ordered
	last        *gribNear // of the last field that was shown
	shown, seen int       // fields, over all files
}

// A gribRow is a field as it is listed.
type gribRow struct {
	text []byte // nil: the clauses do not select it
	by   []orderValue
	near *gribNear
}

func (l *gribLister) file(cmd *cobra.Command, name string) error {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return err
	}
	defer disk.Close()
	plain := !l.json && l.orders == nil
	if plain {
		fmt.Fprintln(l.out, name)
	}
	if l.columns == nil {
		if err := l.lookAtFirst(cmd, disk); err != nil {
			return err
		}
	}
	before := l.shown
	n, err := eachFieldParallel(cmd.Context(), disk, l.row, l.take)
	l.seen += n
	if plain {
		fmt.Fprintf(l.out, "%d of %d messages in %s\n\n", l.shown-before, n, name)
	}
	return err
}

// lookAtFirst finds the columns of the table.
func (l *gribLister) lookAtFirst(cmd *cobra.Command, disk *diskFile) error {
	_, err := eachField(cmd.Context(), disk, func(f gribField) error {
		l.columns = l.keysOf(f)
		return errEnough
	})
	if err == nil || l.columns == nil {
		return err
	}
	if !l.json {
		l.writeHeader()
	}
	return nil
}

// row is what is shown of a field. It is called from several goroutines.
func (l *gribLister) row(f gribField) (row gribRow, err error) {
	if !l.where.match(fieldKeys{f}) {
		return row, nil
	}
	for _, o := range l.orders {
		row.by = append(row.by, o.value(f))
	}
	if l.place != nil {
		if row.near, err = l.place.near(f); err != nil {
			return row, err
		}
	}
	switch {
	case l.json && l.place != nil:
		row.text, err = l.nearObject(f, row.near)
	case l.json:
		row.text, err = l.object(f)
	default:
		row.text, err = l.line(f, row.near)
	}
	return row, err
}

// take writes a row, or keeps it for later.
func (l *gribLister) take(row gribRow) error {
	if row.text == nil {
		return nil
	}
	l.shown++
	if l.orders != nil {
		l.rows = append(l.rows, row)
		return nil
	}
	return l.write(row, l.shown == 1)
}

func (l *gribLister) write(row gribRow, first bool) error {
	if l.json && !first {
		l.out.WriteByte(',')
	}
	if row.near != nil {
		l.last = row.near
	}
	_, err := l.out.Write(row.text)
	return written(err)
}

func (l *gribLister) begin() {
	switch {
	case l.json && l.place != nil:
		l.out.WriteString("[\n")
	case l.json:
		l.out.WriteString("{ \"messages\" : [ ")
	}
}

func (l *gribLister) end(files int) {
	slices.SortStableFunc(l.rows, func(a, b gribRow) int { return compareRows(l.orders, a.by, b.by) })
	for i, row := range l.rows {
		if l.write(row, i == 0) != nil {
			return
		}
	}
	switch {
	case l.json && l.place != nil:
		l.out.WriteString("]\n")
	case l.json:
		l.out.WriteString("\n]}\n")
	case l.orders == nil && files > 0:
		fmt.Fprintf(l.out, "%d of %d total messages in %d files\n", l.shown, l.seen, files)
	}
	if !l.json && l.last != nil {
		l.place.summary(l.out, l.last)
	}
}

// line is a row of the table.
func (l *gribLister) line(f gribField, near *gribNear) ([]byte, error) {
	b := make([]byte, 0, 160)
	extra := near != nil || l.index >= 0
	for i, key := range l.columns {
		text, err := l.text(f, key)
		if err != nil {
			return nil, err
		}
		b = l.appendCell(b, text, i == len(l.columns)-1 && !extra)
	}
	switch {
	case near != nil:
		b = l.place.appendValues(b, near, l.format, l.columnWidth())
	case l.index >= 0:
		v, err := valueAt(f, l.index)
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, "%-*s ", l.columnWidth(), fmt.Sprintf(l.format, v))
	}
	return append(b, '\n'), nil
}

// text is the value of a key. As in grib_ls, JSON has integers that are asked for as such, not the
// texts of their codes.
func (l *gribLister) text(f gribField, key gribKey) (string, error) {
	if l.json && l.place == nil && !key.listed && key.typ == 0 {
		if native, err := f.NativeType(key.name); err == nil && native == keys.Long {
			key.typ = 'i'
		}
	}
	text, _, err := f.text(key, l.format)
	return text, err
}

// keysOf are the keys to show of a field. Those of a namespace depend on the field.
func (l *gribLister) keysOf(f gribField) []gribKey {
	var list []gribKey
	for _, key := range splitKeys(append(slices.Clone(l.also), l.keys...)) {
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
	var b []byte
	extra := l.place != nil || l.index >= 0
	for i, key := range l.columns {
		b = l.appendCell(b, key.name, i == len(l.columns)-1 && !extra)
	}
	switch {
	case l.place != nil:
		b = l.place.appendTitles(b)
	case l.index >= 0:
		b = fmt.Appendf(b, "        value(%d) ", l.index)
	}
	l.out.Write(append(b, '\n'))
}

func (l *gribLister) appendCell(b []byte, text string, last bool) []byte {
	b = append(b, text...)
	if last {
		return b
	}
	for n := max(2, l.columnWidth()+2-len(text)); n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

// object is a field as grib_ls -j writes it: numbers are numbers, but for those with zeros in
// front.
func (l *gribLister) object(f gribField) ([]byte, error) {
	b := []byte("\n  {")
	for i, key := range l.keysOf(f) {
		text, err := l.text(f, key)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    "...)
		if b, err = zarr.AppendJSON(b, key.name); err != nil {
			return nil, err
		}
		b = append(b, ": "...)
		if b, err = appendJSONValue(b, text); err != nil {
			return nil, err
		}
	}
	return append(b, "\n  }"...), nil
}

// appendJSONValue appends the text itself where it is a JSON number, else a JSON string.
func appendJSONValue(b []byte, text string) ([]byte, error) {
	if strings.Trim(text, "0123456789+-.eE") == "" && json.Valid([]byte(text)) {
		return append(b, text...), nil
	}
	return zarr.AppendJSON(b, text)
}
