package scale

import (
	"encoding/binary"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// Packed maps len(dst) integers of width bits from the beginning of src. The caller has checked
// that they are there.
func (s Scale) Packed(dst []float64, src []byte, width int) { s.Unpacker(width, len(dst))(dst, src) }

// tableBits is the widest integer whose values are looked up. The table then fits the first-level
// cache.
const tableBits = 12

// Unpacker returns a function like Packed for a fixed width that is to map about n integers in all.
func (s Scale) Unpacker(width, n int) func(dst []float64, src []byte) {
	if vectors && width > 0 && width <= planBits {
		p := newPlan(s, width)
		return func(dst []float64, src []byte) {
			n := p.unpack(dst, src)
			s.packedAny(dst[n:], src[n/8*width:], width)
		}
	}
	return s.plainUnpacker(width, n)
}

// plainUnpacker is Unpacker without vector kernels.
func (s Scale) plainUnpacker(width, n int) func(dst []float64, src []byte) {
	switch {
	case width <= tableBits && n >= 2<<width:
		table := s.table(width)
		if width == 8 {
			return func(dst []float64, src []byte) { packed8(dst, src, table) }
		}
		return func(dst []float64, src []byte) { packedTable(dst, src, width, table) }
	case width == 16:
		return s.packed16
	case width == 24:
		return s.packed24
	case width > 53:
		return func(dst []float64, src []byte) { s.packedWide(dst, src, 0, width) }
	}
	return func(dst []float64, src []byte) { s.packedAny(dst, src, width) }
}

// table returns the values of all integers of width bits.
func (s Scale) table(width int) []float64 {
	t := make([]float64, 1<<width)
	for q := range t {
		t[q] = s.Value(float64(q))
	}
	return t
}

func packed8(dst []float64, src []byte, table []float64) {
	t := (*[256]float64)(table)
	for len(dst) >= 8 && len(src) >= 8 {
		x := binary.BigEndian.Uint64(src)
		d := (*[8]float64)(dst)
		d[0], d[1], d[2], d[3] = t[x>>56], t[byte(x>>48)], t[byte(x>>40)], t[byte(x>>32)]
		d[4], d[5], d[6], d[7] = t[byte(x>>24)], t[byte(x>>16)], t[byte(x>>8)], t[byte(x)]
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = t[src[i]]
	}
}

// packedTable takes four integers from each load of 8 bytes. They fit with the up to 7 bits before
// them.
func packedTable(dst []float64, src []byte, width int, table []float64) {
	mask := uint64(len(table) - 1)
	pos, i := 0, 0
	// Masked shift counts need no test for counts above 63.
	w := uint(width)
	lead, s1, s2, s3 := (64-4*w)&63, w&63, 2*w&63, 3*w&63
	for last := 8 * (len(src) - 8); i+4 <= len(dst) && pos <= last; i += 4 {
		x := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> lead
		d := (*[4]float64)(dst[i:])
		d[0] = table[x>>s3&mask]
		d[1] = table[x>>s2&mask]
		d[2] = table[x>>s1&mask]
		d[3] = table[x&mask]
		pos += 4 * width
	}
	for ; i < len(dst); i++ {
		dst[i] = table[bits.Uint(src, pos, width)&mask]
		pos += width
	}
}

func (s Scale) packed16(dst []float64, src []byte) {
	for len(dst) >= 4 && len(src) >= 8 {
		x := binary.BigEndian.Uint64(src)
		dst[0] = s.Value(float64(int32(x >> 48)))
		dst[1] = s.Value(float64(int32(x >> 32 & 0xffff)))
		dst[2] = s.Value(float64(int32(x >> 16 & 0xffff)))
		dst[3] = s.Value(float64(int32(x & 0xffff)))
		dst, src = dst[4:], src[8:]
	}
	s.packedWide(dst, src, 0, 16)
}

func (s Scale) packed24(dst []float64, src []byte) {
	for len(dst) >= 2 && len(src) >= 8 {
		x := binary.BigEndian.Uint64(src)
		dst[0] = s.Value(float64(int32(x >> 40)))
		dst[1] = s.Value(float64(int32(x >> 16 & 0xffffff)))
		dst, src = dst[2:], src[6:]
	}
	s.packedWide(dst, src, 0, 24)
}

// packedAny reads widths up to 53 bits, two integers from each load of 8 bytes where they fit it.
func (s Scale) packedAny(dst []float64, src []byte, width int) {
	pos, i := 0, 0
	w := uint(width) & 63
	last := 8 * (len(src) - 8)
	if width <= 28 {
		lead := (64 - 2*w) & 63
		mask := uint64(1)<<w - 1
		for ; i+2 <= len(dst) && pos <= last; i += 2 {
			x := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> lead
			d := (*[2]float64)(dst[i:])
			d[0] = s.Value(float64(int64(x >> w)))
			d[1] = s.Value(float64(int64(x & mask)))
			pos += 2 * width
		}
	}
	lead := (64 - w) & 63
	for ; i < len(dst) && pos <= last; i++ {
		q := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> lead
		dst[i] = s.Value(float64(int64(q)))
		pos += width
	}
	s.packedWide(dst[i:], src, pos, width)
}

// packedWide reads any width from bit pos on, one integer at a time.
func (s Scale) packedWide(dst []float64, src []byte, pos, width int) {
	for i := range dst {
		dst[i] = s.Value(float64(bits.Uint(src, pos, width)))
		pos += width
	}
}
