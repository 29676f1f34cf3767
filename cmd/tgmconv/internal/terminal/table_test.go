package terminal

import (
	"bytes"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// TestTable: lines equal go-pretty's writer of tables, which takes ten times as long.
func TestTable(t *testing.T) {
	columns := []Column{{Title: "object"}, {Title: "name"}, {Title: "step", Right: true}, {Title: "none"}, {Title: "units"}, {Title: "size", Right: true}}
	for name, lines := range map[string][][]string{
		"no lines": {},
		"widths":   {{"0.0", "2t", "6h", "", "K", "1 B"}, {"0.100", "a longer name", "360h", "", "m s**-1", "12.5 MB"}},
		"not ASCII": {
			{"0.0", "température", "6h", "", "°C", "1 B"}, {"0.1", "気温", "12h", "", "", "2 kB"}, {"0.2", "e\u0301", "", "", "µg", ""}, {"0.3", "N/A", "1h", "", "K", ""},
		},
		"blank at the end": {{"0.0", " x ", "", "", "", ""}, {"1.0", "y", "", "", "", ""}},
	} {
		for _, p := range []Palette{{}, {on: true}} {
			l := NewTable(columns)
			for _, line := range lines {
				l.Add(line)
			}
			var got, want bytes.Buffer
			l.Write(&got, p)
			prettyTable(l, &want, p)
			if got.String() != want.String() {
				t.Errorf("%s:\n%q\nexpected\n%q", name, got.String(), want.String())
			}
		}
	}
}

func prettyTable(t *Table, out *bytes.Buffer, p Palette) {
	shown := func(i int) bool {
		for _, line := range t.lines {
			if line[i] != "" {
				return true
			}
		}
		return len(t.lines) == 0
	}
	w := table.NewWriter()
	w.SetOutputMirror(out)
	style := table.StyleDefault
	style.Options = table.Options{}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	w.SetStyle(style)
	var configs []table.ColumnConfig
	rows := make([]table.Row, 1+len(t.lines))
	for i, c := range t.columns {
		if !shown(i) {
			continue
		}
		rows[0] = append(rows[0], p.Title(c.Title))
		if c.Right {
			configs = append(configs, table.ColumnConfig{Number: len(rows[0]), Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
		for j, line := range t.lines {
			rows[1+j] = append(rows[1+j], p.Cell(c.Title, line[i]))
		}
	}
	w.AppendHeader(rows[0])
	w.SetColumnConfigs(configs)
	w.AppendRows(rows[1:])
	w.SuppressTrailingSpaces()
	w.Render()
}
