package zfp

import "encoding/binary"

// Most planes take two to four bits. A table that is indexed by some more bits gives several
// planes at once.

const (
	// runBits is how many bits of a stream an entry of the decoder's table is for, at most. It is
	// not less than maxPlaneBits, so that each gives one plane at least.
	runBits = 10
	// runPlanes is the most planes of an entry. After three entries a lane of 16 bits is nearly
	// full.
	runPlanes = 5
	runSteps  = 3
)

// A runTable is indexed by n<<(runBits+1) | 1<<left | bits. There are left bits, runBits at most.
// With fewer than runBits the block ends with them, and so may the last plane in the middle;
// otherwise an entry has complete planes only. It is
//
//	bits 0 to 4, 16 to 20, 32 to 36, 48 to 52: of each integer, the last plane lowest
//	bits 5 to 8: bits of the stream; 9 to 11: planes
//	bits 21 to 24: the integers known after them
type runTable [1 << runIndexBits]uint64

const (
	runIndexBits   = 3 + runBits + 1
	runLanes       = 0x001f001f001f001f
	runLengthShift = 5
	runCountShift  = 9
	runKnownShift  = 21
	runKnown       = 7 << (runBits + 1)
)

var decodeRuns runTable // see makeTables

func makeDecodeRuns() (t runTable) {
	for n := range blockValues + 1 {
		for i := 1; i < 2<<runBits; i++ {
			left := runBits
			for i>>left == 0 {
				left--
			}
			t[n<<(runBits+1)|i] = makeRun(uint64(i)&^(1<<left), n, left)
		}
	}
	return t
}

// makeRun returns the entry for left bits with n integers known.
func makeRun(stream uint64, n, left int) uint64 {
	r := planeReader{window: stream, budget: left}
	lanes, planes := uint64(0), 0
	for planes < runPlanes && r.budget > 0 {
		before := r
		if left == runBits {
			r.budget = maxPlaneBits // if more bits than the rest may be needed, the plane is left out
		}
		x, after := r.plane(n)
		if used := maxPlaneBits - r.budget; left == runBits {
			if used > before.budget {
				r = before
				break
			}
			r.budget = before.budget - used
		}
		lanes, n, planes = lanes<<1|laneBits(x), after, planes+1
	}
	return lanes | uint64(left-r.budget)<<runLengthShift | uint64(planes)<<runCountShift | uint64(n)<<runKnownShift
}

// laneBits puts the four bits of a plane at every sixteenth bit.
func laneBits(x uint64) uint64 {
	return x&1 | x>>1&1<<16 | x>>2&1<<32 | x>>3&1<<48
}

// decodeRun reads some planes of u, the highest being k, at most budget bits, with n<<(runBits+1)
// integers known. There must be runSteps·runPlanes planes. It returns the next plane, the bits
// left of the budget, and the integers known.
func decodeRun(u *[blockValues]uint64, r uint64, k, budget int, n uint64) (int, int, uint64) {
	var word uint64
	for range runSteps {
		left := min(uint(budget), runBits)
		bit := uint64(1) << (left & 15)
		e := decodeRuns[(n|bit|r&(bit-1))&(1<<runIndexBits-1)]
		length := uint(e>>runLengthShift) & 15
		planes := uint(e>>runCountShift) & 7
		n = e >> (runKnownShift - runBits - 1) & runKnown
		r >>= length
		budget -= int(length)
		k -= int(planes)
		word = word<<planes | e&runLanes
	}
	first := uint(k+1) & 63
	u[0] |= word & 0xffff << first
	u[1] |= word >> 16 & 0xffff << first
	u[2] |= word >> 32 & 0xffff << first
	u[3] |= word >> 48 << first
	return k, budget, n
}

// An entry of the encoder's table is the code of two planes, at n<<8 | planes. Each integer has two
// bits of planes and the first plane is the higher nibble:
//
//	bits 0 to 3 the length, 8 to 10 the integers known, 16 to 29 the code
//
// Where a block has no room for the whole code, it ends early.
const (
	pairIndexBits = 3 + 2*blockValues
	pairKnown     = 7 << (2 * blockValues)
	pairShift     = 16
)

var encodePairs [1 << pairIndexBits]uint32 // see makeTables

func makeEncodePairs() (t [1 << pairIndexBits]uint32) {
	for n := range blockValues + 1 {
		for x := range uint64(1 << (2 * blockValues)) {
			w := bitWriter{}
			after, _ := w.plane(x>>blockValues, n, maxPlaneBits)
			after, _ = w.plane(x&(1<<blockValues-1), after, maxPlaneBits)
			t[n<<(2*blockValues)|int(x)] = uint32(w.filled) | uint32(after)<<(2*blockValues) | uint32(w.acc)<<pairShift
		}
	}
	return t
}

// pairs writes planes two at a time. It returns the next plane, the bits left, and how many
// integers are known.
func (w *bitWriter) pairs(u *[blockValues]uint64, k, last, budget int) (int, int, uint64) {
	n := uint64(0)
	acc, filled := w.acc, w.filled
	for k > last && budget > 0 {
		// Sixteen planes at a time: each is four bits of a word.
		first := max(k-15, 0)
		word := spread(u[0]>>first) | spread(u[1]>>first)<<1 | spread(u[2]>>first)<<2 | spread(u[3]>>first)<<3
		for stop := max(first, last); k > stop && budget > 0; k -= 2 {
			x := word >> (4 * (k - 1 - first) & 63) & 0xff
			c := uint64(encodePairs[(n|x)&(1<<pairIndexBits-1)])
			n = c & pairKnown
			length, written := uint(c&15), c>>pairShift
			if int(length) > budget {
				length = uint(budget)
				written &= 1<<(length&15) - 1
			}
			budget -= int(length)
			acc |= written << (filled & 63)
			if filled += length; filled >= 64 {
				w.buf = binary.LittleEndian.AppendUint64(w.buf, acc)
				filled -= 64
				acc = written >> (length - filled)
			}
		}
	}
	w.acc, w.filled = acc, filled
	return k, budget, n >> (2 * blockValues)
}
