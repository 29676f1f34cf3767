package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
)

// selection are the flags of the verbs that choose objects and keys.
type selection struct {
	keys       []string
	where      []string
	perMessage bool
	json       bool
}

func (s *selection) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVarP(&s.keys, "keys", "p", nil, "keys to show, joined by commas")
	flags.StringArrayVarP(&s.where, "where", "w", nil, "show only what fulfils the clause KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	flags.BoolVarP(&s.json, "json", "j", false, "write JSON, values in their own types")
}

func (s *selection) registerPerMessage(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.perMessage, "per-message", false,
		"one line per message: of the first object that has the key, as the reference's command does it")
}

func newLs() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "ls [flags] FILE...",
		Short: "List the objects of Tensogram files, one a line",
		Long: `List the objects of Tensogram files, one a line: what a forecaster wants to know of each, or the keys
given by --keys. "object" is the number of the message and that of the object in it.

` + keyHelp + "\n\n" + whereHelp,
		Example: `  tgmconv ls forecast.tgm
  tgmconv ls -p name,mars.step,shape forecast.tgm
  tgmconv ls -w name=2t/10u,mars.step=0 forecast.tgm
  tgmconv ls --json forecast.tgm | jq '.[].name'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return s.ls(cmd, args) },
	}
	s.register(cmd)
	s.registerPerMessage(cmd)
	return cmd
}

func (s *selection) ls(cmd *cobra.Command, names []string) error {
	where, err := parseWhere(s.where)
	if err != nil {
		return err
	}
	defer where.warn(cmd.ErrOrStderr(), "object")
	keys := splitKeys(s.keys)
	if len(keys) == 0 && s.perMessage {
		keys = messageKeys
	}
	if s.json {
		return s.lsJSON(cmd, names, keys, where)
	}
	first := true
	return eachFile(cmd, names, func(v *viewFile) error {
		rows := lsRows{keys: keys}
		err := s.eachRow(cmd, v, where, rows.add)
		if len(rows.lines) == 0 {
			if err = errors.Join(err, v.checkWhole()); err != nil {
				return err
			}
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if len(names) > 1 {
			if !first {
				fmt.Fprintln(out)
			}
			fmt.Fprintf(out, "%s\n", v.name)
		}
		first = false
		rows.write(out)
		if flushErr := out.Flush(); flushErr != nil {
			return written(flushErr)
		}
		return err
	})
}

// A row is what there is to show of an object, or of a message.
type row struct {
	key     keyLookup
	summary func() summary // nil for messages
}

// eachRow calls show for the objects, or messages, that fulfil the clauses.
func (s *selection) eachRow(cmd *cobra.Command, v *viewFile, where *whereFlag, show func(row) error) error {
	if !s.perMessage {
		return v.eachObject(cmd.Context(), where, func(o catalog.Object) error {
			return show(row{o.Value, func() summary { return summarise(o) }})
		})
	}
	for m, err := range v.messages(cmd.Context()) {
		if err != nil {
			return err
		}
		if !where.matchKeys(m.Value) {
			continue
		}
		if err := show(row{key: m.Value}); err != nil {
			return err
		}
	}
	return nil
}

// lsRows collects the lines of a file, so that columns can be as wide as they have to be.
type lsRows struct {
	keys  []string
	lines [][]string
}

func (r *lsRows) add(line row) error {
	var cells []string
	for _, key := range r.keys {
		cells = append(cells, cellText(line.key, key))
	}
	if len(r.keys) == 0 {
		s := line.summary()
		for _, c := range columns {
			cells = append(cells, c.text(s))
		}
	}
	r.lines = append(r.lines, cells)
	return nil
}

// messageKeys are what ls --per-message shows when no keys are asked for.
var messageKeys = []string{"message", mapping.KeyName, mapping.PathDate, mapping.PathTime, mapping.PathStep, "offset", "length"}

// cellText is a value in a table: one line, N/A where there is none.
func cellText(lookup keyLookup, key string) string {
	value, ok := lookup(key)
	if !ok {
		return "N/A"
	}
	cell, err := valueText(value)
	if err != nil {
		return "N/A"
	}
	return oneLine(cell)
}

// write writes the lines as a table under a line of titles.
func (r *lsRows) write(out io.Writer) {
	titles, right := r.titles()
	shown := make([]bool, len(titles))
	for _, line := range r.lines {
		for i, cell := range line {
			shown[i] = shown[i] || cell != ""
		}
	}
	t := table.NewWriter()
	t.SetOutputMirror(out)
	t.SetStyle(lsStyle())
	var configs []table.ColumnConfig
	var header table.Row
	for i, title := range titles {
		if !shown[i] && len(r.lines) > 0 {
			continue
		}
		header = append(header, title)
		if right[i] {
			configs = append(configs, table.ColumnConfig{Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, line := range r.lines {
		var cells table.Row
		for i, cell := range line {
			if shown[i] {
				cells = append(cells, cell)
			}
		}
		t.AppendRow(cells)
	}
	t.SuppressTrailingSpaces()
	t.Render()
}

func (r *lsRows) titles() (titles []string, right []bool) {
	if len(r.keys) > 0 {
		return r.keys, make([]bool, len(r.keys))
	}
	for _, c := range columns {
		titles, right = append(titles, c.title), append(right, c.right)
	}
	return titles, right
}

// lsStyle is a table of columns alone: no lines, two blanks between columns, titles as they are.
func lsStyle() table.Style {
	style := table.StyleDefault
	style.Options = table.Options{}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	return style
}

func (s *selection) lsJSON(cmd *cobra.Command, names, keys []string, where *whereFlag) error {
	list := newJSONList(cmd.OutOrStdout(), "")
	err := eachFile(cmd, names, func(v *viewFile) error {
		return s.eachRow(cmd, v, where, func(line row) error {
			if len(keys) == 0 {
				return list.add(line.summary().json(v.name))
			}
			values := make(map[string]any, len(keys))
			for _, key := range keys {
				if value, ok := line.key(key); ok {
					values[key] = value
				}
			}
			return list.add(values)
		})
	})
	if closeErr := list.close(); closeErr != nil {
		return closeErr
	}
	return err
}
