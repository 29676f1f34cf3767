package aec

// A blockCopier takes blocks from a decoder to an encoder of samples of another width.
type blockCopier struct {
	d     *decoder
	e     *encoder
	block []uint32
}

// run takes all blocks. The function copies reports whether the block that was read from bit start
// on may be copied: it stands for the same samples in both widths. Its ref is 1 if the block has a
// reference sample, and last is the sample before it.
func (w *blockCopier) run(samples int, copies func(start uint64, block []uint32, ref int, last uint64) bool) error {
	d, e, bs := w.d, w.e, w.d.params.BlockSize
	for done := 0; done < samples; done += bs {
		d.beginBlock()
		start, last, ref := d.pos, d.last, 0
		if d.mapped && d.inRSI == 0 {
			ref = 1
		}
		block := w.block[:min(bs, samples-done)]
		n, err := d.decodeBlock(block)
		final := done+bs >= samples
		if err == nil && e.mask < d.mask {
			err = w.check(block[:min(max(n, 1), len(block))], done)
		}
		switch {
		case err != nil:
			return err
		case d.zeros > 0:
			blocks := (min(d.zeros+n, samples-done) + bs - 1) / bs
			done += (blocks - 1) * bs
			w.zeroBlocks(blocks, ref, done+bs >= samples)
		case copies(start, block, ref, last):
			w.copy(start, ref, final)
		default:
			e.block(padBlock(w.block, len(block)), final)
		}
	}
	return nil
}

// check returns an error for a sample that the narrower width does not hold.
func (w *blockCopier) check(block []uint32, at int) error {
	var all uint32
	for _, v := range block {
		all |= v
	}
	if all <= w.e.mask {
		return nil
	}
	for i, v := range block {
		if v > w.e.mask {
			return &SampleError{Index: at + i, Value: v, Bits: int(w.e.width)}
		}
	}
	return nil
}

// zeroBlocks writes a run of zero blocks.
func (w *blockCopier) zeroBlocks(blocks, ref int, final bool) {
	d, e := w.d, w.e
	d.zeros = 0
	for i := range blocks {
		e.begin()
		if e.ref = (reference{}); ref > 0 && i == 0 {
			e.ref = reference{w.block[0], true}
		}
		e.last = d.last
		e.end(final && i == blocks-1, nil, 0)
	}
}

// copy writes the block that was read from bit start on as it is, except for its reference sample.
func (w *blockCopier) copy(start uint64, ref int, final bool) {
	d, e := w.d, w.e
	e.begin()
	if e.zeros > 0 {
		e.writeZeros(false)
	}
	from := bitReader{d.src, start}
	if ref > 0 {
		// Second extension has one bit more before the reference sample.
		head := d.idBits
		if from.peek()>>((64-head)&63) == 0 {
			head++
		}
		e.w.put(from.peek()>>((64-head)&63), head)
		e.w.put(uint64(w.block[0]), e.width)
		from.pos += uint64(head) + uint64(d.width)
	}
	e.w.copyBits(&from, d.pos)
	e.last = d.last
	e.inRSI++
	if final || e.inRSI == e.params.RSI {
		e.inRSI = 0
	}
}

// copyBits writes the bits of a stream up to bit end.
func (w *bitWriter) copyBits(from *bitReader, end uint64) {
	w.reserve(end - from.pos)
	for ; end-from.pos >= 56; from.pos += 56 {
		w.put(from.peek()>>8, 56)
	}
	if n := uint(end - from.pos); n > 0 {
		w.put(from.peek()>>((64-n)&63), n)
	}
}

// roomBelow reports whether no sample is further below the sample before it, x, than mask is above
// x. Such a difference is mapped to the distance from mask. In a range that is twice as large the
// sample before is in the lower half, where this cannot happen, and the differences upwards are
// mapped alike in both.
func roomBelow(block []uint32, x, mask uint64) bool {
	var below uint64
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		a, b, c, d := uint64(g[0]), uint64(g[1]), uint64(g[2]), uint64(g[3])
		below |= (a + mask - 2*x) | (b + mask - 2*a) | (c + mask - 2*b) | (d + mask - 2*c)
		x = d
	}
	for _, v := range block {
		below |= uint64(v) + mask - 2*x
		x = uint64(v)
	}
	return int64(below) >= 0
}
