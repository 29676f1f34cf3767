package tgm

import (
	"math"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/half"
)

// decodePlain decodes the item that b begins with, if it is plain, and returns the bytes it took.
// Plain items have definite lengths, no tags, and keys that are text and come once; nearly all
// metadata is plain. The values are the same as the CBOR library and fromCBOR give, in a fraction
// of the time. Anything else, errors included, is left to them: ok is false.
func decodePlain(b []byte) (v any, n int, ok bool) {
	d := plainDecoder{b: b}
	v, ok = d.value(0)
	return v, len(b) - len(d.b), ok
}

// plainDecoder decodes CBOR as far as it is plain. It takes memory beforehand for as many items as
// bytes are left to decode, and never for more than firstItems of a list or map: lists in lists
// may all claim to be long.
type plainDecoder struct{ b []byte }

const firstItems = 256

func (d *plainDecoder) value(depth int) (any, bool) {
	h, err := parseCBORHead(d.b)
	if err != nil || h.endless || depth > maxNesting {
		return nil, false
	}
	d.b = d.b[h.size:]
	switch h.major {
	case cborUint:
		if h.n > math.MaxInt64 {
			return h.n, true
		}
		return int64(h.n), true
	case cborNegative:
		return -1 - int64(h.n), h.n <= math.MaxInt64
	case cborBytes:
		b, ok := d.take(h.n)
		return append(make([]byte, 0, len(b)), b...), ok
	case cborText:
		return d.text(h)
	case cborArray:
		return d.array(h, depth+1)
	case cborMap:
		return d.dict(h, depth+1)
	case cborSimple:
		return plainSimple(h)
	}
	return nil, false
}

// take returns the next n bytes, if they are there.
func (d *plainDecoder) take(n uint64) ([]byte, bool) {
	if n > uint64(len(d.b)) {
		return nil, false
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b, true
}

func (d *plainDecoder) text(h cborHead) (string, bool) {
	b, ok := d.take(h.n)
	return string(b), ok && utf8.Valid(b)
}

func (d *plainDecoder) array(h cborHead, depth int) (any, bool) {
	list := make([]any, 0, min(h.n, firstItems))
	for range h.n {
		v, ok := d.value(depth)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

func (d *plainDecoder) dict(h cborHead, depth int) (any, bool) {
	m := make(map[string]any, min(h.n, firstItems))
	for range h.n {
		k, err := parseCBORHead(d.b)
		if err != nil || k.major != cborText || k.endless {
			return nil, false
		}
		d.b = d.b[k.size:]
		key, ok := d.text(k)
		if !ok {
			return nil, false
		}
		if m[key], ok = d.value(depth); !ok {
			return nil, false
		}
	}
	return m, uint64(len(m)) == h.n
}

// plainSimple returns a boolean, null or a float. NaN in less than eight bytes is not plain,
// because its bits need care.
func plainSimple(h cborHead) (any, bool) {
	switch h.info {
	case 20, 21:
		return h.info == 21, true
	case 22:
		return nil, true
	case 25:
		x := half.Float64(uint16(h.n))
		return x, x == x
	case 26:
		x := float64(math.Float32frombits(uint32(h.n)))
		return x, x == x
	case 27:
		return math.Float64frombits(h.n), true
	}
	return nil, false
}
