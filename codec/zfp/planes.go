package zfp

import "sync"

// A bit plane of a block is four bits, bit j of integer j. The first n integers have had a set bit
// in an earlier plane. The bits of these are stored; then, as long as n < 4, a group bit says
// whether any of the rest is set. If so their bits are stored up to the first that is set, which n
// then counts, too; the last bit is not stored when only it is left.
//
// The code of a plane depends on n, on its four bits, and, at the end of a block, on the bits that
// are left. The coder looks it up, for several planes at a time while there are enough (runs.go).

// maxPlaneBits is the most that a plane takes. With that many bits left a plane is complete.
const maxPlaneBits = 7

// Sizes of the tables: n takes 3 bits, and so do the bits left for the decoder. Where the
// encoder has no room for the whole code, it ends early.
const (
	encodeCodes = 8 << blockValues
	decodeCodes = 8 * 8 << maxPlaneBits
)

// An entry of a table is packed into one word. The integers known after the plane are where the
// next index has them:
//
//	encoder: bits 0 to 2 the length, 4 to 6 the integers known, 7 to 13 the code
//	decoder: bits 0 to 2 the length, 3 to 6 the plane, 7 to 9 the integers known
const (
	lengthMask   = 7
	decodeKnown  = 7 << maxPlaneBits
	writtenShift = 7
	planeShift   = 3
	planeMask    = 15
)

var (
	encodeTable [encodeCodes]uint16
	decodeTable [decodeCodes]uint16
)

// makeTables makes the tables, once. That takes half a millisecond, which programs that code nothing
// should not spend when they start.
var makeTables = sync.OnceFunc(func() {
	encodeTable, encodePairs = makeEncodeTable(), makeEncodePairs()
	decodeTable, decodeRuns = makeDecodeTable(), makeDecodeRuns()
})

// makeEncodeTable returns the code of plane x with n integers known at n<<4 | x.
func makeEncodeTable() (t [encodeCodes]uint16) {
	for n := range blockValues + 1 {
		for x := range 1 << blockValues {
			w := bitWriter{}
			after, _ := w.plane(uint64(x), n, maxPlaneBits)
			t[n<<blockValues|x] = uint16(w.filled) | uint16(after)<<blockValues | uint16(w.acc)<<writtenShift
		}
	}
	return t
}

// makeDecodeTable returns the plane that 7 bits of a stream begin with, at left<<10 | n<<7 |
// bits. There are n integers known and some bits left.
func makeDecodeTable() (t [decodeCodes]uint16) {
	for left := range maxPlaneBits + 1 {
		for n := range blockValues + 1 {
			for bits := range 1 << maxPlaneBits {
				r := planeReader{window: uint64(bits), budget: left}
				x, after := r.plane(n)
				t[left<<(3+maxPlaneBits)|n<<maxPlaneBits|bits] = uint16(left-r.budget) | uint16(x)<<planeShift | uint16(after)<<maxPlaneBits
			}
		}
	}
	return t
}

// plane writes plane x with n integers known in at most budget bits. It returns the integers known
// after it, and the bits left.
func (w *bitWriter) plane(x uint64, n, budget int) (after, left int) {
	m := min(n, budget)
	w.put(x&(1<<m-1), uint(m))
	x >>= m
	budget -= m
	for budget > 0 && n < blockValues {
		budget--
		if x == 0 {
			w.put(0, 1)
			break
		}
		w.put(1, 1)
		for budget > 0 && n < blockValues-1 {
			budget--
			w.put(x&1, 1)
			if x&1 != 0 {
				break
			}
			x >>= 1
			n++
		}
		x >>= 1
		n++
	}
	return n, budget
}

// planeReader reads bit by bit from a window of a stream.
type planeReader struct {
	window uint64
	budget int
}

func (r *planeReader) bit() uint64 {
	b := r.window & 1
	r.window >>= 1
	r.budget--
	return b
}

// plane reads a plane with n integers known. It returns the plane and the integers known after it.
func (r *planeReader) plane(n int) (x uint64, after int) {
	for i := range min(n, r.budget) {
		x |= r.bit() << i
	}
	for r.budget > 0 && n < blockValues {
		if r.bit() == 0 {
			break
		}
		for r.budget > 0 && n < blockValues-1 && r.bit() == 0 {
			n++
		}
		// The bit is set even when the budget ended before it.
		x |= 1 << n
		n++
	}
	return x, n
}

// spread puts the low 16 bits of x at every fourth bit.
func spread(x uint64) uint64 {
	x &= 0xffff
	x = (x | x<<24) & 0x000000ff000000ff
	x = (x | x<<12) & 0x000f000f000f000f
	x = (x | x<<6) & 0x0303030303030303
	return (x | x<<3) & 0x1111111111111111
}

// lanes puts the four bits of a plane at every sixteenth bit.
var lanes = makeLanes()

func makeLanes() (t [1 << blockValues]uint64) {
	for x := range t {
		for j := range blockValues {
			t[x] |= uint64(x>>j&1) << (16 * j)
		}
	}
	return t
}
