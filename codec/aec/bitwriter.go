package aec

// bitWriter appends bits to buf.
type bitWriter struct {
	buf   []byte
	start int    // length of buf before the stream
	acc   uint64 // bits not yet in buf, in the low end
	n     uint   // how many, below 8 between calls
}

// position is the number of bits written.
func (w *bitWriter) position() uint64 { return uint64(len(w.buf)-w.start)*8 + uint64(w.n) }

// bits writes the n low bits of v, which has no others; n is up to 32.
func (w *bitWriter) bits(v uint32, n uint) {
	w.acc = w.acc<<n | uint64(v)
	w.n += n
	for w.n >= 8 {
		w.n -= 8
		w.buf = append(w.buf, byte(w.acc>>w.n))
	}
}

// unary writes m zero bits and a one bit.
func (w *bitWriter) unary(m uint64) {
	for m >= 32 {
		w.bits(0, 32)
		m -= 32
	}
	w.bits(0, uint(m))
	w.bits(1, 1)
}

// finish fills the last byte with zero bits and returns the buffer.
func (w *bitWriter) finish() []byte {
	if w.n > 0 {
		w.buf = append(w.buf, byte(w.acc<<(8-w.n)))
		w.n = 0
	}
	return w.buf
}
