package looking

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// sourceOf makes the source of a GRIB, netCDF, Zarr or .tet file, with the metadata that convert writes.
func sourceOf(cmd *cobra.Command, in storage.Input, format importers.Format) importers.Source {
	limit := cli.MaxArrayOf(cmd)
	return fromany.Of(format, []importers.Input{in}, cli.ClientOf(cmd), fromany.Options{
		GRIB:   fromgrib.Options{Sections: true, SkipBad: true, MaxArray: limit},
		NetCDF: fromnetcdf.Options{MaxArray: limit},
		Tet:    fromtet.Options{MaxArray: limit},
	})
}

// A dumpedMessage is a message of a GRIB file, or all of a netCDF or .tet file, that dump shows.
type dumpedMessage struct {
	file   string
	format importers.Format
	part   importers.Part
	size   int64 // of the message or the file

	extra         map[string]any
	base, objects []any // for JSON
}

// fields shows the messages of a GRIB, netCDF, Zarr or .tet file. Parts that cannot be read are
// left out, and the error is the error of the first such part.
func (d *dumper) fields(cmd *cobra.Command, name string, disk *cli.DiskFile, format importers.Format) error {
	source := sourceOf(cmd, storage.Input{Name: name, Size: disk.Size}, format)
	defer source.Close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	var current *dumpedMessage
	var failed, bad error
	begin := func(part importers.Part, extra map[string]any) error {
		if current != nil && (format != importers.FormatGRIB || current.part.Number == part.Number) {
			return nil
		}
		if err := d.end(current); err != nil {
			return err
		}
		current = &dumpedMessage{file: cli.Shown(name), format: format, part: part, size: disk.Size, extra: extra, base: []any{}, objects: []any{}}
		if format == importers.FormatGRIB {
			current.size = part.Length
		}
		return d.begin(current)
	}
	c := &catalog.Catalog{Keep: func(e *catalog.Entry, known *mapping.Known) bool {
		if failed != nil || e.Coordinate || !d.where.Match(known) { // coordinates that the file does not have itself
			return false
		}
		extra, _ := known.Entry.Maps()
		part, _ := e.Part()
		if failed = begin(part, extra); failed == nil {
			failed = d.field(current, e, known)
		}
		if failed != nil {
			cancel()
		}
		return false
	}}
	err := c.AddSource(ctx, source, func(b *importers.BadInput) error {
		if bad == nil {
			bad = b
		}
		return nil
	})
	for _, f := range c.Files() {
		for _, extra := range f.Bare {
			if failed == nil && len(d.where.Clauses) == 0 {
				failed = begin(importers.Part{}, extra)
			}
		}
		for _, line := range f.LeftOut {
			fmt.Fprintln(cmd.ErrOrStderr(), "tgmconv: left out: "+safetext.Line(line))
		}
	}
	if failed == nil {
		failed = d.end(current)
	}
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return err
	}
	return bad
}

// begin shows the keys of a message as a whole.
func (d *dumper) begin(m *dumpedMessage) error {
	if d.list != nil {
		return nil
	}
	out := d.out
	fmt.Fprintf(out, "=== %s%s ===\n", safetext.Line(m.file), m.number())
	fmt.Fprintf(out, "format:  %s\nbytes:   %d at byte %d\n", m.format, m.size, m.part.Offset)
	return writeJSON(out, "extra", m.extra)
}

// number is ": message 3" of a GRIB file.
func (m *dumpedMessage) number() string {
	if m.format != importers.FormatGRIB {
		return ""
	}
	return fmt.Sprintf(": message %d", m.part.Number)
}

// field shows a field, variable or dataset of a message.
func (d *dumper) field(m *dumpedMessage, e *catalog.Entry, known *mapping.Known) error {
	_, base := known.Entry.Maps()
	if len(d.keys) > 0 {
		base = show.Values(known.Value, d.keys)
	}
	array := known.Array()
	packing, packed := known.Stored("encoding")
	if d.list != nil {
		object := map[string]any{"object": m.numberOf(e), "dtype": array.DType, "shape": array.Shape}
		if packed {
			object["encoding"] = packing
		}
		m.base, m.objects = append(m.base, base), append(m.objects, object)
		return nil
	}
	out := d.out
	fmt.Fprintf(out, "--- %s %d: %s ---\n", m.kind(), m.numberOf(e), safetext.Line(known.Label().Name))
	fmt.Fprintf(out, "%s, shape %s\n", array.DType, show.Shape(array.Shape))
	if packed {
		fmt.Fprintf(out, "stored: %v\n", packing)
	}
	return writeJSON(out, "base", base)
}

// kind is the name of a field in the format.
func (m *dumpedMessage) kind() string {
	switch m.format {
	case importers.FormatNetCDF, importers.FormatZarr:
		return "variable"
	case importers.FormatTet:
		return "dataset"
	}
	return "field"
}

// numberOf is the number of a field in its message, or of a variable in its file.
func (m *dumpedMessage) numberOf(e *catalog.Entry) int {
	if m.format == importers.FormatGRIB {
		return e.Object
	}
	return e.Message
}

// end ends a message, which may be nil.
func (d *dumper) end(m *dumpedMessage) error {
	if d.list == nil || m == nil {
		return cli.Written(d.out.Flush())
	}
	object := map[string]any{
		"file": m.file, "format": string(m.format), "offset": m.part.Offset, "length": m.size,
		"extra": show.OrEmpty(m.extra), "base": m.base, "objects": m.objects,
	}
	if m.format == importers.FormatGRIB {
		object["message"] = m.part.Number
	}
	return d.list.Add(object)
}
