package aec

import (
	"math/bits"
)

// ScanOffsets walks a stream of n samples and returns the offset in bits of each of its reference
// sample intervals. The first is 0, and there are p.Intervals(samples). It reads option ids and
// skips over the data without decoding it. A stream that is too short or whose zero runs leave
// their interval gives a [*StreamError]; other damage is not detected.
func ScanOffsets(src []byte, p Params, samples int) ([]uint64, error) {
	d, err := newDecoder(src, p)
	if err != nil {
		return nil, err
	}
	if samples < 0 {
		return nil, &ParamError{"sample count", samples, "0 or more"}
	}
	d.want = samples
	// The stream's length bounds the list: the samples asked for need not be there.
	offsets := make([]uint64, 0, min(p.Intervals(samples), len(src)/16+1))
	for interval := p.interval(); samples > 0; samples -= interval {
		if p.Flags&PadRSI != 0 {
			d.pos = (d.pos + 7) &^ 7
		}
		offsets = append(offsets, d.pos)
		if err := d.skipInterval(min(samples, interval)); err != nil {
			return nil, err
		}
	}
	return offsets, nil
}

// skipInterval skips the blocks of an interval, as far as the given number of samples needs.
func (d *decoder) skipInterval(samples int) error {
	d.inRSI = 0
	return d.skipRest(samples)
}

// skipRest skips the blocks that are left of an interval.
func (d *decoder) skipRest(samples int) error {
	for bs := d.params.BlockSize; samples > 0; {
		ref := 0
		if d.mapped && d.inRSI == 0 {
			ref = 1
		}
		start, block := d.pos, d.block
		if err := d.skipBlock(min(samples, bs), ref); err != nil {
			return &StreamError{Bit: start, Block: block, Samples: d.want, Err: err}
		}
		d.block++
		d.inRSI++
		samples -= min(d.block-block, (samples+bs-1)/bs) * bs
	}
	return nil
}

// skipBlock skips a block, or a run of zero blocks, for n wanted samples.
func (d *decoder) skipBlock(n, ref int) error {
	head := d.peek()
	id := head >> ((64 - d.idBits) & 63)
	length, codes, low := uint64(d.idBits), 0, 0
	switch {
	case id == 1<<d.idBits-1:
		length += uint64(n) * uint64(d.width)
		ref = 0
	case id == 0:
		length++
		if head<<d.idBits>>63 == 0 {
			d.pos += length + uint64(ref)*uint64(d.width)
			return d.plainZeros(ref)
		}
		codes = (n + 1) / 2
	default:
		codes, low = d.params.BlockSize-ref, (n-ref)*int(id-1)
	}
	length += uint64(ref) * uint64(d.width)
	if length > d.left() {
		return ErrTruncated
	}
	d.pos += length
	if codes > 0 && !d.skipUnary(codes) || uint64(low) > d.left() {
		return ErrTruncated
	}
	d.pos += uint64(low)
	return nil
}

// skipUnary skips n unary codes: n set bits and the clear bits before them.
func (d *decoder) skipUnary(n int) bool {
	for left := d.left(); left > 0; left = d.left() {
		w := d.peek() &^ 0xff // 56 bits of the stream or, after its end, zeros
		ones := bits.OnesCount64(w)
		if ones >= n {
			d.pos += endOfOne(w, n)
			return true
		}
		n -= ones
		d.pos += min(left, 56)
	}
	return false
}

// endOfOne returns the number of bits of w up to and including its r-th set bit, highest
// first. The number r counts from 1, and w has as many set bits.
func endOfOne(w uint64, r int) uint64 {
	// Ones of each byte, then of each byte and the bytes above it. The sums are in the order of
	// the bytes from the top.
	sums := w - w>>1&0x5555555555555555
	sums = sums&0x3333333333333333 + sums>>2&0x3333333333333333
	sums = (sums + sums>>4) & 0x0f0f0f0f0f0f0f0f
	sums = bits.ReverseBytes64(sums) * 0x0101010101010101
	// No sum nor r is above 64: 127+r-sum has its high bit set where the sum is below r.
	below := (uint64(r)*0x0101010101010101 + 0x7f7f7f7f7f7f7f7f - sums) & 0x8080808080808080
	skip := uint64(bits.OnesCount64(below)) * 8 & 63
	before := uint64(r) - sums<<8>>skip&0xff
	return skip + uint64(endTable[w<<skip>>56][(before-1)&7])
}
