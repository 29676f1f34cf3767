// Package dump shows the keys of GRIB fields as grib_dump of ecCodes does: the keys that describe a
// message, in its order, with the meaning of codes; or the octets of its sections; or JSON.
//
//	d := dump.New(os.Stdout, dump.Options{})
//	d.File("forecast.grib2")
//	_, err := s.Each(ctx, d.Field) // s is a fields.Scanner
//	…
//	err = d.End()
package dump

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// Options select the output of a Dumper. The zero value shows the keys that grib_dump shows.
type Options struct {
	// Keys are shown in place of the keys that describe a message. One that a field does not have
	// is left out.
	Keys []string
	// Namespace shows the keys of a namespace in place of the keys that describe a message.
	Namespace string
	// All shows every key that is not hidden.
	All bool
	// Octets shows the coded keys of each section with the numbers of their octets, as the WMO
	// manual does.
	Octets bool
	// Full shows all elements of arrays, not only the first hundred.
	Full bool
	// JSON writes JSON.
	JSON bool
}

// A Dumper writes fields.
type Dumper struct {
	Options
	out    *bufio.Writer
	shown  int
	beyond error // an excess of a limit that the caller may raise
}

// New returns a Dumper that writes to w.
func New(w io.Writer, o Options) *Dumper {
	d := &Dumper{Options: o, out: bufio.NewWriter(w)}
	if d.JSON {
		d.out.WriteString(`{ "messages" : [`)
	}
	return d
}

// Empty reports whether no field was written so far: then nothing was written as JSON.
func (d *Dumper) Empty() bool { return d.shown == 0 }

// File writes the name of a file whose fields follow.
func (d *Dumper) File(name string) {
	if !d.JSON {
		d.out.WriteString("***** FILE: " + name + "\n")
	}
}

// Field writes a field.
func (d *Dumper) Field(f fields.Field) error {
	d.shown++
	if d.JSON {
		return cmp.Or(d.writeJSON(f), d.beyond)
	}
	title := fmt.Sprintf("#==============   MESSAGE %d ( length=%d )", f.Count, len(f.Message()))
	fmt.Fprintf(d.out, "%-59s==============\n", title)
	if d.Octets {
		d.writeOctets(f)
	} else {
		d.out.WriteString("GRIB {\n")
		for _, e := range d.entries(f) {
			d.writeKey(f, e)
		}
		d.out.WriteString("}\n")
	}
	return cmp.Or(d.out.Flush(), d.beyond)
}

// value is the value of a key. An unreadable key is left out; a key beyond a limit fails the dump.
func (d *Dumper) value(f fields.Field, e keys.Entry) (any, error) {
	v, err := f.Value(e)
	if errors.As(err, new(*grib.LimitError)) {
		d.beyond = err
	}
	return v, err
}

// End writes the text after the last field.
func (d *Dumper) End() error {
	if d.JSON {
		d.out.WriteString("\n]}\n")
	}
	return d.out.Flush()
}

// entries are the keys to show of a field.
func (d *Dumper) entries(f fields.Field) (list []keys.Entry) {
	names := d.Keys
	if d.Namespace != "" {
		names = f.Names(d.Namespace)
	}
	if len(d.Keys) == 0 && d.Namespace == "" {
		for _, e := range f.Entries() {
			bits := strings.HasSuffix(e.Class, "bitmap") && e.Type == keys.Bytes
			if e.Type != keys.Section && (e.Dump && !bits || d.All && !e.Hidden) {
				list = append(list, e)
			}
		}
		return list
	}
	for _, name := range names {
		if e, ok := f.Entry(name); ok {
			list = append(list, e)
		}
	}
	return list
}
