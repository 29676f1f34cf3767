package keys

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// bitmapClass is the bitmap itself, a bit per point.
// Arguments: table reference, missing value, offset and length of the section,
// and number of points (edition 2) or unused bits (edition 1).
type bitmapClass struct {
	bytesClass
	edition int
}

func (c bitmapClass) init(h *Handle, a *accessor) error {
	off, err := h.argKeyLong(a, 2)
	if err != nil {
		off = 0
	}
	n, err := h.argKeyLong(a, 3)
	if err != nil || n == 0 {
		return nil
	}
	a.length = max(0, int(off+n)-h.place(a))
	return nil
}

func (c bitmapClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.argKeyLong(a, 4)
	if err != nil {
		return 0, err
	}
	if c.edition == 1 {
		n = int64(a.length)*8 - n
	}
	if n < 0 || n > int64(h.size())*8 {
		return 0, ErrDecoding
	}
	return int(n), nil
}

func (c bitmapClass) longs(h *Handle, a *accessor) ([]int64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(h.decodeUnsigned(a.offset*8+i, 1))
	}
	return out, nil
}

func (c bitmapClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := c.longs(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out, nil
}

// ones counts the points that are present among the first n.
func (h *Handle) ones(a *accessor, n int) int {
	count := 0
	octets, whole := h.octets(a.offset, (n+7)/8)
	if !whole {
		octets, _ = h.octets(a.offset, h.size()-a.offset)
	}
	for i := 0; i < n && i>>3 < len(octets); i += 8 {
		b := octets[i>>3]
		if n-i < 8 {
			b &= 0xff << (8 - (n - i))
		}
		count += bits.OnesCount8(b)
	}
	return count
}

type bitmapPresentClass struct{ computedLong }

func (bitmapPresentClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.argKeyLong(a, 0)
	return b2i(v != 255), err
}

// countMissingClass is the number of missing points.
// Arguments: bitmap, unused bits, number of points, whether the data section
// itself marks missing points.
type countMissingClass struct{ computedLong }

func (countMissingClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (countMissingClass) long(h *Handle, a *accessor) (int64, error) {
	b := h.find(a.argName(0))
	if b == nil {
		if k := a.argName(3); k != defs.NoSym {
			if managed, err := h.getLong(k); err == nil && managed != 0 {
				return h.countInData()
			}
		}
		return 0, nil
	}
	total := b.length * 8
	if v, err := h.argKeyLong(a, 1); err == nil {
		if v < int64(total) {
			total -= int(v)
		}
	} else if v, err := h.argKeyLong(a, 2); err == nil {
		total = min(total, int(v))
	}
	return int64(total - h.ones(b, total)), nil
}

func (h *Handle) countInData() (int64, error) {
	if h.decode() != nil {
		return 0, nil // as ecCodes, which does not say why
	}
	n := 0
	for _, b := range h.data.mask {
		n += bits.OnesCount8(b)
	}
	return int64(n), nil
}
