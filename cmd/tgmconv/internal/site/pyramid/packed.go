package pyramid

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

// Packed returns a tile of a level of a map of a variable, given by its path and its positions along all dimensions,
// in the form that package viewer draws coarse levels from: a fraction of the bytes of the array's chunk, with values
// rounded to a 4000th of their reach in the tile.
//
//	0   uint16    rows
//	2   uint16    columns
//	4   float32   the least value
//	8   float32   the step between numbers
//	12  uint8 × n low octets, a row after the other
//	    uint8 × n high octets
//
// Each of the n numbers is 0 for a missing value, else 1 and the steps to the value. In place of a number stands its
// difference from left + above - left above modulo 65536, with the sign in bit 0; numbers outside the tile are 0. All is
// little-endian. The error is a [*PlaceError] for a tile that there is not.
func (v *View) Packed(ctx context.Context, path string, level, row, col int, at []uint64) ([]byte, error) {
	s, err := v.asked(path, at)
	if err != nil {
		return nil, err
	}
	f, err := s.frame(ctx)
	if err != nil {
		return nil, err
	}
	if level < 0 || level >= f.levels() {
		return nil, &PlaceError{fmt.Sprintf("level %d of %s, which has %d", level, path, f.levels())}
	}
	rows, cols := f.shape(level)
	if row < 0 || col < 0 || row > (rows-1)/TileSize || col > (cols-1)/TileSize {
		return nil, &PlaceError{fmt.Sprintf("tile %d, %d of level %d of %s, which has %d by %d cells", row, col, level, path, rows, cols)}
	}
	t, err := s.tile(ctx, place{level, row, col, at})
	if err != nil {
		return nil, err
	}
	return t.pack(), nil
}

// packedSteps is the number of steps between the least and the greatest value of a tile.
const packedSteps = 4000

// pack returns the form that [View.Packed] describes.
func (t *tile) pack() []byte {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range t.values {
		if v-v == 0 {
			low, high = min(low, float64(v)), max(high, float64(v))
		}
	}
	if low > high {
		low, high = 0, 0
	}
	least, step := float32(low), float32((high-low)/packedSteps)
	n := len(t.values)
	out := make([]byte, 12+2*n)
	binary.LittleEndian.PutUint16(out, uint16(t.rows))
	binary.LittleEndian.PutUint16(out[2:], uint16(t.cols))
	binary.LittleEndian.PutUint32(out[4:], math.Float32bits(least))
	binary.LittleEndian.PutUint32(out[8:], math.Float32bits(step))
	numbers := make([]uint16, n)
	for k, v := range t.values {
		switch {
		case v-v != 0: // missing
		case step > 0:
			numbers[k] = 1 + uint16(min(math.Round((float64(v)-float64(least))/float64(step)), packedSteps+1))
		default:
			numbers[k] = 1
		}
		var left, above, both uint16
		if k%t.cols > 0 {
			left = numbers[k-1]
		}
		if k >= t.cols {
			if above = numbers[k-t.cols]; k%t.cols > 0 {
				both = numbers[k-t.cols-1]
			}
		}
		d := int16(numbers[k] - left - above + both)
		z := uint16(d<<1) ^ uint16(d>>15)
		out[12+k], out[12+n+k] = byte(z), byte(z>>8)
	}
	return out
}
