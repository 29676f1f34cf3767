// Package bits reads unsigned integers of any width from big-endian bit strings. This is the form
// of every number array in GRIB: most significant bit first, without gaps or alignment between the
// numbers.
//
// Positions and widths are in bits. A caller must have checked with Fits that the numbers are
// there; then no function here fails.
package bits

import (
	"encoding/binary"
)

// MaxWidth is the widest number the package reads.
const MaxWidth = 64

// Fits reports whether n numbers of width bits lie in src from bit pos on. The computation does
// not overflow, however large the arguments.
func Fits(src []byte, pos, n, width int) bool {
	total := 8 * len(src)
	if pos < 0 || pos > total || n < 0 || width < 0 {
		return false
	}
	return width == 0 || n <= (total-pos)/width
}

// Uint reads one number of up to 64 bits at bit pos.
func Uint(src []byte, pos, width int) uint64 {
	if width <= 0 {
		return 0
	}
	i, shift := pos>>3, pos&7
	if shift+width <= 64 && i+8 <= len(src) {
		return binary.BigEndian.Uint64(src[i:]) << shift >> (64 - width)
	}
	var v uint64
	for width > 0 {
		take := min(8-shift, width)
		b := uint64(src[i]) >> (8 - shift - take) & (1<<take - 1)
		v = v<<take | b
		width -= take
		i, shift = i+1, 0
	}
	return v
}

// Integer is a type that numbers can be unpacked to.
type Integer interface{ ~int64 | ~uint32 | ~uint64 }

// Unpack reads len(dst) numbers of width bits from bit pos on. A number wider than the type of dst
// loses its upper bits.
func Unpack[T Integer](dst []T, src []byte, pos, width int) {
	switch {
	case width == 0:
		clear(dst)
		return
	case pos&7 == 0 && width == 8:
		for i, b := range src[pos>>3:][:len(dst)] {
			dst[i] = T(b)
		}
		return
	case pos&7 == 0 && width == 16:
		unpack16(dst, src[pos>>3:])
		return
	}
	i := 0
	if width <= 57 { // 7 bits of shift and the number fit one 8-byte load
		lead := uint(64-width) & 63 // a masked shift count needs no test for counts above 63
		for last := 8 * (len(src) - 8); i < len(dst) && pos <= last; i++ {
			dst[i] = T(binary.BigEndian.Uint64(src[pos>>3:]) << (pos & 7) >> lead)
			pos += width
		}
	}
	for ; i < len(dst); i++ {
		dst[i] = T(Uint(src, pos, width))
		pos += width
	}
}

func unpack16[T Integer](dst []T, src []byte) {
	src = src[:2*len(dst)]
	for i := range dst {
		dst[i] = T(binary.BigEndian.Uint16(src[2*i:]))
	}
}

// UnpackAdd is Unpack with add added to every number. Widths are 1 to 57.
func UnpackAdd(dst []int64, src []byte, pos, width int, add int64) {
	i := 0
	lead := uint(64-width) & 63
	for last := 8 * (len(src) - 8); i < len(dst) && pos <= last; i++ {
		dst[i] = int64(binary.BigEndian.Uint64(src[pos>>3:])<<(pos&7)>>lead) + add
		pos += width
	}
	for ; i < len(dst); i++ {
		dst[i] = int64(Uint(src, pos, width)) + add
		pos += width
	}
}
