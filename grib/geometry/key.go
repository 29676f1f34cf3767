package geometry

import (
	"encoding/binary"
	"math"

	"github.com/zeebo/xxh3"
)

// A Key identifies a grid: grids with the same key have the same shape, scanning mode and
// coordinates. It can be a map key.
type Key [16]byte

// Key returns the key of the grid, a hash of all parameters. It does not depend on how the section
// was written.
func (g *Grid) Key() Key {
	h := &hasher{Hasher: xxh3.New()}
	h.text(g.GridType)
	for _, v := range []int64{int64(g.Edition), int64(g.Template), int64(g.NumberOfDataPoints)} {
		h.number(uint64(v))
	}
	c := *g // visitCommon writes the values it was given back
	c.visitCommon(h)
	h.integers(keyPL, &g.PL)
	g.family.visit(h)
	return Key(h.Sum128().Bytes())
}

// A hasher hashes the values it is shown.
type hasher struct{ *xxh3.Hasher }

func (h *hasher) number(v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	h.Write(b[:])
}

func (h *hasher) text(s string) {
	h.number(uint64(len(s)))
	h.WriteString(s)
}

func (h *hasher) integer(key string, p *int64) {
	h.text(key)
	h.number(uint64(*p))
}

func (h *hasher) wide(key string, p *int64) { h.integer(key, p) }

func (h *hasher) float(key string, p *float64) {
	h.text(key)
	f := *p
	if math.IsNaN(f) {
		f = missing // any NaN of a section
	}
	h.number(math.Float64bits(f))
}

func (h *hasher) integers(key string, p *[]int) {
	h.text(key)
	h.number(uint64(len(*p)))
	for _, v := range *p {
		h.number(uint64(v))
	}
}

func (h *hasher) floats(key string, p *[]float64) {
	h.text(key)
	h.number(uint64(len(*p)))
	for _, v := range *p {
		h.number(math.Float64bits(v))
	}
}

func (h *hasher) bytes(key string, p []byte) {
	h.text(key)
	h.Write(p)
}
