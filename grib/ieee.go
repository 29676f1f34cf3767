package grib

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// ieee is IEEE floats as they are (template 5.4).
type ieee struct {
	n, width int // values and octets of each
	data     []byte
}

// newIEEE makes a coded of n floats, of as many as there are when n is negative. The precision is
// a value of code table 5.7: 1 for 32 bits, 2 for 64.
func newIEEE(n, precision int, data []byte) (coded, error) {
	if precision != 1 && precision != 2 {
		return nil, fmt.Errorf("precision %d of IEEE floats, expected 1 or 2", precision)
	}
	width := 4 * precision
	if n < 0 {
		n = len(data) / width
	}
	if n > len(data)/width {
		return nil, fmt.Errorf("%d values of %d bytes do not fit %d bytes of data", n, width, len(data))
	}
	return ieee{n, width, data}, nil
}

// readIEEE reads octet 12 of section 5.
func readIEEE(f *Field, k packing, data []byte) (coded, error) {
	return newIEEE(k.n, int(f.sections[5].Data[11]), data)
}

func (c ieee) count() int { return c.n }

func (c ieee) decode(dst []float64) (*bitmask.Mask, error) {
	if c.width == 4 {
		src := c.data[:4*len(dst)]
		for i := range dst {
			dst[i] = float64(math.Float32frombits(binary.BigEndian.Uint32(src[4*i:])))
		}
		return nil, nil
	}
	for i := range dst {
		dst[i] = scale.IEEE64(c.data[8*i:])
	}
	return nil, nil
}
