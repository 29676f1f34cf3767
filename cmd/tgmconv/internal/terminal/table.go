package terminal

import (
	"bufio"
	"bytes"
	"io"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A Column is a column of a table.
type Column struct {
	Title, Key string
	Right      bool // aligned to the right
}

// A Table collects lines, so that columns can be as wide as they have to be.
type Table struct {
	columns []Column
	lines   [][]string
	keep    bool // columns without a text stay
}

// NewTable is an empty table.
func NewTable(columns []Column) *Table { return &Table{columns: columns} }

// KeyTable has a column for each key.
func KeyTable(keys []string) *Table {
	t := &Table{keep: true}
	for _, key := range keys {
		t.columns = append(t.columns, Column{Title: key, Key: key})
	}
	return t
}

// Add adds a line.
func (t *Table) Add(cells []string) { t.lines = append(t.lines, cells) }

// Len is the number of lines.
func (t *Table) Len() int { return len(t.lines) }

// Write writes the lines under a line of titles. A column that is empty in all lines is left out.
func (t *Table) Write(out io.Writer, p Palette) {
	shown := make([]bool, len(t.columns))
	for i := range shown {
		shown[i] = t.keep || len(t.lines) == 0
		for _, line := range t.lines {
			shown[i] = shown[i] || line[i] != ""
		}
	}
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = textWidth(c.Title)
		for _, line := range t.lines {
			widths[i] = max(widths[i], textWidth(line[i]))
		}
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	var line []byte
	writeLine := func(cell func(i int) string, painted func(title, cell string) string) {
		line = line[:0]
		for i, c := range t.columns {
			if !shown[i] {
				continue
			}
			text := cell(i)
			padding := widths[i] - textWidth(text)
			if c.Right {
				line = appendBlanks(line, padding)
				padding = 0
			}
			line = append(line, painted(c.Title, text)...)
			line = appendBlanks(line, padding+columnGap)
		}
		w.Write(append(bytes.TrimRight(line, " "), '\n'))
	}
	writeLine(func(i int) string { return t.columns[i].Title }, func(_, title string) string { return p.Title(title) })
	for _, cells := range t.lines {
		writeLine(func(i int) string { return cells[i] }, p.Cell)
	}
}

// columnGap is how many blanks are between columns.
const columnGap = 2

func appendBlanks(line []byte, n int) []byte {
	for range n {
		line = append(line, ' ')
	}
	return line
}

// textWidth is how many columns of a terminal a text takes.
func textWidth(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return text.StringWidthWithoutEscSequences(s)
		}
	}
	return len(s)
}
