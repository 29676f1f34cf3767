package packing

// bitWriter writes integers most significant bit first into dst, which must be large enough.
type bitWriter struct {
	dst  []byte
	acc  uint64 // the low have bits are not written yet
	have int    // less than 8
}

// write appends the low n bits of v, n up to 64.
func (w *bitWriter) write(v uint64, n int) {
	if n > 32 {
		w.write(v>>32, n-32)
		n = 32
	}
	w.acc = w.acc<<n | v&(1<<n-1)
	w.have += n
	for w.have >= 8 {
		w.have -= 8
		w.dst[0] = byte(w.acc >> w.have)
		w.dst = w.dst[1:]
	}
}

// flush writes the remaining bits, filled with zeros.
func (w *bitWriter) flush() {
	if w.have > 0 {
		w.dst[0] = byte(w.acc << (8 - w.have))
	}
}

// bitReader reads the bits of a bitWriter.
type bitReader struct {
	src  []byte
	acc  uint64
	have int
}

// read returns the next n bits, n up to 64.
func (r *bitReader) read(n int) uint64 {
	var high uint64
	if n > 32 {
		high = r.read(n-32) << 32
		n = 32
	}
	for r.have < n {
		r.acc = r.acc<<8 | uint64(r.src[0])
		r.src = r.src[1:]
		r.have += 8
	}
	r.have -= n
	return high | r.acc>>r.have&(1<<n-1)
}
