package aec

import "encoding/binary"

// Unary codes are read a byte at a time. A table gives, for each byte, the lengths of the zero runs
// before its one bits.

// byteRuns describes the zero runs in a byte, read from its most significant bit.
type byteRuns struct {
	runs uint64 // run before the first set bit in the lowest byte, before the second in the next byte, and so on
	ones uint8  // number of one bits
	tail uint8  // zeros after the last set bit
	keep int8   // -1 when no bit is set, so that the count of zeros continues from the bytes before; else 0
}

var runTable = makeRunTable()

func makeRunTable() (table [256]byteRuns) {
	for b := range table {
		e := &table[b]
		for bit := 7; bit >= 0; bit-- {
			if b>>bit&1 == 0 {
				e.tail++
				continue
			}
			e.runs |= uint64(e.tail) << (8 * e.ones)
			e.ones++
			e.tail = 0
		}
		if e.ones == 0 {
			e.keep = -1
		}
	}
	return table
}

// endTable gives, for a byte and r, the number of its bits up to and including its set bit r. Set
// bits are counted from 0.
var endTable = makeEndTable()

func makeEndTable() (table [256][8]uint8) {
	for b := range table {
		r := 0
		for bit := range 8 {
			if b<<bit&0x80 != 0 {
				table[b][r] = uint8(bit + 1)
				r++
			}
		}
	}
	return table
}

const (
	// maxFastBlock is the largest block size that the kernels take, in samples.
	maxFastBlock = 256
	// maxFastRun is the longest run of zeros carried from byte to byte, so that all runs fit 8
	// bits.
	maxFastRun = 255 - 7
)

// codeBuffer holds the unary codes of a block, and the rest of the last byte.
type codeBuffer [maxFastBlock + 8]uint8

// readUnary reads n unary codes that begin at bit pos of src into codes, and returns the bit after
// them. The number n is 1 to maxFastBlock. It gives up, with ok false, at the end of src and at
// codes that may be longer than maxFastRun.
func readUnary(codes *codeBuffer, n int, src []byte, pos uint64) (end uint64, ok bool) {
	at := pos >> 3
	if at >= uint64(len(src)) {
		return 0, false
	}
	// The bits before pos in the first byte are cleared and taken off again by a negative carry.
	b := src[at] & (0xff >> (pos & 7))
	carry := -int64(pos & 7)
	for i := 0; ; {
		e := &runTable[b]
		slot := i & (maxFastBlock - 1) // i is below n
		binary.LittleEndian.PutUint64(codes[slot:slot+8], e.runs+uint64(carry))
		i += int(e.ones)
		if i >= n {
			last := n - 1 - i + int(e.ones)
			return at<<3 + uint64(endTable[b][last&7]), true
		}
		carry = carry&int64(e.keep) + int64(e.tail)
		at++
		if at >= uint64(len(src)) || carry > maxFastRun {
			return 0, false
		}
		b = src[at]
	}
}
