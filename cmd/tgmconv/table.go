package main

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A tableColumn is a column of a listing.
type tableColumn struct {
	title, key string
	right      bool // aligned to the right
}

// A listing collects lines, so that columns can be as wide as they have to be.
type listing struct {
	columns []tableColumn
	lines   [][]string
	keep    bool // columns without a text stay
}

func newTable(columns []tableColumn) *listing { return &listing{columns: columns} }

// keyTable has a column for each key.
func keyTable(keys []string) *listing {
	t := &listing{keep: true}
	for _, key := range keys {
		t.columns = append(t.columns, tableColumn{title: key, key: key})
	}
	return t
}

func (t *listing) add(cells []string) { t.lines = append(t.lines, cells) }

// write writes the lines under a line of titles. A column that is empty in all lines is left out.
func (t *listing) write(out io.Writer, p palette) {
	shown := make([]bool, len(t.columns))
	for i := range shown {
		shown[i] = t.keep || len(t.lines) == 0
		for _, line := range t.lines {
			shown[i] = shown[i] || line[i] != ""
		}
	}
	w := table.NewWriter()
	w.SetOutputMirror(out)
	w.SetStyle(plainStyle())
	var configs []table.ColumnConfig
	var header table.Row
	for i, c := range t.columns {
		if !shown[i] {
			continue
		}
		header = append(header, p.title(c.title))
		if c.right {
			configs = append(configs, table.ColumnConfig{Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, line := range t.lines {
		var cells table.Row
		for i, cell := range line {
			if shown[i] {
				cells = append(cells, p.cell(t.columns[i].title, cell))
			}
		}
		w.AppendRow(cells)
	}
	w.SuppressTrailingSpaces()
	w.Render()
}

// plainStyle is a table of columns alone: no lines, two blanks between columns, titles as they are.
func plainStyle() table.Style {
	style := table.StyleDefault
	style.Options = table.Options{}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	return style
}
