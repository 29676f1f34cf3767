package looking

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// dumpFlags are the flags of dump.
type dumpFlags struct {
	selection
}

// NewDump returns the verb dump.
func NewDump() *cobra.Command {
	var f dumpFlags
	return cli.Verb{
		Use:   "dump [flags] FILE...",
		Short: "Show all metadata of files: of messages and objects or fields, masks, hashes",
		Long: `Show all metadata of Tensogram files: messages, objects, encodings, masks and hashes. For files of other formats, show
the metadata that convert would write.

` + cli.KeyHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv dump forecast.tgm
  tgmconv dump -w name=2t forecast.tgm
  tgmconv dump forecast.grib2
  tgmconv dump --json forecast.tgm | jq '.[0].objects[0].shape'`,
		Options: f.declare,
		Run:     f.run,
	}.Command()
}

// A dumper shows messages: as text, or in a JSON list.
type dumper struct {
	where *cli.WhereFlag
	keys  []string
	out   *bufio.Writer
	list  *cli.JSONList // nil for text
}

func (f *dumpFlags) run(cmd *cobra.Command, names []string) error {
	where, err := cli.ParseWhere(f.where)
	if err != nil {
		return err
	}
	defer where.Warn(cmd.ErrOrStderr(), "object")
	d := &dumper{where: where, keys: cli.SplitKeys(f.keys), out: bufio.NewWriter(cmd.OutOrStdout())}
	if f.json {
		d.list = cli.NewJSONList(cmd.OutOrStdout(), "  ")
	}
	err = eachView(cmd, names, cli.AnyFormat, func(v *ViewFile, name string) error {
		if found, ok := v.sourceFormat(); ok {
			return d.fields(cmd, name, v.Disk, found)
		}
		for m, err := range v.messages(cmd.Context()) {
			if err == nil {
				err = d.message(m)
			}
			if err != nil {
				return err
			}
		}
		return v.CheckComplete()
	})
	if d.list != nil {
		return d.list.Finish(err)
	}
	return err
}

// message shows a message of a Tensogram file; one of which where selects nothing is left out.
func (d *dumper) message(m *catalog.Message) error {
	if d.list != nil {
		object, err := d.messageJSON(m)
		if err != nil || object == nil {
			return err
		}
		return d.list.Add(object)
	}
	n := 0
	begin := func() error {
		if n++; n == 1 {
			return writeMessageHead(d.out, m)
		}
		return nil
	}
	err := eachSelected(m, d.where, func(o catalog.Object) error {
		if err := begin(); err != nil {
			return err
		}
		return d.object(o)
	})
	if err == nil && len(d.where.Clauses) == 0 && n == 0 {
		err = begin() // a message without objects
	}
	if flushErr := d.out.Flush(); flushErr != nil {
		return cli.Written(flushErr)
	}
	return err
}

func writeMessageHead(out *bufio.Writer, m *catalog.Message) error {
	n, err := m.NumObjects()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "=== %s: message %d ===\n", m.File, m.Index())
	fmt.Fprintf(out, "version: %d\nobjects: %d\nbytes:   %d at byte %d\n", catalog.WireVersion, n, m.Length(), m.Offset())
	if err := writeJSON(out, "extra", m.Shared.Extra); err != nil {
		return err
	}
	return writeJSON(out, "written", m.Shared.Reserved)
}

// writeJSON shows a map, indented below its title. An empty one is left out.
func writeJSON(out *bufio.Writer, title string, values map[string]any) error {
	if len(values) == 0 {
		return nil
	}
	data, err := jsontext.Append(nil, values)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s:\n  ", title)
	out.Write(jsontext.AppendIndent(nil, data, "  ", "  "))
	return out.WriteByte('\n')
}

func (d *dumper) object(o catalog.Object) error {
	out, desc := d.out, o.Descriptor()
	fmt.Fprintf(out, "--- object %d: %s ---\n", o.Index(), safetext.Line(o.Name()))
	fmt.Fprintf(out, "%s: %s, shape %s, %s-endian\n", desc.Type, desc.DType, show.Shape(desc.Shape), desc.ByteOrder)
	fmt.Fprintf(out, "stored: %s, frame of %d bytes at byte %d\n", catalog.StoredAs(desc), o.Length(), o.Offset())
	if hash, ok := o.Hash(); ok {
		fmt.Fprintf(out, "hash: xxh3 %016x\n", hash)
	}
	for _, m := range show.Masks(desc) {
		fmt.Fprintf(out, "mask %s: %s, %d bytes at %d of the payload\n", m.Kind, m.Method, m.Length, m.Offset)
	}
	if err := writeJSON(out, "params", show.Params(desc)); err != nil {
		return err
	}
	return writeJSON(out, "base", show.Base(o, d.keys))
}

// messageJSON is a message as dump --json shows it, or nil if where selects none of its objects.
func (d *dumper) messageJSON(m *catalog.Message) (map[string]any, error) {
	base, objects := []any{}, []any{}
	err := eachSelected(m, d.where, func(o catalog.Object) error {
		base, objects = append(base, show.Base(o, d.keys)), append(objects, show.Object(o))
		return nil
	})
	if err != nil || (len(objects) == 0 && len(d.where.Clauses) > 0) {
		return nil, err
	}
	return show.Message(m, base, objects), nil
}
