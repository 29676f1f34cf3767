package aec

import "math"

// option is one of the ways to code a block that is not all zero.
type option int

const (
	splitting option = iota // at encoder.k
	secondExtension
	plain
)

// choose finds the option that gives the fewest bits, and for splitting the position e.k. Ties are settled as libaec does: an
// uncompressed block over the others, second extension over splitting.
func (e *encoder) choose(block []uint32) option {
	n := uint64(len(block))
	if e.ref.there {
		n--
	}
	limit := n * uint64(e.width)
	split, sum := uint64(math.MaxUint64), uint64(0)
	if e.idBits > 1 {
		split, sum = e.assessSplit(block, n)
	}
	if best := min(split, limit); secondMayFit(sum<<e.k, len(block), best) {
		if second := assessSecond(block, best); second < limit && second <= split {
			return secondExtension
		}
	}
	if split < limit {
		return splitting
	}
	return plain
}

// unarySum is the number of zero bits in the unary part of a block split at k.
func unarySum(block []uint32, k uint) uint64 {
	k &= 31
	var a, b uint64
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		a += uint64(g[0]>>k) + uint64(g[1]>>k)
		b += uint64(g[2]>>k) + uint64(g[3]>>k)
	}
	for _, v := range block {
		a += uint64(v >> k)
	}
	return a + b
}

// assessSplit finds the splitting position for a block of n coded samples. It returns the length of their codes in bits, and how many
// of these are zeros of unary codes.
//
// The search begins at the last block's position and walks upwards while that shortens the codes. Only when the first step up does
// not, or cannot, it walks downwards. One position more costs n bits and saves at most all the zeros; one less
// saves n bits and at least doubles them. Two positions may give the same length; which one is taken depends on this walk.
func (e *encoder) assessSplit(block []uint32, n uint64) (length, sum uint64) {
	k := e.k
	sum = unarySum(block, k)
	length = sum + n*uint64(k+1)
	if sum >= n {
		for sum >= n && k < e.kMax {
			s := unarySum(block, k+1)
			l := s + n*uint64(k+2)
			if l >= length {
				break
			}
			k, sum, length = k+1, s, l
		}
		e.k = k
		return length, sum
	}
	for k > 0 && sum < n {
		s := unarySum(block, k-1)
		l := s + n*uint64(k)
		if l >= length {
			break
		}
		k, sum, length = k-1, s, l
	}
	e.k = k
	return length, sum
}

// secondMayFit tells whether a block of so many samples, whose sum is atLeast or more, can be coded by second extension within limit bits.
// With p pairs of sums s the codes have sum(s(s+1)/2 + 1) bits or more, which is least when all s are equal.
func secondMayFit(atLeast uint64, samples int, limit uint64) bool {
	p := uint64(samples / 2)
	if atLeast >= limit { // s(s+1)/2 is not less than s
		return false
	}
	return atLeast*(atLeast+p)/(2*p)+p <= limit
}

// assessSecond is the length of a block by second extension, or MaxUint64 when that is above limit.
func assessSecond(block []uint32, limit uint64) uint64 {
	length := uint64(1)
	for i := 0; i < len(block)-1; i += 2 {
		s := uint64(block[i]) + uint64(block[i+1])
		length += s*(s+1)/2 + uint64(block[i+1]) + 1
		if length > limit {
			return math.MaxUint64
		}
	}
	return length
}
