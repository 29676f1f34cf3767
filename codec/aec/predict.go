package aec

// The unit-delay predictor and the mapping of its differences to non-negative numbers (CCSDS 121.0-B-3, section 4).
// Signed samples are mapped in offset binary, that is with 2^(n-1) added: there the formulas are those of unsigned samples.
// mask is always 2^n-1, the largest sample. Arithmetic is in 64 bits, where no sum of two samples overflows.

// unmap replaces mapped differences by samples, given the sample x before them, and returns the last one. A result above
// mask tells that one of the differences was above mask; the samples are then meaningless.
func unmap(block []uint32, x, mask uint64) uint64 {
	for ; len(block) >= 8; block = block[8:] {
		g := block[:8:8]
		most := uint64(g[0] | g[1] | g[2] | g[3] | g[4] | g[5] | g[6] | g[7])
		reach := 4*most + 4 // the eight differences cannot lead further away
		if x < reach || x+reach > mask {
			x = unmapChecked(g, x, mask)
			continue
		}
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
	}
	return unmapChecked(block, x, mask)
}

// difference undoes the mapping where both directions have room.
func difference(m uint32) uint64 {
	return uint64(m)>>1 ^ -(uint64(m) & 1)
}

// unmapChecked is unmap with a look at each sample.
func unmapChecked(block []uint32, x, mask uint64) uint64 {
	for i, m := range block {
		d := difference(m)
		y := x + d
		if y|(x-d) > mask { // one of both directions leaves the range
			y = fold(x, uint64(m), mask)
		}
		x = y
		block[i] = uint32(x)
	}
	return x
}

// fold gives the sample behind x where only one direction has room: m is the distance from the nearer end of the range.
// Once m is above mask, so is this result and, by the check above, all that follow.
func fold(x, m, mask uint64) uint64 {
	switch {
	case x > mask || m > mask:
		return mask + 1
	case x > mask>>1:
		return mask - m
	}
	return m
}

// mapDifference maps the sample y that follows x, both in offset binary and not above mask.
func mapDifference(x, y, mask uint32) uint32 {
	theta := min(x, mask-x)
	if y >= x {
		if delta := y - x; delta > theta {
			return theta + delta
		}
		return (y - x) << 1
	}
	if delta := x - y; delta > theta {
		return theta + delta
	}
	return (x-y)<<1 - 1
}
