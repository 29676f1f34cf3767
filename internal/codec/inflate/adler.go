package inflate

import "encoding/binary"

const adlerMod = 65521

// adlerMost is how many bytes are added up before the sums are reduced. Each of the four parts of
// 32 bits of a weighted sum grows by at most 255·(16+15+8+7) for 16 bytes.
const adlerMost = 32 << 10

// adler32 is the checksum of RFC 1950, computed eight bytes at a time: with s1 the sum of bytes and
// s2 the sum of all values of s1, a word of bytes b0 … b7 adds b0 + … + b7 to s1 and 8·s1 + 8·b0 +
// 7·b1 + … + 1·b7 to s2.
func adler32(b []byte) uint32 {
	s1, s2 := uint64(1), uint64(0)
	for len(b) >= 8 {
		n := min(len(b)&^7, adlerMost)
		s1, s2 = adlerBatch(s1, s2, b[:n])
		b = b[n:]
	}
	for _, c := range b {
		s1 += uint64(c)
		s2 += s1
	}
	return uint32(s2%adlerMod)<<16 | uint32(s1%adlerMod)
}

// adlerWords adds words of eight bytes, at most adlerMost bytes in all.
func adlerWords(s1, s2 uint64, b []byte) (uint64, uint64) {
	const lanes = 0x00ff00ff00ff00ff
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		even, odd := w&lanes, w>>8&lanes // b0 b2 b4 b6, b1 b3 b5 b7
		s2 += 8 * s1
		// The top lane of a product is a sum of all lanes with the factor's lanes in reverse: ones
		// give the sum, weights the weighted sum.
		s1 += (even + odd) * 0x0001000100010001 >> 48
		s2 += even * 0x0008000600040002 >> 48 & 0xffff
		s2 += odd * 0x0007000500030001 >> 48 & 0xffff
	}
	return s1 % adlerMod, s2 % adlerMod
}
