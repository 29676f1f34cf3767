package main

import (
	"bufio"
	"bytes"
	"io"

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
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = textWidth(c.title)
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
			if c.right {
				line = appendBlanks(line, padding)
				padding = 0
			}
			line = append(line, painted(c.title, text)...)
			line = appendBlanks(line, padding+columnGap)
		}
		w.Write(append(bytes.TrimRight(line, " "), '\n'))
	}
	writeLine(func(i int) string { return t.columns[i].title }, func(_, title string) string { return p.title(title) })
	for _, cells := range t.lines {
		writeLine(func(i int) string { return cells[i] }, p.cell)
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
