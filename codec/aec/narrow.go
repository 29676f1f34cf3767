package aec

// Narrow is the opposite of Widen. It appends to dst a stream of the same n samples as src, in
// samples of the given width, which is p.BitsPerSample or less. For a stream that libaec or this
// package made, Narrow after Widen gives the same bytes again.
//
// Blocks are copied if they code the same samples in the new width and an encoder would choose
// them; others are encoded again. All blocks are encoded again if the option ids of the two widths
// differ in length. Errors are the same as of Widen.
func Narrow(dst, src []byte, p Params, width, samples int) (out []byte, err error) {
	to := p
	to.BitsPerSample = width
	if err := to.Validate(); err != nil {
		return dst, err
	}
	switch {
	case width > p.BitsPerSample:
		return dst, &ParamError{"narrower width", width, "the width of the samples or less"}
	case samples < 0:
		return dst, &ParamError{"sample count", samples, "0 or more"}
	}
	d, err := newDecoder(src, p)
	if err != nil {
		return dst, err
	}
	d.want = samples
	if samples == 0 || p.Flags&(Signed|PadRSI) != 0 || p.idBits() != to.idBits() {
		out, _, err = recode(dst, d, to, samples)
		return out, err
	}
	w := &blockCopier{d: d, e: newEncoder(dst, samples, to), block: make([]uint32, p.BlockSize)}
	if err := w.run(samples, w.copiesNarrower); err != nil {
		return dst, err
	}
	return w.e.w.finish(), nil
}

// copiesNarrower reports whether a block may be copied to narrower samples. It was read from
// bit start on, stands for the same samples, and an encoder would make it: it has a splitting
// position and is shorter than uncompressed samples. The search for the next position begins
// at this block's.
func (w *blockCopier) copiesNarrower(start uint64, block []uint32, ref int, last uint64) bool {
	d := w.d
	at := bitReader{d.src, start}
	id := at.peek() >> ((64 - d.idBits) & 63)
	bits := d.pos - start - uint64(ref)*uint64(d.width-w.e.width)
	switch {
	case len(block) < d.params.BlockSize || id == 0 || id == 1<<d.idBits-1:
		return false
	case bits >= uint64(d.params.BlockSize)*uint64(w.e.width):
		return false
	case d.mapped:
		if ref > 0 {
			last = uint64(block[0])
		}
		if !roomBelow(block[ref:], last, uint64(w.e.mask)) {
			return false
		}
	}
	w.e.k = uint(id - 1)
	return true
}
