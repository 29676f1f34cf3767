package geometry

import "fmt"

// NeedsReorder reports whether the values are stored other than row by row in one direction, so
// that Reorder moves some.
func (g *Grid) NeedsReorder() bool {
	return (g.Scan.Alternating() || g.Scan.ConsecutiveJ()) && g.rectangular() && g.Ni > 1 && g.Nj > 1
}

// source returns the index in storage order of point (j, i).
func (g *Grid) source(j, i int) int {
	if g.Scan.ConsecutiveJ() {
		if g.Scan.Alternating() && i%2 == 1 {
			j = g.Nj - 1 - j
		}
		return i*g.Nj + j
	}
	if g.Scan.Alternating() && j%2 == 1 {
		i = g.Ni - 1 - i
	}
	return j*g.Ni + i
}

// StoredAt returns the number in storage order of a value after Reorder.
func (g *Grid) StoredAt(i int) int {
	if !g.NeedsReorder() {
		return i
	}
	return g.source(i/g.Ni, i%g.Ni)
}

// Reorder puts values in storage order into rows that run in the same direction, first row first.
// Adjacent rows that are stored in opposite directions are turned, columns that are stored as such
// are transposed. The first value stays the first; no row order is reversed. The result is v
// itself, changed in place, or a new slice.
func Reorder[T any](g *Grid, v []T) ([]T, error) {
	if err := g.holds(len(v)); err != nil || !g.NeedsReorder() {
		return v, err
	}
	if !g.Scan.ConsecutiveJ() {
		for j := 1; j < g.Nj; j += 2 {
			row := v[j*g.Ni : (j+1)*g.Ni]
			for a, b := 0, len(row)-1; a < b; a, b = a+1, b-1 {
				row[a], row[b] = row[b], row[a]
			}
		}
		return v, nil
	}
	out := make([]T, len(v))
	const tile = 32
	for j0 := 0; j0 < g.Nj; j0 += tile {
		for i0 := 0; i0 < g.Ni; i0 += tile {
			for j := j0; j < min(j0+tile, g.Nj); j++ {
				for i := i0; i < min(i0+tile, g.Ni); i++ {
					out[j*g.Ni+i] = v[g.source(j, i)]
				}
			}
		}
	}
	return out, nil
}

// Restore is the inverse of Reorder: it puts rows that run in the same direction back into storage
// order. The result is v itself, changed in place, or a new slice.
func Restore[T any](g *Grid, v []T) ([]T, error) {
	if err := g.holds(len(v)); err != nil || !g.NeedsReorder() {
		return v, err
	}
	if !g.Scan.ConsecutiveJ() {
		return Reorder(g, v) // turning rows twice changes nothing
	}
	out := make([]T, len(v))
	for j := range g.Nj {
		for i := range g.Ni {
			out[g.source(j, i)] = v[j*g.Ni+i]
		}
	}
	return out, nil
}

// RestoreBits is the inverse of ReorderBits.
func (g *Grid) RestoreBits(b []byte) ([]byte, error) {
	if len(b) != (g.NumberOfDataPoints+7)/8 || !g.NeedsReorder() {
		return g.ReorderBits(b) // which refuses it, or has nothing to do
	}
	out := make([]byte, len(b))
	at := 0
	for j := range g.Nj {
		for i := range g.Ni {
			if b[at>>3]&(0x80>>(at&7)) != 0 {
				k := g.source(j, i)
				out[k>>3] |= 0x80 >> (k & 7)
			}
			at++
		}
	}
	return out, nil
}

func (g *Grid) holds(n int) error {
	if n != g.NumberOfDataPoints {
		return &FormatError{g.Edition, g.Template, 0, fmt.Sprintf("a field of %d values on a grid of %d points", n, g.NumberOfDataPoints)}
	}
	return nil
}

// ReorderBytes is Reorder for elements of size bytes each.
func (g *Grid) ReorderBytes(b []byte, size int) ([]byte, error) {
	if size < 1 || len(b)%size != 0 {
		return b, &FormatError{g.Edition, g.Template, 0, fmt.Sprintf("%d bytes are not elements of %d bytes", len(b), size)}
	}
	if err := g.holds(len(b) / size); err != nil || !g.NeedsReorder() {
		return b, err
	}
	out := make([]byte, len(b))
	at := 0
	for j := range g.Nj {
		for i := range g.Ni {
			k := g.source(j, i) * size
			copy(out[at:at+size], b[k:k+size])
			at += size
		}
	}
	return out, nil
}

// ReorderBits is Reorder for a mask of one bit a point, the most significant bit of a byte first.
// The result is b itself or a new slice; unused bits of the last byte are 0 in a new slice.
func (g *Grid) ReorderBits(b []byte) ([]byte, error) {
	if len(b) != (g.NumberOfDataPoints+7)/8 {
		return b, &FormatError{g.Edition, g.Template, 0, fmt.Sprintf("a mask of %d bytes on a grid of %d points", len(b), g.NumberOfDataPoints)}
	}
	if !g.NeedsReorder() {
		return b, nil
	}
	out := make([]byte, len(b))
	at := 0
	for j := range g.Nj {
		for i := range g.Ni {
			k := g.source(j, i)
			if b[k>>3]&(0x80>>(k&7)) != 0 {
				out[at>>3] |= 0x80 >> (at & 7)
			}
			at++
		}
	}
	return out, nil
}
