package aec

import (
	"math"
	"math/bits"
)

// option is one of the ways to code a block that is not all zero.
type option int

const (
	splitting option = iota // at encoder.k
	secondExtension
	plain
)

// choose finds the option that gives the fewest bits for a block of samples whose sum is total.
// Splitting is at position e.k. Ties are settled as libaec does: an uncompressed block over the
// others, second extension over splitting.
func (e *encoder) choose(block []uint32, total uint64) option {
	n := uint64(len(block))
	if e.ref.there {
		n--
	}
	limit := n * uint64(e.width)
	split := uint64(math.MaxUint64)
	if e.idBits > 1 {
		split = e.assessSplit(block, n, total)
	}
	if best := min(split, limit); secondMayFit(total, len(block), best) {
		if second := assessSecond(block, best); second < limit && second <= split {
			return secondExtension
		}
	}
	if split < limit {
		return splitting
	}
	return plain
}

// assessSplit finds the splitting position for a block of n coded samples. It returns the length of
// their codes in bits.
//
// At position k the codes have f(k) = z(k) + n(k+1) bits, where z counts the zeros of the unary
// codes. One position more costs n bits and saves z(k)-z(k+1), which does not grow with k, so that
// f falls to a minimum and rises from there. At times two positions or three share the minimum.
// libaec walks from the last block's position in steps that shorten the codes, so that it ends at
// the minimum nearest to its start. The walk here begins where the minimum is likely.
func (e *encoder) assessSplit(block []uint32, n, total uint64) (length uint64) {
	mean := total >> (bits.Len(uint(len(block))) - 1)
	k := min(uint(max(bits.Len64(mean)-1, 0)), e.kMax)
	if k+1 >= e.k && k <= e.k+1 {
		k = e.k
	}
	before, at, after := e.unarySums(block, k, total)
	for {
		switch up, down := at-after, before-at; {
		case k < e.kMax && (up > n || up == n && e.k > k):
			k++
			before, at, after = at, after, e.unarySum(block, k+1)
		case k > 0 && (down < n || down == n && e.k < k):
			k--
			before, at, after = e.unarySum(block, max(k, 1)-1), before, at
		default:
			e.k = k
			return at + n*uint64(k+1)
		}
	}
}

// assessment has the results of the vector kernels for a block, which avx2_amd64.s reads and writes.
type assessment struct {
	bias, mask uint32
	high       uint32 // a difference with one of these bits may make sums overflow
	k          uint32 // the splitting position for which sums are wanted
	sums
}

// sums are of the differences in a block, and of the unary parts at three splitting positions.
// These are k-1, k and k+1.
type sums struct{ total, before, at, after uint64 }

// unarySums is the function unarySums. The vector kernels may have computed its result before.
func (e *encoder) unarySums(block []uint32, k uint, total uint64) (before, at, after uint64) {
	s := &e.assessed
	switch {
	case !e.exact:
		return unarySums(block, k, total)
	case k == e.k:
		return s.before, s.at, s.after
	}
	return e.unarySum(block, max(k, 1)-1), e.unarySum(block, k), e.unarySum(block, k+1)
}

// unarySum is the function unarySum, by vectors where these are used.
func (e *encoder) unarySum(block []uint32, k uint) uint64 {
	if e.exact {
		return uint64(unarySumAVX2(&block[0], len(block), k))
	}
	return unarySum(block, k)
}

// unarySums counts the zero bits in the unary part of a block split at k-1, k and k+1. For k = 0
// the first is 0. total is the sum of the samples.
func unarySums(block []uint32, k uint, total uint64) (before, at, after uint64) {
	if k == 0 {
		for _, v := range block {
			after += uint64(v >> 1)
		}
		return 0, total, after
	}
	k = (k - 1) & 31
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		a, b, c, d := uint64(g[0]>>k), uint64(g[1]>>k), uint64(g[2]>>k), uint64(g[3]>>k)
		before += a + b + c + d
		a, b, c, d = a>>1, b>>1, c>>1, d>>1
		at += a + b + c + d
		after += a>>1 + b>>1 + c>>1 + d>>1
	}
	for _, v := range block {
		v >>= k
		before += uint64(v)
		at += uint64(v >> 1)
		after += uint64(v >> 2)
	}
	return before, at, after
}

// unarySum counts the zero bits in the unary part of a block split at k.
func unarySum(block []uint32, k uint) (sum uint64) {
	k &= 63
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		sum += uint64(g[0])>>k + uint64(g[1])>>k + uint64(g[2])>>k + uint64(g[3])>>k
	}
	for _, v := range block {
		sum += uint64(v) >> k
	}
	return sum
}

// secondMayFit reports whether a block of n samples can be coded by second extension within
// limit bits. With p pairs of sums s the codes have sum(s(s+1)/2 + 1) bits or more, which is least
// when all s are equal.
func secondMayFit(total uint64, samples int, limit uint64) bool {
	p := uint64(samples / 2)
	if total >= limit { // s(s+1)/2 is not less than s
		return false
	}
	return limit >= p && total*(total+p) < (limit-p+1)*2*p
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
