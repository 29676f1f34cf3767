package aec

// Widen appends to dst a stream of the same n samples as src, in samples of the
// given width, which is p.BitsPerSample or more. All other parameters stay, but for [PadRSI], which
// the new stream does not have. It returns the extended slice and the bit offset of each reference
// sample interval from the start of the appended stream.
//
// The blocks are copied, not encoded again, where the wider range maps the differences to the same
// numbers, as it does nearly everywhere, so that this takes a good part of the time of decoding and
// encoding. Signed samples and widths of which one has longer option ids than the other are decoded
// and encoded. Bits of src after the last needed block are ignored.
//
// Errors are [*ParamError], [*StreamError] and, for samples that the width does not hold,
// [*SampleError]; dst is then returned as it was.
func Widen(dst, src []byte, p Params, width, samples int) (out []byte, offsets []uint64, err error) {
	to := p
	to.BitsPerSample, to.Flags = width, p.Flags&^PadRSI
	if err := to.Validate(); err != nil {
		return dst, nil, err
	}
	switch {
	case width < p.BitsPerSample:
		return dst, nil, &ParamError{"wider width", width, "the width of the samples or more"}
	case samples < 0:
		return dst, nil, &ParamError{"sample count", samples, "0 or more"}
	}
	d, err := newDecoder(src, p)
	if err != nil {
		return dst, nil, err
	}
	d.want = samples
	if samples == 0 || p.Flags&Signed != 0 || p.idBits() != to.idBits() {
		return recode(dst, d, to, samples)
	}
	e := newEncoder(dst, samples, to)
	w := widener{d: d, e: e, block: make([]uint32, p.BlockSize)}
	if err := w.run(samples); err != nil {
		return dst, nil, err
	}
	return e.w.finish(), e.offsets, nil
}

// recode is the plain form of Widen: it decodes and encodes.
func recode(dst []byte, d *decoder, to Params, samples int) ([]byte, []uint64, error) {
	return encode(dst, samples, to, 32, func(piece []uint32, _ int) error { return d.next(piece) })
}

// widener takes blocks from a decoder to an encoder of wider samples.
type widener struct {
	d     *decoder
	e     *encoder
	block []uint32
}

func (w *widener) run(samples int) error {
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
		switch {
		case err != nil:
			return err
		case d.zeros > 0:
			blocks := (min(d.zeros+n, samples-done) + bs - 1) / bs
			done += (blocks - 1) * bs
			w.zeroBlocks(blocks, ref, done+bs >= samples)
		case w.copies(start, block, ref, last):
			w.copy(start, ref, final)
		default:
			block = padBlock(w.block, len(block))
			e.block(block, final)
		}
	}
	return nil
}

// zeroBlocks writes a run of zero blocks.
func (w *widener) zeroBlocks(blocks, ref int, final bool) {
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

// copies reports whether a block that was read from bit start on stands for the same samples when
// they are wider: uncompressed samples do not, nor do differences near the upper end of the range,
// where the wider range has room on both sides. A block that was not read to its end cannot be
// copied.
func (w *widener) copies(start uint64, block []uint32, ref int, last uint64) bool {
	d := w.d
	at := bitReader{d.src, start}
	switch id := at.peek() >> ((64 - d.idBits) & 63); {
	case len(block) < d.params.BlockSize || id == 1<<d.idBits-1:
		return false
	case !d.mapped:
		return true
	}
	if ref > 0 {
		last = uint64(block[0])
	}
	return roomBelow(block[ref:], last, uint64(d.mask))
}

// roomBelow reports whether no sample is further below the one before it, x, than mask is above
// that: such a difference is mapped to the distance from mask. In a range that is twice as large
// the sample before is in the lower half, where this cannot happen, and the differences upwards are
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

// copy writes the block that was read from bit start on as it is, but for its reference sample.
func (w *widener) copy(start uint64, ref int, final bool) {
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

// padBlock fills a block, of which n samples are given, with the last of them.
func padBlock(block []uint32, n int) []uint32 {
	for i := n; i < len(block); i++ {
		block[i] = block[n-1]
	}
	return block
}
