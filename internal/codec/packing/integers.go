package packing

import (
	"encoding/binary"
	"fmt"
)

// PackUint32 appends the low bits of each integer, most significant bit first and without gaps. The
// last byte is filled with zeros. bits is 0 to 32.
func PackUint32(dst []byte, src []uint32, bits int) []byte {
	need, ok := Size(len(src), bits)
	if bits <= 0 || bits > 32 || !ok {
		return dst
	}
	start := len(dst)
	dst = grow(dst, need)
	out := dst[start:]
	switch bits {
	case 8:
		for i, v := range src {
			out[i] = byte(v)
		}
	case 16:
		pack16(out, src)
	case 24:
		pack24(out, src)
	case 32:
		for i, v := range src {
			binary.BigEndian.PutUint32(out[4*i:], v)
		}
	default:
		packWords(out, src, bits)
	}
	return dst
}

func pack16(dst []byte, src []uint32) {
	for len(src) >= 4 && len(dst) >= 8 {
		s := src[:4:4]
		binary.BigEndian.PutUint64(dst, uint64(s[0])<<48|uint64(s[1]&0xFFFF)<<32|uint64(s[2]&0xFFFF)<<16|uint64(s[3]&0xFFFF))
		src, dst = src[4:], dst[8:]
	}
	for i, v := range src {
		binary.BigEndian.PutUint16(dst[2*i:], uint16(v))
	}
}

func pack24(dst []byte, src []uint32) {
	for len(src) >= 8 && len(dst) >= 24 {
		s := src[:8:8]
		c, f := uint64(s[2]&0xFFFFFF), uint64(s[5]&0xFFFFFF)
		binary.BigEndian.PutUint64(dst, uint64(s[0])<<40|uint64(s[1]&0xFFFFFF)<<16|c>>8)
		binary.BigEndian.PutUint64(dst[8:], c<<56|uint64(s[3]&0xFFFFFF)<<32|uint64(s[4]&0xFFFFFF)<<8|f>>16)
		binary.BigEndian.PutUint64(dst[16:], f<<48|uint64(s[6]&0xFFFFFF)<<24|uint64(s[7]&0xFFFFFF))
		src, dst = src[8:], dst[24:]
	}
	packWords(dst, src, 24)
}

// packWords gathers integers in a word and writes four bytes whenever it has them.
func packWords(dst []byte, src []uint32, bits int) {
	var acc uint64
	have := 0
	mask := uint64(1)<<(bits&63) - 1
	for _, v := range src {
		acc = acc<<(bits&63) | uint64(v)&mask
		have += bits
		if have >= 32 {
			have -= 32
			binary.BigEndian.PutUint32(dst, uint32(acc>>(have&63)))
			dst = dst[4:]
		}
	}
	putRest(dst, acc, have)
}

// UnpackUint32 fills dst with integers of bits bits, 0 to 32. src may be longer than needed.
func UnpackUint32(dst []uint32, src []byte, bits int) error {
	if bits < 0 || bits > 32 {
		return fmt.Errorf("packing: %d bits per value do not fit 32", bits)
	}
	need, ok := Size(len(dst), bits)
	if !ok || len(src) < need {
		return fmt.Errorf("packing: %d bytes for %d values of %d bits, expected %d", len(src), len(dst), bits, need)
	}
	src = src[:need]
	switch bits {
	case 0:
		clear(dst)
	case 8:
		for i, b := range src {
			dst[i] = uint32(b)
		}
	case 12:
		unpack12(dst, src)
	case 16:
		unpack16(dst, src)
	case 24:
		unpack24(dst, src)
	case 32:
		unpack32(dst, src)
	default:
		unpackLoads(dst, src, bits)
	}
	return nil
}

// unpackLoads takes each integer from the eight bytes it begins in.
func unpackLoads(dst []uint32, src []byte, bits int) {
	shift := uint(64-bits) & 63
	fast := wholeLoads(len(dst), len(src), bits)
	pos := 0
	for i := range dst[:fast] {
		dst[i] = uint32(binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> shift)
		pos += bits
	}
	r := bitReader{src: src[pos>>3:]}
	r.read(pos & 7)
	for i := fast; i < len(dst); i++ {
		dst[i] = uint32(r.read(bits))
	}
}

// unpack12 reads eight integers from twelve bytes: five from the first eight, three from the last
// eight.
func unpack12(dst []uint32, src []byte) {
	for len(dst) >= 8 && len(src) >= 12 {
		hi, lo := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[4:])
		d := dst[:8:8]
		d[0] = uint32(hi >> 52)
		d[1] = uint32(hi >> 40 & 0xFFF)
		d[2] = uint32(hi >> 28 & 0xFFF)
		d[3] = uint32(hi >> 16 & 0xFFF)
		d[4] = uint32(hi >> 4 & 0xFFF)
		d[5] = uint32(lo >> 24 & 0xFFF)
		d[6] = uint32(lo >> 12 & 0xFFF)
		d[7] = uint32(lo & 0xFFF)
		dst, src = dst[8:], src[12:]
	}
	unpackLoads(dst, src, 12)
}

func unpack16(dst []uint32, src []byte) {
	for len(dst) >= 4 && len(src) >= 8 {
		w := binary.BigEndian.Uint64(src)
		d := dst[:4:4]
		d[0] = uint32(w >> 48)
		d[1] = uint32(w >> 32 & 0xFFFF)
		d[2] = uint32(w >> 16 & 0xFFFF)
		d[3] = uint32(w & 0xFFFF)
		dst, src = dst[4:], src[8:]
	}
	for i := range dst {
		dst[i] = uint32(binary.BigEndian.Uint16(src[2*i:]))
	}
}

func unpack24(dst []uint32, src []byte) {
	for len(dst) >= 8 && len(src) >= 24 {
		a, b, c := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:]), binary.BigEndian.Uint64(src[16:])
		d := dst[:8:8]
		d[0] = uint32(a >> 40)
		d[1] = uint32(a >> 16 & 0xFFFFFF)
		d[2] = uint32(a<<8&0xFFFFFF | b>>56)
		d[3] = uint32(b >> 32 & 0xFFFFFF)
		d[4] = uint32(b >> 8 & 0xFFFFFF)
		d[5] = uint32(b<<16&0xFFFFFF | c>>48)
		d[6] = uint32(c >> 24 & 0xFFFFFF)
		d[7] = uint32(c & 0xFFFFFF)
		dst, src = dst[8:], src[24:]
	}
	unpackLoads(dst, src, 24)
}

func unpack32(dst []uint32, src []byte) {
	for len(dst) >= 2 && len(src) >= 8 {
		w := binary.BigEndian.Uint64(src)
		dst[0], dst[1] = uint32(w>>32), uint32(w)
		dst, src = dst[2:], src[8:]
	}
	for i := range dst {
		dst[i] = binary.BigEndian.Uint32(src[4*i:])
	}
}
