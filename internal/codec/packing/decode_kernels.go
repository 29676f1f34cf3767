package packing

import "encoding/binary"

// The kernels below unpack integers of one width each. All of them fill dst and need exactly
// Size(len(dst), bits) bytes of src. They compute Reference + step*q with two roundings: the
// conversion around the product keeps compilers from fusing it with the sum. Integers go through
// int64 because the conversion from uint64 branches.

// decode dispatches on the width.
func decode(dst []float64, src []byte, p Params) {
	_, step := p.scales()
	switch {
	case p.Bits == 0:
		for i := range dst {
			dst[i] = p.Reference
		}
	case p.Bits == 8:
		decode8(dst, src, p.Reference, step)
	case p.Bits == 12:
		decode12(dst, src, p.Reference, step)
	case p.Bits == 16:
		decode16(dst, src, p.Reference, step)
	case p.Bits == 24:
		decode24(dst, src, p.Reference, step)
	case p.Bits == 32:
		decode32(dst, src, p.Reference, step)
	case p.Bits <= maxLoadBits:
		decodeLoads(dst, src, p.Bits, p.Reference, step)
	default:
		decodeBits(dst, src, p)
	}
}

// maxLoadBits is the widest integer that eight bytes hold wherever in the first byte it begins.
const maxLoadBits = 57

func decode8(dst []float64, src []byte, reference, step float64) {
	for len(dst) >= 8 && len(src) >= 8 {
		w := binary.LittleEndian.Uint64(src)
		d := dst[:8:8]
		d[0] = reference + float64(step*float64(int64(w&0xFF)))
		d[1] = reference + float64(step*float64(int64(w>>8&0xFF)))
		d[2] = reference + float64(step*float64(int64(w>>16&0xFF)))
		d[3] = reference + float64(step*float64(int64(w>>24&0xFF)))
		d[4] = reference + float64(step*float64(int64(w>>32&0xFF)))
		d[5] = reference + float64(step*float64(int64(w>>40&0xFF)))
		d[6] = reference + float64(step*float64(int64(w>>48&0xFF)))
		d[7] = reference + float64(step*float64(int64(w>>56)))
		dst, src = dst[8:], src[8:]
	}
	for i := range dst {
		dst[i] = reference + float64(step*float64(int64(src[i])))
	}
}

// decode12 reads eight values from twelve bytes: five from the first eight, three from the last
// eight.
func decode12(dst []float64, src []byte, reference, step float64) {
	for len(dst) >= 8 && len(src) >= 12 {
		hi, lo := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[4:])
		d := dst[:8:8]
		d[0] = reference + float64(step*float64(int64(hi>>52)))
		d[1] = reference + float64(step*float64(int64(hi>>40&0xFFF)))
		d[2] = reference + float64(step*float64(int64(hi>>28&0xFFF)))
		d[3] = reference + float64(step*float64(int64(hi>>16&0xFFF)))
		d[4] = reference + float64(step*float64(int64(hi>>4&0xFFF)))
		d[5] = reference + float64(step*float64(int64(lo>>24&0xFFF)))
		d[6] = reference + float64(step*float64(int64(lo>>12&0xFFF)))
		d[7] = reference + float64(step*float64(int64(lo&0xFFF)))
		dst, src = dst[8:], src[12:]
	}
	decodeLoads(dst, src, 12, reference, step)
}

func decode16(dst []float64, src []byte, reference, step float64) {
	for len(dst) >= 8 && len(src) >= 16 {
		a, b := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
		d := dst[:8:8]
		d[0] = reference + float64(step*float64(int64(a>>48)))
		d[1] = reference + float64(step*float64(int64(a>>32&0xFFFF)))
		d[2] = reference + float64(step*float64(int64(a>>16&0xFFFF)))
		d[3] = reference + float64(step*float64(int64(a&0xFFFF)))
		d[4] = reference + float64(step*float64(int64(b>>48)))
		d[5] = reference + float64(step*float64(int64(b>>32&0xFFFF)))
		d[6] = reference + float64(step*float64(int64(b>>16&0xFFFF)))
		d[7] = reference + float64(step*float64(int64(b&0xFFFF)))
		dst, src = dst[8:], src[16:]
	}
	for i := range dst {
		dst[i] = reference + float64(step*float64(int64(binary.BigEndian.Uint16(src[2*i:]))))
	}
}

// decode24 reads eight values from three words.
func decode24(dst []float64, src []byte, reference, step float64) {
	for len(dst) >= 8 && len(src) >= 24 {
		a, b, c := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:]), binary.BigEndian.Uint64(src[16:])
		d := dst[:8:8]
		d[0] = reference + float64(step*float64(int64(a>>40)))
		d[1] = reference + float64(step*float64(int64(a>>16&0xFFFFFF)))
		d[2] = reference + float64(step*float64(int64(a<<8&0xFFFFFF|b>>56)))
		d[3] = reference + float64(step*float64(int64(b>>32&0xFFFFFF)))
		d[4] = reference + float64(step*float64(int64(b>>8&0xFFFFFF)))
		d[5] = reference + float64(step*float64(int64(b<<16&0xFFFFFF|c>>48)))
		d[6] = reference + float64(step*float64(int64(c>>24&0xFFFFFF)))
		d[7] = reference + float64(step*float64(int64(c&0xFFFFFF)))
		dst, src = dst[8:], src[24:]
	}
	decodeLoads(dst, src, 24, reference, step)
}

func decode32(dst []float64, src []byte, reference, step float64) {
	for len(dst) >= 4 && len(src) >= 16 {
		a, b := binary.BigEndian.Uint64(src), binary.BigEndian.Uint64(src[8:])
		d := dst[:4:4]
		d[0] = reference + float64(step*float64(int64(a>>32)))
		d[1] = reference + float64(step*float64(int64(a&0xFFFFFFFF)))
		d[2] = reference + float64(step*float64(int64(b>>32)))
		d[3] = reference + float64(step*float64(int64(b&0xFFFFFFFF)))
		dst, src = dst[4:], src[16:]
	}
	for i := range dst {
		dst[i] = reference + float64(step*float64(int64(binary.BigEndian.Uint32(src[4*i:]))))
	}
}

// decodeLoads takes each value from the eight bytes it begins in. bits is 1 to maxLoadBits.
func decodeLoads(dst []float64, src []byte, bits int, reference, step float64) {
	shift := uint(64-bits) & 63
	fast := wholeLoads(len(dst), len(src), bits)
	pos := 0
	for i := range dst[:fast] {
		v := binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> shift
		dst[i] = reference + float64(step*float64(int64(v)))
		pos += bits
	}
	r := bitReader{src: src[pos>>3:]}
	r.read(pos & 7)
	for i := fast; i < len(dst); i++ {
		dst[i] = reference + float64(step*float64(int64(r.read(bits))))
	}
}

// wholeLoads returns how many of n values begin at least eight bytes before the end of size bytes.
func wholeLoads(n, size, bits int) int {
	if size < 8 {
		return 0
	}
	return min(n, (size-8)*8/bits+1)
}
