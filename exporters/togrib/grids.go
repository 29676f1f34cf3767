package togrib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/bitmask"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
)

// gridCache remembers the grid that was met last.
type gridCache struct {
	edition int
	section string
	grid    *geometry.Grid
}

// of returns the grid of a header; nil for one that is not known, whose values are in the order of
// the message.
func (c *gridCache) of(h grib.Header) (*geometry.Grid, error) {
	number := 3
	if h.Edition() == 1 {
		number = 2
	}
	section, err := h.Section(number)
	if err != nil || section == nil {
		return nil, err
	}
	if c.edition == h.Edition() && c.section == string(section) {
		return c.grid, nil
	}
	c.edition, c.section = h.Edition(), string(section)
	if c.grid, err = geometry.Parse(h.Edition(), section); err != nil {
		c.grid = nil
	}
	return c.grid, nil
}

// restoreMask puts a mask into the order of the message.
func restoreMask(g *geometry.Grid, m *bitmask.Mask) (*bitmask.Mask, error) {
	if m == nil || g == nil || !g.NeedsReorder() {
		return m, nil
	}
	bits, err := g.RestoreBits(m.Bits)
	return &bitmask.Mask{N: m.N, Bits: bits}, err
}

// fits returns an error unless a field has as many values as its grid has points.
func fits(g *geometry.Grid, n int) error {
	if g != nil && g.NeedsReorder() && g.NumberOfDataPoints != n {
		return fmt.Errorf("%d values, the grid of the sections has %d points", n, g.NumberOfDataPoints)
	}
	return nil
}
