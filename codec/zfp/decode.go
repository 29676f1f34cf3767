package zfp

import (
	"fmt"
	"math"
	"math/bits"
)

// Decode fills dst with the values of the stream src, which must hold exactly len(dst) values.
func Decode(dst []float64, src []byte, p Params) error {
	makeTables()
	l, err := p.limits()
	if err == nil {
		err = p.CheckSize(len(dst), len(src))
	}
	if err != nil {
		return err
	}
	at, err := decodeBlocks(dst, src, 0, 0, l)
	if err != nil {
		return err
	}
	if most := (at + 63) / 64 * 8; uint64(len(src)) > most {
		return &StreamError{blocks(len(dst)), at, fmt.Errorf("%w: %d bytes, expected %d", ErrLength, len(src), most)}
	}
	return nil
}

// decodeBlocks fills dst with the values of the blocks from bit at on. The first of them has
// number block. It returns where the last block ends.
func decodeBlocks(dst []float64, src []byte, at uint64, block int, l limits) (uint64, error) {
	if l.fixed() {
		return decodeFixed(dst, src, at, block, l)
	}
	return decodeInOrder(dst, src, at, block, 0, l)
}

// decodeInOrder is decodeBlocks for one core. The argument block is as in decodeBlocks; dst
// begins before blocks later.
func decodeInOrder(dst []float64, src []byte, at uint64, block, before int, l limits) (uint64, error) {
	end := 8 * uint64(len(src))
	for ; len(dst) > 0; before++ {
		begin := at
		if len(dst) >= blockValues {
			at = decodeBlock((*[blockValues]float64)(dst), src, at, l)
			dst = dst[blockValues:]
		} else {
			var last [blockValues]float64
			at = decodeBlock(&last, src, at, l)
			copy(dst, last[:])
			dst = nil
		}
		if at > end {
			return at, &StreamError{block + before, begin, fmt.Errorf("%w: block %d of the call", ErrTruncated, before)}
		}
	}
	return at, nil
}

// decodeBlock decodes the block at bit at and returns where it ends.
func decodeBlock(v *[blockValues]float64, src []byte, at uint64, l limits) uint64 {
	w := window(src, at)
	next := at + uint64(l.minBits)
	if w&1 == 0 {
		*v = [blockValues]float64{}
		return max(next, at+1)
	}
	e := int(w>>1&(1<<exponentBits-1)) - exponentBias
	at += headBits
	var u [blockValues]uint64
	if planes := l.planesFor(e); planes > 0 {
		at = decodePlanes(&u, src, at, planes, l.maxBits-headBits)
	}
	scale := math.Float64frombits(uint64(e-62+exponentBias) << 52)
	if e < smallestScale {
		scale = math.Ldexp(1, e-62)
	}
	x, y, z, t := inverse(&u)
	v[0], v[1], v[2], v[3] = scale*float64(x), scale*float64(y), scale*float64(z), scale*float64(t)
	return max(next, at)
}

// smallestScale is the smallest exponent of a block that has a normal double as its scale.
const smallestScale = 62 - 1022

// inverse undoes forward.
func inverse(u *[blockValues]uint64) (x, y, z, w int64) {
	plain := func(i uint64) int64 { return int64((i ^ negabinary) - negabinary) }
	x, y, z, w = plain(u[0]), plain(u[1]), plain(u[2]), plain(u[3])
	return lift(x, y, z, w)
}

// decodePlanes reads the highest planes of u, at most budget bits, and returns where they end.
func decodePlanes(u *[blockValues]uint64, src []byte, at uint64, planes, budget int) uint64 {
	k, last := allPlanes-1, allPlanes-planes
	// Planes without a set bit so far are a single clear bit each.
	for k >= last && budget > 0 {
		most := min(windowBits, k-last+1, budget)
		empty := min(bits.TrailingZeros64(window(src, at)), most)
		at += uint64(empty)
		budget -= empty
		k -= empty
		if empty < most {
			break
		}
	}
	run := uint64(0)
	for k-last >= runSteps*runPlanes && budget > 0 {
		before := budget
		k, budget, run = decodeRun(u, window(src, at), k, budget, run)
		at += uint64(before - budget)
	}
	n := run << maxPlaneBits >> (runBits + 1)
	for k >= last && budget > 0 {
		// Sixteen planes at a time: the bits of integer j in the j-th 16 bits of a word.
		var word uint64
		for stop := max(k-15, last); k >= stop && budget > 0; {
			r, before := window(src, at), budget
			for ready := windowBits; ready >= maxPlaneBits && k >= stop && budget > 0; k-- {
				left := uint64(min(budget, maxPlaneBits))
				c := uint64(decodeTable[(left<<(3+maxPlaneBits)|n|r&(1<<maxPlaneBits-1))%decodeCodes])
				n = c & decodeKnown
				length := c & lengthMask
				r >>= length
				ready -= int(length)
				budget -= int(length)
				word = word<<1 | lanes[c>>planeShift&planeMask]
			}
			at += uint64(before - budget)
		}
		first := uint(k + 1)
		u[0] |= word & 0xffff << (first & 63)
		u[1] |= word >> 16 & 0xffff << (first & 63)
		u[2] |= word >> 32 & 0xffff << (first & 63)
		u[3] |= word >> 48 << (first & 63)
	}
	return at
}
