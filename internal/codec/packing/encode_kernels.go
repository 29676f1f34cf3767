package packing

import "encoding/binary"

// The kernels below pack integers of one width each. dst has exactly Size(len(values),
// bits) bytes.

// encode dispatches on the width.
func encode(dst []byte, values []float64, p Params) {
	pack, _ := p.scales()
	q := quantiser{p.Reference, pack, maxInteger(p.Bits)}
	switch {
	case p.Bits == 0:
	case p.Bits == 8:
		encode8(dst, values, q)
	case p.Bits == 16:
		encode16(dst, values, q)
	case p.Bits == 24:
		encode24(dst, values, q)
	case p.Bits == 32:
		encode32(dst, values, q)
	case p.Bits < 32:
		encodeWords(dst, values, p.Bits, q)
	default:
		encodeBits(dst, values, p)
	}
}

// quantiser turns values into integers below 2^53.
type quantiser struct{ reference, scale, limit float64 }

// of rounds half away from zero: adding a half before cutting would be wrong for the number below a
// half, so the part cut off is doubled and cut instead.
func (q quantiser) of(v float64) uint64 {
	x := (v - q.reference) * q.scale
	if !(x > 0) {
		x = 0
	}
	if x > q.limit {
		x = q.limit
	}
	n := int64(x)
	rest := x - float64(n)
	return uint64(n + int64(rest+rest))
}

func encode8(dst []byte, values []float64, q quantiser) {
	dst = dst[:len(values)]
	for i, v := range values {
		dst[i] = byte(q.of(v))
	}
}

func encode16(dst []byte, values []float64, q quantiser) {
	for len(values) >= 4 && len(dst) >= 8 {
		v := values[:4:4]
		binary.BigEndian.PutUint64(dst, q.of(v[0])<<48|q.of(v[1])<<32|q.of(v[2])<<16|q.of(v[3]))
		values, dst = values[4:], dst[8:]
	}
	for i, v := range values {
		binary.BigEndian.PutUint16(dst[2*i:], uint16(q.of(v)))
	}
}

// encode24 writes eight values as three words.
func encode24(dst []byte, values []float64, q quantiser) {
	for len(values) >= 8 && len(dst) >= 24 {
		v := values[:8:8]
		c, f := q.of(v[2]), q.of(v[5])
		binary.BigEndian.PutUint64(dst, q.of(v[0])<<40|q.of(v[1])<<16|c>>8)
		binary.BigEndian.PutUint64(dst[8:], c<<56|q.of(v[3])<<32|q.of(v[4])<<8|f>>16)
		binary.BigEndian.PutUint64(dst[16:], f<<48|q.of(v[6])<<24|q.of(v[7]))
		values, dst = values[8:], dst[24:]
	}
	encodeWords(dst, values, 24, q)
}

func encode32(dst []byte, values []float64, q quantiser) {
	for len(values) >= 2 && len(dst) >= 8 {
		binary.BigEndian.PutUint64(dst, q.of(values[0])<<32|q.of(values[1]))
		values, dst = values[2:], dst[8:]
	}
	for i, v := range values {
		binary.BigEndian.PutUint32(dst[4*i:], uint32(q.of(v)))
	}
}

// encodeWords gathers integers of up to 32 bits in a word and writes four bytes whenever it has
// them.
func encodeWords(dst []byte, values []float64, bits int, q quantiser) {
	var acc uint64
	have := 0
	for _, v := range values {
		acc = acc<<(bits&63) | q.of(v)
		have += bits
		if have >= 32 {
			have -= 32
			binary.BigEndian.PutUint32(dst, uint32(acc>>(have&63)))
			dst = dst[4:]
		}
	}
	putRest(dst, acc, have)
}

// putRest writes the last have bits, less than 32, filled up with zeros.
func putRest(dst []byte, acc uint64, have int) {
	for ; have >= 8; have -= 8 {
		dst[0] = byte(acc >> (have - 8))
		dst = dst[1:]
	}
	if have > 0 {
		dst[0] = byte(acc << (8 - have))
	}
}
