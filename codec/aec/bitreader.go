package aec

import (
	"encoding/binary"
	"math/bits"
)

// bitReader reads a stream number by number with every access checked.
type bitReader struct {
	src []byte
	pos uint64 // bits read so far
}

// left is the number of unread bits. An interval that is padded to a byte may begin after the last
// bit.
func (r *bitReader) left() uint64 { return max(uint64(len(r.src))*8, r.pos) - r.pos }

// bits reads an n-bit number, n up to 32.
func (r *bitReader) bits(n uint) (uint32, bool) {
	if uint64(n) > r.left() {
		return 0, false
	}
	v := r.peek() >> (64 - n)
	r.pos += uint64(n)
	return uint32(v), true
}

// unary counts the clear bits before the next set bit, and reads these bits.
func (r *bitReader) unary() (uint64, bool) {
	start, left := r.pos, r.left()
	for n := uint64(0); n < left; n += 56 {
		r.pos = start + n
		if z := uint64(bits.LeadingZeros64(r.peek())); z < 56 {
			r.pos += z + 1
			return n + z, true
		}
	}
	r.pos = start
	return 0, false
}

// peek returns the next bits, most significant first. They are 57 or more, with zeros after the
// end of the stream.
func (r *bitReader) peek() uint64 {
	at := r.pos >> 3
	if at+8 <= uint64(len(r.src)) {
		return binary.BigEndian.Uint64(r.src[at:]) << (r.pos & 7)
	}
	var tail [8]byte
	if at < uint64(len(r.src)) {
		copy(tail[:], r.src[at:])
	}
	return binary.BigEndian.Uint64(tail[:]) << (r.pos & 7)
}
