package grib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// backwardRows returns the lengths of the rows when every second row is stored
// backwards (boustrophedonic ordering), nil when none is. They make n points together.
func (f *Field) backwardRows(n int) []int {
	if !f.boustrophedonic() {
		return nil
	}
	rows, err := f.rows()
	total := 0
	for _, k := range rows {
		total += k
	}
	if err != nil || total != n {
		return nil
	}
	return rows
}

func (f *Field) boustrophedonic() bool {
	if f.Edition == 2 {
		b := f.sections[5].Data
		return f.DataTemplate() == 50002 && len(b) > flags50002 && b[19] != 0 && b[flags50002]&boustrophedonic2 != 0
	}
	b := f.sections[4].Data
	flags := b[3] >> 4
	return flags&(spectral1|complex1) == complex1 && len(b) > secondFlags1 && b[secondFlags1]&boustrophedonic1 != 0
}

// boustrophedonic2 is the flag of section 5 of template 5.50002.
const boustrophedonic2 = 0x80

// rows returns the lengths of the rows in the order of the data. They are the list of a reduced
// grid, the columns of any other, or the rows where consecutive points lie in a column.
func (f *Field) rows() ([]int, error) {
	g, err := f.gridOnly()
	if err != nil {
		return nil, err
	}
	if g.PL != nil {
		return g.PL, nil
	}
	rows, columns := g.Nj, g.Ni
	if g.Scan.ConsecutiveJ() {
		rows, columns = columns, rows
	}
	if rows < 0 || columns < 0 || rows > g.NumberOfDataPoints {
		return nil, fmt.Errorf("grid of %d rows and %d columns with %d points", rows, columns, g.NumberOfDataPoints)
	}
	out := make([]int, rows)
	for i := range out {
		out[i] = columns
	}
	return out, nil
}

// turnRows reverses every other row of v.
func turnRows[T any](v []T, rows []int) {
	for i, n := range rows {
		if i%2 == 1 {
			for a, b := 0, n-1; a < b; a, b = a+1, b-1 {
				v[a], v[b] = v[b], v[a]
			}
		}
		v = v[n:]
	}
}

// turnMask reverses every other row of m.
func turnMask(m *bitmask.Mask, rows []int) {
	if m == nil {
		return
	}
	start := 0
	for i, n := range rows {
		if i%2 == 1 {
			for a, b := start, start+n-1; a < b; a, b = a+1, b-1 {
				if x, y := m.Get(a), m.Get(b); x != y {
					flip(m, a)
					flip(m, b)
				}
			}
		}
		start += n
	}
}

func flip(m *bitmask.Mask, i int) {
	if m.Get(i) {
		m.Clear(i)
	} else {
		m.Set(i)
	}
}
