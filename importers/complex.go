package importers

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/tgm"
)

// mixedParts is a note about complex numbers, little-endian, of which a part is lost: a mask of a
// Tensogram file makes both parts NaN or the same infinity. It is empty if there are none.
func mixedParts(d tgm.DType, data []byte) string {
	if !d.IsComplex() {
		return ""
	}
	n, size := 0, d.Component()
	part := func(b []byte) float64 {
		if size == 4 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	finite := func(x float64) bool { return x-x == 0 }
	for ; len(data) >= 2*size; data = data[2*size:] {
		re, im := part(data), part(data[size:])
		if (!finite(re) || !finite(im)) && re != im && (re == re || im == im) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d complex numbers, of which one part is NaN or infinite, become so in both parts", n)
}
