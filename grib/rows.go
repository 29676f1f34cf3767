package grib

import "github.com/tgmconv/tgmconv/codec/bitmask"

// order puts rows that are stored backwards the right way round, values and mask.
func (f *Field) order(values []float64, missing *bitmask.Mask) {
	rows := f.backwardRows(len(values))
	if rows == nil {
		return
	}
	turnRows(values, rows)
	turnMask(missing, rows)
}

// backwardRows returns the lengths of the rows when every other one is stored backwards (boustrophedonic ordering), nil when none is. They
// make n points together.
func (f *Field) backwardRows(n int) []int {
	var rows []int
	if f.Edition == 1 {
		rows = f.backwardRows1()
	} else if b := f.sections[5].Data; f.DataTemplate() == 50002 && len(b) > flags50002 && b[19] != 0 && b[flags50002]&boustrophedonic2 != 0 {
		rows = f.rows2(n)
	}
	total := 0
	for _, k := range rows {
		total += k
	}
	if total != n {
		return nil
	}
	return rows
}

func (f *Field) backwardRows1() []int {
	b := f.sections[4].Data
	if flags := b[3] >> 4; flags&spectral1 != 0 || flags&complex1 == 0 || len(b) <= secondFlags1 || b[secondFlags1]&boustrophedonic1 == 0 {
		return nil
	}
	g, ok := f.grid1()
	if !ok {
		return nil
	}
	return g.rows()
}

// Octets of section 3 of edition 2, counted from 0.
const (
	listSize2        = 10 // octets of each number of the list of points per row, 0 for no list
	ni2              = 30
	nj2              = 34
	scanning2        = 71 // of latitude/longitude and Gaussian grids
	boustrophedonic2 = 0x80
	jConsecutive2    = 0x20
)

// rows2 returns the lengths of the rows of a latitude/longitude or Gaussian grid of n points, the only ones second-order packing is used with.
func (f *Field) rows2(n int) []int {
	b, t := f.sections[3].Data, f.GridTemplate()
	if t > 3 && (t < 40 || t > 43) || len(b) <= scanning2 {
		return nil
	}
	ni, nj, size := be32(b, ni2), be32(b, nj2), int(b[listSize2])
	if size > 0 {
		return listOfRows(b, nj, size)
	}
	if b[scanning2]&jConsecutive2 != 0 {
		ni, nj = nj, ni
	}
	if nj == 0 || nj > n || ni != n/nj {
		return nil
	}
	rows := make([]int, nj)
	for i := range rows {
		rows[i] = ni
	}
	return rows
}

// listOfRows reads the list at the end of section 3.
func listOfRows(b []byte, rows, size int) []int {
	if size > 4 || rows > (len(b)-scanning2-1)/size {
		return nil
	}
	out := make([]int, rows)
	for i, at := 0, len(b)-rows*size; i < rows; i, at = i+1, at+size {
		for _, x := range b[at : at+size] {
			out[i] = out[i]<<8 | int(x)
		}
	}
	return out
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
