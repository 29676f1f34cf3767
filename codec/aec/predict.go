package aec

// The unit-delay predictor and the mapping of its differences to non-negative numbers (CCSDS
// 121.0-B-3, section 4). Signed samples are mapped in offset binary, that is with 2^(n-1) added:
// there the formulas are the same as for unsigned samples. mask is always 2^n-1, the largest
// sample. Arithmetic is in 64 bits, where no sum of two samples overflows.

// mapBlock replaces samples by their mapped differences, given the sample x before them. It
// returns the sum of the differences. A sample plus bias is offset binary: bias is 0 or 2^(n-1).
func mapBlock(block []uint32, x, bias, mask uint64) (sum uint64) {
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		y0, y1, y2, y3 := uint64(g[0])^bias, uint64(g[1])^bias, uint64(g[2])^bias, uint64(g[3])^bias
		d0, d1, d2, d3 := y0-x, y1-y0, y2-y1, y3-y2
		m0, m1, m2, m3 := folded(d0), folded(d1), folded(d2), folded(d3)
		if (x-d0)|(y0-d1)|(y1-d2)|(y2-d3) > mask { // somewhere one direction has no room
			m0, m1, m2, m3 = mapped(x, y0, mask), mapped(y0, y1, mask), mapped(y1, y2, mask), mapped(y2, y3, mask)
		}
		g[0], g[1], g[2], g[3] = uint32(m0), uint32(m1), uint32(m2), uint32(m3)
		sum += m0 + m1 + m2 + m3
		x = y3
	}
	for i, v := range block {
		y := uint64(v) ^ bias
		m := mapped(x, y, mask)
		block[i] = uint32(m)
		sum += m
		x = y
	}
	return sum
}

// mapped is the mapped difference of y to the sample x before it, both in offset binary.
func mapped(x, y, mask uint64) uint64 {
	delta := y - x
	m := folded(delta)
	if x-delta > mask { // the other direction cannot hold such a difference
		m = y ^ uint64(int64(delta)>>63)&mask
	}
	return m
}

// folded is the mapped difference where both directions have room: 0, -1, 1, -2, … are 0, 1, 2, 3,
// …
func folded(delta uint64) uint64 {
	return delta<<1 ^ uint64(int64(delta)>>63)
}

// unmap replaces mapped differences by samples, given the sample x before them, and returns the
// last sample. It reports false when a difference is above mask.
func unmap(block []uint32, x, mask uint64) (last uint64, ok bool) {
	for len(block) >= 8 {
		if vectors {
			if n := unmapAVX2(&block[0], len(block)&^7, uint32(x), uint32(mask)); n > 0 {
				x, block = uint64(block[n-1]), block[n:]
				continue
			}
		}
		if x, ok = unmapEight(block[:8:8], x, mask); !ok {
			return 0, false
		}
		block = block[8:]
	}
	for _, m := range block {
		if uint64(m) > mask {
			return 0, false
		}
	}
	return unmapAnywhere(block, x, mask), true
}

// unmapEight is unmap for eight differences.
func unmapEight(g []uint32, x, mask uint64) (last uint64, ok bool) {
	most := uint64(g[0] | g[1] | g[2] | g[3] | g[4] | g[5] | g[6] | g[7])
	reach := 4*most + 4 // the eight differences cannot lead further away
	if x >= reach && x+reach <= mask {
		x += difference(g[0])
		g[0] = uint32(x)
		x += difference(g[1])
		g[1] = uint32(x)
		x += difference(g[2])
		g[2] = uint32(x)
		x += difference(g[3])
		g[3] = uint32(x)
		x += difference(g[4])
		g[4] = uint32(x)
		x += difference(g[5])
		g[5] = uint32(x)
		x += difference(g[6])
		g[6] = uint32(x)
		x += difference(g[7])
		g[7] = uint32(x)
		return x, true
	}
	if most > mask {
		return 0, false
	}
	return unmapNearEnd(g, x, 8*most, mask), true
}

// difference undoes the mapping where both directions have room.
func difference(m uint32) uint64 {
	return uint64(m)>>1 ^ -(uint64(m) & 1)
}

// unmapNearEnd is unmap for differences that lead at most reach away, which may leave one direction
// without room. No difference may be above mask.
func unmapNearEnd(block []uint32, x, reach, mask uint64) uint64 {
	switch half := mask >> 1; {
	case x+reach <= half:
		return unmapNearZero(block, x, 0)
	case mask-x+reach <= half:
		return mask - unmapNearZero(block, mask-x, mask)
	}
	return unmapAnywhere(block, x, mask)
}

// unmapNearZero is unmap for samples in the lower half of the range. There a difference is coded as
// the sample itself when the sample before it is nearer to zero than that. With flip = mask it
// counts x and everything else from the upper end of the range downwards.
func unmapNearZero(block []uint32, x, flip uint64) uint64 {
	down := uint64(int64(-flip) >> 63) // all ones when flip is not 0
	for i, m := range block {
		d := difference(m)
		y := x + (d ^ down - down)
		if uint64(m)>>1+uint64(m)&1 > x {
			y = uint64(m)
		}
		x = y
		block[i] = uint32(x ^ flip)
	}
	return x
}

// unmapAnywhere is the general form of unmap, for differences not above mask.
func unmapAnywhere(block []uint32, x, mask uint64) uint64 {
	half := mask >> 1
	for i, m := range block {
		d := difference(m)
		y := uint64(m) // where a single direction has room: the distance from the nearer end
		if x > half {
			y ^= mask
		}
		if both := x + d; both|(x-d) <= mask {
			y = both
		}
		x = y
		block[i] = uint32(x)
	}
	return x
}
