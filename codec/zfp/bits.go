package zfp

import "encoding/binary"

// bitWriter appends bits to a buffer, lowest bit first.
type bitWriter struct {
	buf    []byte
	acc    uint64 // bits that do not fill a word yet
	filled uint   // how many
}

// put appends the n low bits of v, at most 64. The other bits of v are 0.
func (w *bitWriter) put(v uint64, n uint) {
	w.acc |= v << w.filled
	w.filled += n
	if w.filled >= 64 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
		w.filled -= 64
		w.acc = v >> (n - w.filled) // the rest of v; 0 when the word is just full
	}
}

// zeros appends n zero bits.
func (w *bitWriter) zeros(n int) {
	for ; n >= 64; n -= 64 {
		w.put(0, 64)
	}
	w.put(0, uint(n))
}

// flush fills the last word with zeros and returns the buffer.
func (w *bitWriter) flush() []byte {
	if w.filled > 0 {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc)
		w.acc, w.filled = 0, 0
	}
	return w.buf
}

// windowBits is how many bits of a window are valid at least.
const windowBits = 57

// window returns the bits from bit at on. Bits after the end of src are 0.
func window(src []byte, at uint64) uint64 {
	i := at >> 3
	if i+8 <= uint64(len(src)) {
		return binary.LittleEndian.Uint64(src[i:]) >> (at & 7)
	}
	var last [8]byte
	if i < uint64(len(src)) {
		copy(last[:], src[i:])
	}
	return binary.LittleEndian.Uint64(last[:]) >> (at & 7)
}
