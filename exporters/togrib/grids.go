package togrib

import (
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// gridCache remembers the grid that was met last.
type gridCache struct {
	edition, centre, points int
	section                 string

	grid     *geometry.Grid
	geometry map[string]any // of a grid that is known
}

// find makes the cache hold the grid of a header with that number of points. A grid that is not
// known is nil: its values are in the order of the message.
func (c *gridCache) find(h grib.Header, points int) {
	section := h.GridSection()
	if c.edition == h.Edition() && c.centre == h.Centre() && c.points == points && c.section == string(section) {
		return
	}
	*c = gridCache{edition: h.Edition(), centre: h.Centre(), points: points, section: string(section)}
	if section == nil {
		return
	}
	g, err := geometry.Parse(c.edition, section, geometry.Centre(c.centre), geometry.DataValues(points))
	if err != nil {
		return
	}
	if c.geometry = g.Geometry(); g.NumberOfDataPoints == points {
		c.grid = g
	}
}

// restoreMask puts a mask into the order of the message.
func restoreMask(g *geometry.Grid, m *bitmask.Mask) (*bitmask.Mask, error) {
	if m == nil || g == nil || !g.NeedsReorder() {
		return m, nil
	}
	bits, err := g.RestoreBits(m.Bits)
	return &bitmask.Mask{N: m.N, Bits: bits}, err
}
