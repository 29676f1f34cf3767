package aec

// bitReader reads a stream bit by bit with every access checked. It is the plain form of all reading; the kernels in
// kernels.go read whole blocks faster where enough bytes lie ahead.
type bitReader struct {
	src []byte
	pos uint64 // bits read so far
}

// left is the number of unread bits.
func (r *bitReader) left() uint64 { return uint64(len(r.src))*8 - r.pos }

// bits reads an n-bit number, n up to 32.
func (r *bitReader) bits(n uint) (uint32, bool) {
	if uint64(n) > r.left() {
		return 0, false
	}
	var v uint64
	first, end := r.pos>>3, (r.pos+uint64(n)+7)>>3
	for _, b := range r.src[first:end] {
		v = v<<8 | uint64(b)
	}
	r.pos += uint64(n)
	v >>= end<<3 - r.pos
	return uint32(v & (1<<n - 1)), true
}

// unary counts the zero bits before the next one bit and reads both.
func (r *bitReader) unary() (uint64, bool) {
	start, end := r.pos, uint64(len(r.src))*8
	for p := start; p < end; {
		if p&7 == 0 && r.src[p>>3] == 0 {
			p += 8
			continue
		}
		if r.src[p>>3]&(0x80>>(p&7)) != 0 {
			r.pos = p + 1
			return p - start, true
		}
		p++
	}
	return 0, false
}
