package aec

// ScanOffsets walks a stream of so many samples and returns the offset in bits of each of its reference sample
// intervals: the first is 0, and there are p.Intervals(samples). It reads option ids and skips over the data without
// decoding it. A stream that is too short or whose zero runs leave their interval gives a [*StreamError]; other
// damage goes unseen.
func ScanOffsets(src []byte, p Params, samples int) ([]uint64, error) {
	d, err := newDecoder(src, p)
	if err != nil {
		return nil, err
	}
	if samples < 0 {
		return nil, &ParamError{"sample count", samples, "0 or more"}
	}
	d.want = samples
	// An interval has at least one bit, so that the stream's length bounds the list.
	offsets := make([]uint64, 0, min(p.Intervals(samples), 8*len(src)))
	buf := make([]uint32, min(samples, d.interval))
	for samples > 0 {
		if p.Flags&PadRSI != 0 {
			d.pos = (d.pos + 7) &^ 7
		}
		offsets = append(offsets, d.pos)
		n := min(samples, d.interval)
		if err := d.decodeInterval(buf[:n]); err != nil {
			return nil, err
		}
		samples -= n
	}
	return offsets, nil
}
