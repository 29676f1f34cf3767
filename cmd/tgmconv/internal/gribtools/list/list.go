// Package list lists the fields of GRIB files as grib_ls and grib_get of ecCodes do: the same keys,
// the same texts and the same layout, as a table or as JSON.
//
//	l := list.New(os.Stdout, list.Options{Table: true})
//	err := l.File(ctx, fields.Scanner{Reader: f, Size: size, Name: name})
//	…
//	err = l.End(ctx)
package list

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// Options select the output of a Lister. The zero value lists no keys, one line a field.
type Options struct {
	// Keys are shown of each field. Without keys the keys of Namespace are shown.
	Keys []fields.Key
	// Also are additional keys, shown before all others.
	Also []fields.Key
	// Namespace is ls, mars, geography, time, vertical, parameter, statistics or empty.
	Namespace string
	// Table adds the text that grib_ls writes around the lines: the names of the files, the titles of the
	// columns and the number of fields. Columns are aligned.
	Table bool
	// JSON writes JSON in place of lines.
	JSON bool
	// Format is the format of reals, of package fmt; "%.6g" if empty.
	Format string
	// Width is the minimum width of a column of a table.
	Width int
	// Strict makes it an error if a field does not have a key.
	Strict bool
	// Order sorts the fields of all files.
	Order []Order
	// Near adds the values near a place.
	Near *Place
	// Index adds the value with this index, if Indexed is set.
	Index   int
	Indexed bool
	// Select reports whether a field is to be listed, and whether it is the last one to look at. It
	// is called from several goroutines. All fields are listed if it is nil.
	Select func(fields.Field) (ok, last bool)
	// Set are keys that are set in a selected field before it is listed, as grib_set sets them.
	// Near and Index show the values of the field as it was read.
	Set []keys.Setting
	// Listed, if it is not nil, is called for each field that is listed, from several goroutines.
	// The function that it returns is called in the order of the list.
	Listed func(fields.Field) (func() error, error)
}

// A Lister writes a list. It may not be used by several goroutines at once.
type Lister struct {
	Options
	out         *bufio.Writer
	columns     []fields.Key // of the table: the first field's
	width       int
	sorted      *sorter // with Order
	last        *near   // of the last field that was listed
	shown, seen int     // fields, over all files
	files       int
	ended       bool // by Select
}

// A row is a field as it is listed.
type row struct {
	text []byte // nil: the field is not selected
	near *near
	last bool
	then func() error // of Listed
}

// New returns a Lister that writes to w.
func New(w io.Writer, o Options) *Lister {
	if o.Format == "" {
		o.Format = "%.6g"
	}
	l := &Lister{Options: o, out: bufio.NewWriter(w)}
	if len(o.Order) > 0 {
		l.sorted = new(sorter)
	}
	switch {
	case o.JSON && o.Near != nil:
		l.out.WriteString("[\n")
	case o.JSON:
		l.out.WriteString("{ \"messages\" : [ \n")
	}
	return l
}

// Empty reports whether no field was found to list so far: then nothing was written as JSON.
func (l *Lister) Empty() bool { return l.shown == 0 && (l.sorted == nil || len(l.sorted.fields) == 0) }

// File lists the fields of a file. Fields listed before an error stay listed. With Order nothing is
// listed before End, and the file must stay open until then.
func (l *Lister) File(ctx context.Context, s fields.Scanner) error {
	if l.sorted != nil {
		return l.sorted.file(ctx, s, l.Order)
	}
	plain := l.Table && !l.JSON
	l.files++
	if plain {
		fmt.Fprintln(l.out, s.Name)
	}
	before, n := l.shown, 0
	var err error
	if !l.ended {
		s.Before = l.seen
		n, err = l.list(ctx, s)
	}
	l.seen += n
	if plain {
		fmt.Fprintf(l.out, "%d of %d messages in %s\n\n", l.shown-before, n, s.Name)
	}
	if l.JSON && l.Empty() {
		return err
	}
	return cmp.Or(l.out.Flush(), err)
}

func (l *Lister) list(ctx context.Context, s fields.Scanner) (int, error) {
	if l.columns == nil {
		if err := l.lookAtFirst(ctx, s); err != nil {
			return 0, err
		}
	}
	return fields.EachParallel(ctx, s, l.row, l.take)
}

