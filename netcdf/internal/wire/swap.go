package wire

import (
	"encoding/binary"
	"math/bits"
)

// Swap reverses the bytes of every element of size bytes in place. The length of b is a multiple of
// size.
func Swap(b []byte, size int) {
	switch size {
	case 1:
	case 2:
		swap2(b)
	case 4:
		swap4(b)
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			binary.LittleEndian.PutUint64(b, bits.ReverseBytes64(binary.LittleEndian.Uint64(b)))
		}
	default:
		swapAny(b, size)
	}
}

// swap2 handles four elements at once in one 64-bit word.
func swap2(b []byte) {
	const odd = 0x00ff00ff00ff00ff
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		binary.LittleEndian.PutUint64(b, (w&odd)<<8|(w>>8)&odd)
	}
	swapAny(b, 2)
}

// swap4 handles two elements at once: reversing all eight bytes also swaps the two halves, which
// the rotation undoes.
func swap4(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		w := bits.ReverseBytes64(binary.LittleEndian.Uint64(b))
		binary.LittleEndian.PutUint64(b, bits.RotateLeft64(w, 32))
	}
	swapAny(b, 4)
}

func swapAny(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		for i, j := 0, size-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
