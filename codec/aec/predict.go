package aec

// The unit-delay predictor and the mapping of its differences to non-negative numbers (CCSDS 121.0-B-3, section 4).
// Signed samples are mapped in offset binary, that is with 2^(n-1) added: there the formulas are those of unsigned samples.

// unmap turns the n mapped differences at out[done:] into samples, given that out[:done] holds the samples before them.
// The first sample of an interval is its reference sample and stays.
func (d *decoder) unmap(out []uint32, done, n int) error {
	var x uint32
	if done == 0 {
		x = out[0] ^ d.bias
		out[0] = x - d.bias
		out, n = out[1:n], n-1
	} else {
		x = out[done-1] + d.bias
		out = out[done : done+n]
	}
	mask := d.mask
	for i, m := range out {
		half := m>>1 + m&1
		switch {
		case half <= min(x, mask-x):
			x += m>>1 ^ -(m & 1)
		case m > mask:
			return ErrRange
		case x <= mask>>1:
			x = m
		default:
			x = mask - m
		}
		out[i] = x - d.bias
	}
	return nil
}

// checkRange finds samples that have more than their bits, for streams without preprocessing.
func (d *decoder) checkRange(out []uint32) error {
	var all uint32
	for _, v := range out {
		all |= v
	}
	if all > d.mask {
		return ErrRange
	}
	return nil
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
