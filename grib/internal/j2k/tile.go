package j2k

import "math"

// A tile is divided into resolutions, these into subbands and, across the subbands, precincts.
// Precincts are divided into code blocks (annex B.5 to B.7).
type tile struct {
	*header
	coding      // of this tile
	area        rect
	resolutions []*resolution
}

type resolution struct {
	area         rect
	across, down int // precincts
	bands        []*band
}

type band struct {
	area       rect
	origin     int // index of its first coefficient in the plane of the tile, where the resolutions lie inside each other
	orient     int
	magnitudes int // bits of a coefficient without sign, at most
	step       step
	precincts  []*precinct
}

// Orientations of subbands; they choose the contexts of code blocks.
const (
	orientLL = iota // and LH: high frequencies along y only
	orientHL
	orientHH
)

type precinct struct {
	across, down int // code blocks
	blocks       []block
	included     tagTree // the layer that first includes each block
	zeroPlanes   tagTree // the most significant bit planes that are zero
}

// A block is a code block.
type block struct {
	x0, y0, x1, y1 int32 // in its subband, from the corner of it
	planes         uint8 // bit planes that are coded
	lengthBits     uint8
	included       bool
	passes         int
	segments       []segment
}

// A segment is a run of passes that are coded together.
type segment struct {
	passes, limit int      // how many it has, and can have
	data          [][]byte // the additions of the layers
}

// open returns the index of the segment that the next pass belongs to (annex D.4.2, table D.9).
func (c *block) open(s style) int {
	last := len(c.segments) - 1
	if last >= 0 && c.segments[last].passes < c.segments[last].limit {
		return last
	}
	next := segment{limit: math.MaxInt}
	switch {
	case s&styleTerminateAll != 0:
		next.limit = 1
	case s&styleBypass != 0 && last < 0:
		next.limit = bypassed
	case s&styleBypass != 0 && c.segments[last].limit != 2:
		next.limit = 2
	case s&styleBypass != 0:
		next.limit = 1
	}
	c.segments = append(c.segments, next)
	return last + 1
}

// bypassed is how many passes are always arithmetically coded: the passes of the first four bit
// planes.
const bypassed = 10

func (h *header) newTile(index int) (*tile, error) {
	size := h.tileSize
	dx, dy := index%h.across*size.width(), index/h.across*size.height()
	t := &tile{header: h, coding: h.tiles[index].coding, area: rect{size.x0 + dx, size.y0 + dy, size.x1 + dx, size.y1 + dy}.intersect(h.image)}
	bytes := 0
	for _, part := range h.tiles[index].parts {
		bytes += len(part)
	}
	packets := 0
	for r := range t.levels + 1 {
		area := t.area.reduce(t.levels-r, 0, 0)
		p := t.precincts[r]
		res := &resolution{area: area}
		if !area.empty() {
			res.across = ceilShift(area.x1, p.x) - area.x0>>p.x
			res.down = ceilShift(area.y1, p.y) - area.y0>>p.y
		}
		// Every precinct has a packet of at least one byte in every layer.
		if res.across > bytes || res.down > bytes {
			return nil, errCut
		}
		if packets += res.across * res.down * t.layers; packets > bytes {
			return nil, errCut
		}
		t.resolutions = append(t.resolutions, res)
		t.addBands(r)
	}
	return t, nil
}

// addBands makes the subbands of resolution r: LL of the lowest, HL, LH and HH of any other.
func (t *tile) addBands(r int) {
	res := t.resolutions[r]
	if r == 0 {
		t.addBand(res, r, 0, 0, 0, 0)
		return
	}
	below := t.resolutions[r-1].area
	w := t.area.width()
	t.addBand(res, r, 1, 0, 3*r-2, below.width())
	t.addBand(res, r, 0, 1, 3*r-1, below.height()*w)
	t.addBand(res, r, 1, 1, 3*r, below.height()*w+below.width())
}

func (t *tile) addBand(res *resolution, r, highX, highY, number, origin int) {
	levels := t.levels - r
	if r > 0 {
		levels++
	}
	b := &band{area: t.area.reduce(levels, highX, highY), origin: origin, step: t.steps[number]}
	b.magnitudes = t.guard + b.step.exponent - 1 + t.roiShift
	switch {
	case highX+highY == 2:
		b.orient = orientHH
	case highX == 1:
		b.orient = orientHL
	}
	res.bands = append(res.bands, b)
	// Precincts are areas of the resolution; in a subband other than LL they are half as large.
	half := min(r, 1)
	px, py := t.precincts[r].x-half, t.precincts[r].y-half
	x0, y0 := res.area.x0>>t.precincts[r].x, res.area.y0>>t.precincts[r].y
	for j := range res.down {
		for i := range res.across {
			area := rect{(x0 + i) << px, (y0 + j) << py, (x0 + i + 1) << px, (y0 + j + 1) << py}.intersect(b.area)
			b.precincts = append(b.precincts, newPrecinct(b, area, min(t.blockX, px), min(t.blockY, py)))
		}
	}
}

func newPrecinct(b *band, area rect, blockX, blockY int) *precinct {
	p := &precinct{}
	if area.empty() {
		return p
	}
	x0, y0 := area.x0>>blockX, area.y0>>blockY
	p.across, p.down = ceilShift(area.x1, blockX)-x0, ceilShift(area.y1, blockY)-y0
	p.blocks = make([]block, 0, p.across*p.down)
	for j := range p.down {
		for i := range p.across {
			a := rect{(x0 + i) << blockX, (y0 + j) << blockY, (x0 + i + 1) << blockX, (y0 + j + 1) << blockY}.intersect(area)
			p.blocks = append(p.blocks, block{x0: int32(a.x0 - b.area.x0), y0: int32(a.y0 - b.area.y0), x1: int32(a.x1 - b.area.x0), y1: int32(a.y1 - b.area.y0), lengthBits: 3})
		}
	}
	p.included, p.zeroPlanes = newTagTree(p.across, p.down), newTagTree(p.across, p.down)
	return p
}
