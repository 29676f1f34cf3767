package packing

import "fmt"

// PackUint32 appends the low bits of each integer, most significant bit first and without gaps; the last byte is
// filled with zeros. bits is 0 to 32.
func PackUint32(dst []byte, src []uint32, bits int) []byte {
	acc, have := uint64(0), 0
	mask := uint64(1)<<bits - 1
	for _, v := range src {
		acc = acc<<bits | uint64(v)&mask
		have += bits
		for have >= 8 {
			have -= 8
			dst = append(dst, byte(acc>>have))
		}
	}
	if have > 0 {
		dst = append(dst, byte(acc<<(8-have)))
	}
	return dst
}

// UnpackUint32 fills dst with integers of bits bits, 0 to 32.
func UnpackUint32(dst []uint32, src []byte, bits int) error {
	if bits < 0 || bits > 32 {
		return fmt.Errorf("packing: %d bits per value do not fit 32", bits)
	}
	need, ok := Size(len(dst), bits)
	if !ok || len(src) < need {
		return fmt.Errorf("packing: %d bytes for %d values of %d bits, expected %d", len(src), len(dst), bits, need)
	}
	acc, have := uint64(0), 0
	mask := uint64(1)<<bits - 1
	for i := range dst {
		for have < bits {
			acc = acc<<8 | uint64(src[0])
			src = src[1:]
			have += 8
		}
		have -= bits
		dst[i] = uint32(acc >> have & mask)
	}
	return nil
}
