package aec

// Widen appends to dst a stream of the same n samples as src, in wider samples. The width is
// p.BitsPerSample or more. All other parameters stay, except for [PadRSI], which the new stream
// never has. It returns the extended slice and the bit offset of each reference sample interval
// from the start of the appended stream.
//
// Blocks are copied, not encoded again, if the wider range maps the differences to the same
// numbers, as it nearly always does; this saves most of the time of decoding and encoding. Streams
// of signed samples, and all streams if the option ids of the two widths differ in length, are
// decoded and encoded. Bits of src after the last needed block are ignored.
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
	w := &blockCopier{d: d, e: e, block: make([]uint32, p.BlockSize)}
	if err := w.run(samples, w.copiesWider); err != nil {
		return dst, nil, err
	}
	return e.w.finish(), e.offsets, nil
}

// recode is the plain form of Widen: it decodes and encodes.
func recode(dst []byte, d *decoder, to Params, samples int) ([]byte, []uint64, error) {
	return encode(dst, samples, to, 32, func(piece []uint32, _ int) error { return d.next(piece) })
}

// copiesWider reports whether a block that was read from bit start on stands for the same samples
// when wider. Uncompressed samples do not, nor do differences near the upper end of the range,
// where the wider range has room on both sides. A block that was not read to its end cannot be
// copied.
func (w *blockCopier) copiesWider(start uint64, block []uint32, ref int, last uint64) bool {
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