// lookAtFirst finds the columns of the table.
func (l *Lister) lookAtFirst(ctx context.Context, s fields.Scanner) error {
	found := false
	_, err := s.Each(ctx, func(f fields.Field) error {
		found = true
		l.begin(f)
		return fields.ErrStop
	})
	if found {
		return nil
	}
	return err
}

// begin makes the keys of a field the columns of the table.
func (l *Lister) begin(f fields.Field) {
	if set, err := f.With(l.Set); err == nil { // else row fails, if the field is selected
		f = set
	}
	if l.columns = l.keysOf(f); l.columns == nil {
		l.columns = []fields.Key{}
	}
	l.width = l.columnWidth()
	if l.Table && !l.JSON {
		l.writeHeader()
	}
}

// row is the row of a field. It is called from several goroutines.
func (l *Lister) row(f fields.Field) (r row, err error) {
	if l.Select != nil {
		ok, last := l.Select(f)
		if r.last = last; !ok {
			return r, nil
		}
	}
	if f, err = f.With(l.Set); err != nil {
		return r, err
	}
	if l.Near != nil {
		if r.near, err = l.Near.of(f); err != nil {
			return r, err
		}
	}
	if l.Listed != nil {
		if r.then, err = l.Listed(f); err != nil {
			return r, err
		}
	}
	switch {
	case l.JSON && l.Near != nil:
		r.text, err = l.nearObject(f, r.near)
	case l.JSON:
		r.text, err = l.object(f)
	default:
		r.text, err = l.line(f, r.near)
	}
	return r, err
}

// take writes a row, or keeps it for later.
func (l *Lister) take(r row) error {
	if r.text != nil {
		l.shown++
		if r.then != nil {
			if err := r.then(); err != nil {
				return err
			}
		}
		if err := l.write(r, l.shown == 1); err != nil {
			return err
		}
	}
	if r.last {
		l.ended = true
		return fields.ErrStop
	}
	return nil
}

func (l *Lister) write(r row, first bool) error {
	if l.JSON && !first {
		if l.Near != nil {
			l.out.WriteString("\n,")
		} else {
			l.out.WriteString(",\n")
		}
	}
	if r.near != nil {
		l.last = r.near
	}
	_, err := l.out.Write(r.text)
	return err
}

// End writes the text after the last file.
func (l *Lister) End(ctx context.Context) error {
	var err error
	if l.sorted != nil {
		err = l.listSorted(ctx)
	}
	switch {
	case l.JSON && l.Near != nil:
		l.out.WriteString("\n]\n")
	case l.JSON:
		l.out.WriteString("\n]}\n")
	case l.Table && l.sorted == nil && l.files > 0:
		fmt.Fprintf(l.out, "%d of %d total messages in %d files\n", l.shown, l.seen, l.files)
	}
	if l.Table && !l.JSON && l.last != nil {
		l.Near.summary(l.out, l.last)
	}
	return cmp.Or(l.out.Flush(), err)
}

// keysOf are the keys to show of a field. The keys of a namespace depend on the field.
func (l *Lister) keysOf(f fields.Field) []fields.Key {
	list := slices.Concat(l.Also, l.Keys)
	if len(l.Keys) > 0 || l.Namespace == "" {
		return list
	}
	typ := fields.Text
	if l.Namespace == "statistics" {
		typ = fields.Native
	}
	for _, name := range f.Names(l.Namespace) {
		list = append(list, fields.Key{Name: name, Type: typ})
	}
	return list
}

// text is the text of a key. In the namespace ls date and time are keys of their own where
// definitions say so.
func (l *Lister) text(f fields.Field, key fields.Key) (string, error) {
	if l.Namespace == "ls" && key.Type == fields.Text && (key.Name == "date" || key.Name == "time") {
		if n, err := f.Int("ls" + key.Name + "_bug"); err == nil && n == 1 {
			key.Name = "ls." + key.Name
		}
	}
	text, err := f.Text(key, l.Format)
	switch {
	case err == nil:
		return text, nil
	case fields.IsNotFound(err) && !l.Strict:
		return fields.NotFound, nil
	}
	return "", err
}
