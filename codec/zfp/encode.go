package zfp

import (
	"math"
	"math/bits"
	"slices"
)

// negabinary turns two's complement into base -2 and back: (x + mask) ^ mask.
const negabinary = 0xaaaaaaaaaaaaaaaa

// smallestExponent is the smallest exponent of a block that can be scaled to integers.
const smallestExponent = 62 - 1023

// Encode appends the stream that holds src to dst. Without values it appends nothing. The
// values must be finite.
func Encode(dst []byte, src []float64, p Params) ([]byte, error) {
	makeTables()
	l, err := p.limits()
	if err != nil {
		return dst, err
	}
	if l.fixed() {
		n := wordBytes(blocks(len(src)), l.maxBits)
		out := slices.Grow(dst, n)[:len(dst)+n]
		if err := encodeFixed(out[len(dst):], src, l); err != nil {
			return dst, err
		}
		return out, nil
	}
	perBlock := min(l.maxBits, headBits+blockValues*l.planes+3)
	w := bitWriter{buf: slices.Grow(dst, wordBytes(blocks(len(src)), max(perBlock, l.minBits)))}
	if err := w.blocks(src, 0, l); err != nil {
		return dst, err
	}
	return w.flush(), nil
}

// blocks writes blocks of values. Their numbers begin with first.
func (w *bitWriter) blocks(src []float64, first int, l limits) error {
	i := 0
	for ; i+blockValues <= len(src); i += blockValues {
		if !w.block((*[blockValues]float64)(src[i:]), l) {
			return invalid(src[i:i+blockValues], first+i)
		}
	}
	if rest := src[i:]; len(rest) > 0 && !w.block(padded(rest), l) {
		return invalid(rest, first+i)
	}
	return nil
}

// padded fills a short block.
func padded(v []float64) *[blockValues]float64 {
	switch len(v) {
	case 1:
		return &[blockValues]float64{v[0], v[0], v[0], v[0]}
	case 2:
		return &[blockValues]float64{v[0], v[1], v[1], v[0]}
	}
	return &[blockValues]float64{v[0], v[1], v[2], v[0]}
}

// invalid finds the value that is not finite among the values from index first on.
func invalid(values []float64, first int) error {
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &ValueError{first + i, v}
		}
	}
	return nil
}

// block writes a block. It reports false when a value is not finite.
func (w *bitWriter) block(v *[blockValues]float64, l limits) bool {
	const sign, infinity = 1 << 63, 0x7ff << 52
	largest := max(math.Float64bits(v[0])&^sign, math.Float64bits(v[1])&^sign, math.Float64bits(v[2])&^sign, math.Float64bits(v[3])&^sign)
	if largest >= infinity {
		return false
	}
	// largest = f·2^e with f in [1/2, 1).
	e := int(largest>>52) - 1022
	planes := l.planesFor(e)
	if largest == 0 || planes == 0 || e < smallestExponent {
		w.zeros(max(1, l.minBits))
		return true
	}
	w.put(1|uint64(e+exponentBias)<<1, headBits)
	scale := math.Float64frombits(uint64(62-e+exponentBias) << 52)
	u := forward(int64(scale*v[0]), int64(scale*v[1]), int64(scale*v[2]), int64(scale*v[3]))
	if left := w.planes(&u, planes, l.maxBits-headBits); l.minBits > 1 {
		w.zeros(left + l.minBits - l.maxBits)
	}
	return true
}

// forward decorrelates four integers and turns them into negabinary.
func forward(x, y, z, w int64) [blockValues]uint64 {
	x = (x + w) >> 1
	w -= x
	z = (z + y) >> 1
	y -= z
	x = (x + z) >> 1
	z -= x
	w = (w + y) >> 1
	y -= w
	w += y >> 1
	y -= w >> 1
	neg := func(i int64) uint64 { return (uint64(i) + negabinary) ^ negabinary }
	return [blockValues]uint64{neg(x), neg(y), neg(z), neg(w)}
}

// planes writes the highest planes of u in at most budget bits and returns the bits left.
func (w *bitWriter) planes(u *[blockValues]uint64, planes, budget int) int {
	// Planes without a set bit so far are a single clear bit each.
	empty := min(bits.LeadingZeros64(u[0]|u[1]|u[2]|u[3]), planes, budget)
	w.put(0, uint(empty))
	budget -= empty
	k, last := allPlanes-1-empty, allPlanes-planes
	k, budget, n := w.pairs(u, k, last, budget)
	if k == last && budget > 0 {
		x := u[0]>>k&1 | u[1]>>k&1<<1 | u[2]>>k&1<<2 | u[3]>>k&1<<3
		c := uint64(encodeTable[n<<blockValues|x])
		length := min(int(c&lengthMask), budget)
		w.put(c>>writtenShift&(1<<length-1), uint(length))
		budget -= length
	}
	return budget
}
