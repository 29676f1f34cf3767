// Package match copies the matches of codecs of the LZ77 family: bytes that have come before, which
// may reach into the copy.
package match

import "encoding/binary"

// Room is how many bytes beyond a match [Copy] may write where dst has them.
const Room = 8

// Copy copies length bytes from offset bytes back to dst[out:]. Up to Room bytes that it writes after these
// are to be written later.
func Copy(dst []byte, out, offset, length int) {
	switch {
	case length > 32 || len(dst)-out < length+Room:
		from := dst[out-offset : out+length]
		if offset >= length {
			copy(from[offset:], from)
		} else {
			Repeat(from, offset)
		}
	case offset >= 8:
		from, to := dst[out-offset:], dst[out:out+length+Room]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
		}
	case offset == 1:
		word := uint64(dst[out-1]) * 0x0101010101010101
		to := dst[out : out+length+Room]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], word)
		}
	default:
		Repeat(dst[out-offset:out+length], offset)
	}
}

// Repeat fills b with its first n bytes, again and again.
func Repeat(b []byte, n int) {
	for n < len(b) {
		n += copy(b[n:], b[:n])
	}
}

// Patterns has for each offset below 16 the sources of the bytes of a run of that period. Assembly makes 16
// of them at once.
var Patterns = [16][16]byte{
	2:  {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
	3:  {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0},
	4:  {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
	5:  {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0},
	6:  {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3},
	7:  {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1},
	8:  {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7},
	9:  {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6},
	10: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5},
	11: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4},
	12: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3},
	13: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2},
	14: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1},
	15: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0},
}

// Steps has the most whole periods in 16 bytes.
var Steps = [16]byte{16, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15}
