package dataset

import (
	"encoding/binary"
	"math"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// listCoords lists the coordinates of the fields of a part, those of each input once. It reports
// whether to go on.
func (c *Collection) listCoords(l *listing, seen map[string]bool, yield func(Object, error) bool) bool {
	for _, coord := range l.coords {
		key := l.part.Input + "\x00" + coord.Key
		if seen[key] {
			continue
		}
		seen[key] = true
		shape := make([]uint64, len(coord.Shape))
		for i, n := range coord.Shape {
			shape[i] = uint64(n)
		}
		c.coords = append(c.coords, coord)
		o := Object{Where: l.part.Where() + ", coordinate " + coord.Name, Base: mapping.Read(coord.Base()), Shape: shape, DType: tgm.Float64}
		if !yield(c.add(place{file: coordOfSource, message: int32(len(c.coords) - 1)}, o), nil) {
			return false
		}
	}
	return true
}

// ReadCoord computes a coordinate of a source: little-endian, in C order.
func ReadCoord(c *importers.Coord) (*tgm.Array, error) {
	values, err := c.Values()
	if err != nil {
		return nil, err
	}
	a := &tgm.Array{DType: tgm.Float64, Data: make([]byte, 0, 8*len(values))}
	for _, n := range c.Shape {
		a.Shape = append(a.Shape, uint64(n))
	}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(v))
	}
	return a, nil
}
