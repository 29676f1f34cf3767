package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// dumpFlags are the flags of dump.
type dumpFlags struct {
	selection
}

func newDump() *cobra.Command {
	var f dumpFlags
	cmd := &cobra.Command{
		Use:   "dump [flags] FILE...",
		Short: "Show all metadata of Tensogram files: of messages and objects, masks, hashes",
		Long: `Show all metadata of Tensogram files: of messages and objects, how they are stored, masks and hashes.

` + keyHelp + "\n\n" + whereHelp,
		Example: `  tgmconv dump forecast.tgm
  tgmconv dump -w name=2t forecast.tgm
  tgmconv dump --json forecast.tgm | jq '.[0].objects[0].shape'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.register(cmd)
	return cmd
}

func (f *dumpFlags) run(cmd *cobra.Command, names []string) error {
	where, err := parseWhere(f.where)
	if err != nil {
		return err
	}
	defer where.warn(cmd.ErrOrStderr(), "object")
	keys := splitKeys(f.keys)
	var show func(*catalog.Message) error
	finish := func(err error) error { return err }
	if f.json {
		list := newJSONList(cmd.OutOrStdout(), "  ")
		finish = list.finish
		show = func(m *catalog.Message) error {
			object, err := f.messageJSON(m, where, keys)
			if err != nil || object == nil {
				return err
			}
			return list.add(object)
		}
	} else {
		show = func(m *catalog.Message) error { return f.writeMessage(cmd.OutOrStdout(), m, where, keys) }
	}
	err = eachFile(cmd, names, func(v *viewFile) error {
		for m, err := range v.messages(cmd.Context()) {
			if err != nil {
				return err
			}
			if err := show(m); err != nil {
				return err
			}
		}
		return nil
	})
	return finish(err)
}

// writeMessage shows a message; one of which where selects nothing is left out.
func (f *dumpFlags) writeMessage(w io.Writer, m *catalog.Message, where *whereFlag, keys []string) error {
	out := bufio.NewWriter(w)
	n := 0
	begin := func() error {
		if n++; n == 1 {
			return writeMessageHead(out, m)
		}
		return nil
	}
	err := eachSelected(m, where, func(o catalog.Object) error {
		if err := begin(); err != nil {
			return err
		}
		return f.writeObject(out, o, keys)
	})
	if err == nil && len(where.clauses) == 0 && n == 0 {
		err = begin() // a message without objects
	}
	if flushErr := out.Flush(); flushErr != nil {
		return written(flushErr)
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

func (f *dumpFlags) writeObject(out *bufio.Writer, o catalog.Object, keys []string) error {
	d := o.Descriptor()
	fmt.Fprintf(out, "--- object %d: %s ---\n", o.Index(), safetext.Line(o.Name()))
	fmt.Fprintf(out, "%s: %s, shape %s, %s-endian\n", d.Type, d.DType, show.Shape(d.Shape), d.ByteOrder)
	fmt.Fprintf(out, "stored: %s, frame of %d bytes at byte %d\n", catalog.StoredAs(d), o.Length(), o.Offset())
	if hash, ok := o.Hash(); ok {
		fmt.Fprintf(out, "hash: xxh3 %016x\n", hash)
	}
	for _, m := range show.Masks(d) {
		fmt.Fprintf(out, "mask %s: %s, %d bytes at %d of the payload\n", m.Kind, m.Method, m.Length, m.Offset)
	}
	if err := writeJSON(out, "params", show.Params(d)); err != nil {
		return err
	}
	return writeJSON(out, "base", show.Base(o, keys))
}

// messageJSON is a message as dump --json shows it, or nil if where selects none of its objects.
func (f *dumpFlags) messageJSON(m *catalog.Message, where *whereFlag, keys []string) (map[string]any, error) {
	base, objects := []any{}, []any{}
	err := eachSelected(m, where, func(o catalog.Object) error {
		base, objects = append(base, show.Base(o, keys)), append(objects, show.Object(o))
		return nil
	})
	if err != nil || (len(objects) == 0 && len(where.clauses) > 0) {
		return nil, err
	}
	return show.Message(m, base, objects), nil
}
