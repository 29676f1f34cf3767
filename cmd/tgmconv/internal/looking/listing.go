package looking

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A listedFile is a file of any format that ls or get lists.
type listedFile struct {
	name string
	// each calls line for the objects that match the clauses.
	each func(line func(row) error) error
	// whole returns an error if something of the file could not be listed.
	whole func() error
	// one is the name of the thing in a line: object, field.
	one string

	format importers.Format
	size   int64     // of the file
	view   *ViewFile // nil unless it is a Tensogram file
}

// eachListed calls look for every file. What goes wrong with one of them is reported and fails the
// command after all were looked at.
func (s *selection) eachListed(cmd *cobra.Command, names []string, where *cli.WhereFlag, look func(*listedFile) error) error {
	return eachView(cmd, names, cli.AnyFormat, func(v *ViewFile, name string) error {
		if found, ok := v.sourceFormat(); ok {
			return s.lookAtFields(cmd, name, listedFile{format: found, size: v.Disk.Size}, where, look)
		}
		each := func(line func(row) error) error { return s.eachRow(cmd, v, where, line) }
		f := &listedFile{name: v.Name, each: each, whole: v.CheckComplete, one: "object", format: importers.FormatTensogram, view: v}
		if err := look(f); err != nil {
			return err
		}
		return v.CheckComplete()
	})
}

// lookAtFields calls look for a file of fields or variables, of which the format and the size are known.
func (s *selection) lookAtFields(cmd *cobra.Command, name string, f listedFile, where *cli.WhereFlag, look func(*listedFile) error) error {
	if s.perMessage {
		return errors.New("--per-message is for Tensogram files")
	}
	var bad error
	f.name, f.one = cli.Shown(name), "field"
	f.whole = func() error { return bad }
	f.each = func(line func(row) error) error {
		var failed error
		a, err := archive.List(cmd.Context(), []string{name}, archive.Options{Client: cli.ClientOf(cmd), Index: archive.IndexNone, Select: func(o *dataset.Object) bool {
			if failed == nil && where.Match(o.Known) {
				failed = line(row{o.Known.Value, func() show.Row { return rowOfField(o) }})
			}
			return false
		}})
		if err != nil {
			return err
		}
		defer a.Close()
		cli.WarnLeftOut(cmd, a)
		if len(a.Bad) > 0 {
			bad = errors.New(a.Bad[0])
		}
		return failed
	}
	if err := look(&f); err != nil {
		return err
	}
	return bad
}

// rowOfField is the row of a field or a variable that is being chosen.
func rowOfField(o *dataset.Object) show.Row {
	known := o.Known
	label := known.Label()
	r := show.Row{Summary: o.Base.Summary(), Name: label.Name, Message: o.Message, Object: o.Index, Units: label.Units,
		Descriptor: &tgm.Descriptor{Shape: o.Shape, DType: o.DType}}
	if t, err := tgm.ParseDType(known.Array().DType); err == nil { // of packed numbers, not of the values
		r.Descriptor.DType = t
	}
	if encoding, ok := known.Stored("encoding"); ok {
		r.Descriptor.Encoding, _ = encoding.(string)
	}
	if size, ok := known.Value("size"); ok {
		r.Size, _ = size.(int64)
	}
	if o.Base.Namespace(mapping.KeyNetCDF) != nil {
		r.Dims = o.Base.Dims(len(o.Shape))
	}
	return r
}
