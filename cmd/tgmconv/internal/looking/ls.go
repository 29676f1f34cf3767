package looking

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/mapping"
)

// selection are the flags of the verbs that choose objects and keys.
type selection struct {
	keys       []string
	where      []string
	perMessage bool
	json       bool
}

func (s *selection) declare(set *option.Set) {
	set.List("keys/p", &s.keys, "keys to show, joined by commas")
	cli.DeclareWhere(set, &s.where, "show only objects and fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	set.Bool("json/j", &s.json, "write JSON, values in their own types")
}

func (s *selection) declarePerMessage(set *option.Set) {
	s.declare(set)
	set.Bool("per-message", &s.perMessage, "print one line per message, with the first object that has the key, as the reference's command does")
}

// NewLs returns the verb ls.
func NewLs() *cobra.Command {
	var s selection
	return cli.Verb{
		Use:   "ls [flags] FILE...",
		Short: "List the objects of Tensogram files, and the fields of GRIB, netCDF, Zarr and .tet files, one per line",
		Long: `List the objects of Tensogram files, the fields of GRIB, and the variables of netCDF, Zarr and .tet files, one
per line. Columns are name, time, level, units, shape and encoding, or the keys of --keys. "object" has two numbers,
the message and the object or field in it. A folder stands for all files in it.

` + cli.KeyHelp + "\n\n" + cli.WhereHelp,
		Example: `  tgmconv ls forecast.tgm
  tgmconv ls -p name,mars.step,shape forecast.tgm
  tgmconv ls -w name=2t/10u,mars.step=0 forecast.tgm
  tgmconv ls --json forecast.tgm | jq .name`,
		Options: s.declarePerMessage,
		Run:     s.ls,
	}.Command()
}

func (s *selection) ls(cmd *cobra.Command, names []string) error {
	where, err := cli.ParseWhere(s.where)
	if err != nil {
		return err
	}
	defer where.Warn(cmd.ErrOrStderr(), "object")
	keys := cli.SplitKeys(s.keys)
	if len(keys) == 0 && s.perMessage {
		keys = messageKeys
	}
	if s.json {
		return s.lsJSON(cmd, names, keys, where)
	}
	first := true
	return s.eachListed(cmd, names, where, func(f *listedFile) error {
		t := lsTable(keys)
		var sum totals
		err := f.each(func(r row) error {
			t.Add(r.cells(keys))
			if len(keys) == 0 {
				sum.add(r.summary())
			}
			return nil
		})
		if t.Len() == 0 {
			if err = errors.Join(err, f.whole()); err != nil {
				return err
			}
		}
		w, colours := terminal.Coloured(cmd.OutOrStdout())
		out := bufio.NewWriter(w)
		if len(names) > 1 || f.name != cli.Shown(names[0]) {
			if !first {
				fmt.Fprintln(out)
			}
			fmt.Fprintln(out, safetext.Line(f.name))
		}
		first = false
		t.Write(out, colours)
		if len(keys) == 0 && sum.objects > 0 {
			fmt.Fprintln(out, sum.text(f.one))
		}
		if flushErr := out.Flush(); flushErr != nil {
			return cli.Written(flushErr)
		}
		return err
	})
}

// lsTable is an empty table of keys, or of the usual columns.
func lsTable(keys []string) *terminal.Table {
	if len(keys) > 0 {
		return terminal.KeyTable(keys)
	}
	var columns []terminal.Column
	for _, c := range show.Columns() {
		columns = append(columns, terminal.Column{Title: c.Title, Right: c.Right})
	}
	return terminal.NewTable(columns)
}

// totals are the figures of the last line of ls.
type totals struct {
	objects, messages int
	last              int // number of the last message
	stored            int64
	decoded           uint64
}

func (t *totals) add(s show.Row) {
	if t.objects == 0 || s.Message != t.last {
		t.messages++
	}
	t.objects, t.last, t.stored = t.objects+1, s.Message, t.stored+s.Size
	if n, ok := s.Descriptor.DecodedSize(); ok {
		t.decoded += n
	}
}

// text is "4 objects in 1 message, 1.20 MB (16.6 MB decoded)".
func (t *totals) text(one string) string {
	all := cli.Count(t.objects, one)
	if one == "object" {
		all += " in " + cli.Count(t.messages, "message")
	}
	if t.stored > 0 {
		all += ", " + show.Bytes(t.stored)
	}
	return fmt.Sprintf("%s (%s decoded)", all, show.Bytes(int64(t.decoded)))
}

// A row describes an object, or a message.
type row struct {
	key     cli.KeyLookup
	summary func() show.Row // nil for messages
}

// eachRow calls line for the objects, or messages, that match the clauses.
func (s *selection) eachRow(cmd *cobra.Command, v *ViewFile, where *cli.WhereFlag, line func(row) error) error {
	if !s.perMessage {
		return v.eachObject(cmd.Context(), where, func(o catalog.Object) error {
			return line(row{o.Value, func() show.Row { return show.RowOf(o) }})
		})
	}
	for m, err := range v.messages(cmd.Context()) {
		if err != nil {
			return err
		}
		if !where.Match(m.Known()) {
			continue
		}
		if err := line(row{key: m.Value}); err != nil {
			return err
		}
		if err := m.Err(); err != nil {
			return err
		}
	}
	return nil
}

// cells are the cells of a row of ls.
func (r row) cells(keys []string) (cells []string) {
	for _, key := range keys {
		cells = append(cells, CellText(r.key, key))
	}
	if len(keys) == 0 {
		s := r.summary()
		for _, c := range show.Columns() {
			cells = append(cells, safetext.Line(c.Text(s)))
		}
	}
	return cells
}

// messageKeys are the keys that ls --per-message shows by default.
var messageKeys = []string{"message", mapping.KeyName, mapping.PathDate, mapping.PathTime, mapping.PathStep, "offset", "length"}

// CellText is a value in a table: one line, N/A where there is none.
func CellText(lookup cli.KeyLookup, key string) string {
	value, ok := lookup(key)
	if !ok {
		return "N/A"
	}
	cell, err := show.Text(value)
	if err != nil {
		return "N/A"
	}
	return safetext.Line(cell)
}

func (s *selection) lsJSON(cmd *cobra.Command, names, keys []string, where *cli.WhereFlag) error {
	list := cli.NewJSONLines(cmd.OutOrStdout())
	err := s.eachListed(cmd, names, where, func(f *listedFile) error {
		return f.each(func(line row) error {
			if len(keys) == 0 {
				return list.Add(line.summary().JSON(f.name))
			}
			values := make(map[string]any, len(keys))
			for _, key := range keys {
				if value, ok := line.key(key); ok {
					values[key] = value
				}
			}
			return list.Add(values)
		})
	})
	return list.Finish(err)
}
