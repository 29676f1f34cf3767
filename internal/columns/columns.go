// Package columns reads columns of Parquet files. It never takes more memory than a few times the bytes read,
// whatever a damaged or hostile file says.
package columns

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// A Table is the table of a Parquet file.
type Table struct {
	r          io.ReaderAt
	size, most int64
	footer     structure
}

// Open reads the description of the table in a file of size bytes. More rows than most are an error when they
// are read.
func Open(r io.ReaderAt, size, most int64) (*Table, error) {
	footer, err := footerOf(r, size)
	return &Table{r, size, most, footer}, err
}

// Rows is how many rows the file says to have.
func (t *Table) Rows() int64 { return t.footer.integer(3) }

// Metadata returns the value of a key of the file's metadata.
func (t *Table) Metadata(key string) (value string, ok bool) {
	for _, v := range t.footer.list(5) {
		if kv, _ := v.(structure); kv.text(1) == key {
			return kv.text(2), true
		}
	}
	return "", false
}

// Read reads the columns of some names, and calls group with the values of each group of rows. types are the types
// that each column may have. A column that the file does not have is nil.
func (t *Table) Read(types map[string][]int64, group func(rows int, values map[string][]Cell) error) error {
	found, err := t.columns(types)
	if err != nil {
		return err
	}
	read := int64(0)
	for _, g := range t.footer.list(4) {
		of, _ := g.(structure)
		rows := of.integer(3)
		if read += rows; rows < 0 || rows > t.most || read > t.Rows() || read > t.most {
			return fmt.Errorf("more than %d rows", min(t.Rows(), t.most))
		}
		for _, c := range found {
			c.values = c.values[:0]
		}
		if err := t.chunks(of, found, rows); err != nil {
			return err
		}
		values := make(map[string][]Cell)
		for _, c := range found {
			if int64(len(c.values)) != rows {
				return fmt.Errorf("column %s: %d values, expected %d", c.name, len(c.values), rows)
			}
			values[c.name] = c.values
		}
		if err := group(int(rows), values); err != nil {
			return err
		}
	}
	if read != t.Rows() {
		return fmt.Errorf("%d rows, expected %d", read, t.Rows())
	}
	return nil
}

// chunks reads a group's part of columns, on all cores.
func (t *Table) chunks(group structure, found map[string]*column, rows int64) error {
	var metas []structure
	var of []*column
	for _, v := range group.list(1) {
		chunk, _ := v.(structure)
		meta := chunk.structure(3)
		path := meta.list(3)
		if len(path) != 1 {
			continue
		}
		name, _ := path[0].([]byte)
		if c := found[string(name)]; c != nil && !slices.Contains(of, c) {
			metas, of = append(metas, meta), append(of, c)
		}
	}
	errs := make([]error, len(of))
	parallel.Each(len(of), func(i int) {
		if err := of[i].chunk(metas[i], t.size, rows); err != nil {
			errs[i] = fmt.Errorf("column %s: %w", of[i].name, err)
		}
	})
	return errors.Join(errs...)
}

// columns are the columns that the file has of some.
func (t *Table) columns(types map[string][]int64) (map[string]*column, error) {
	found := make(map[string]*column)
	for i, v := range t.footer.list(2) {
		e, _ := v.(structure)
		name := e.text(4)
		kinds := types[name]
		if i == 0 || kinds == nil { // the first is the table itself
			continue
		}
		if e.integer(5) > 0 || e.integer(3) == repeated || !slices.Contains(kinds, e.integer(1)) {
			return nil, fmt.Errorf("the column %s is of the type %d", name, e.integer(1))
		}
		found[name] = &column{source: t.r, name: name, kind: e.integer(1), optional: e.integer(3) == optional, most: t.most}
	}
	return found, nil
}
