package aec

import "fmt"

// DecodeRange decodes count samples, beginning with sample first, of a stream whose interval
// offsets are known. It fills dst exactly. The offsets are the bit offsets of the intervals as
// [Encode] and [ScanOffsets] give them; only the offset of the interval that holds sample first is
// used. Samples lie in dst as they would with [Decode].
func DecodeRange(dst, src []byte, p Params, offsets []uint64, first, count int) error {
	d, err := newDecoder(src, p)
	if err != nil {
		return err
	}
	size := p.SampleBytes()
	if count < 0 || len(dst)%size != 0 || len(dst)/size != count {
		return &SizeError{"destination", len(dst), fmt.Sprintf("%d samples of %d bytes", count, size)}
	}
	if count == 0 {
		return nil
	}
	interval := p.interval()
	if first < 0 || first/interval >= len(offsets) {
		return &SizeError{"list of interval offsets", len(offsets), fmt.Sprintf("one for sample %d", first)}
	}
	d.want = count
	d.block = first / interval * p.RSI
	d.pos = offsets[first/interval]
	if d.pos > uint64(len(src))*8 {
		return &StreamError{Bit: d.pos, Block: d.block, Samples: count, Err: ErrOffset}
	}
	return d.storeFrom(dst, first%interval)
}

// DecodeUint32Range is [DecodeRange] of samples as [DecodeUint32] gives them: it fills dst with the
// samples from first on.
func DecodeUint32Range(dst []uint32, src []byte, p Params, offsets []uint64, first int) error {
	d, err := newDecoder(src, p)
	if err != nil || len(dst) == 0 {
		return err
	}
	interval := p.interval()
	if first < 0 || first/interval >= len(offsets) {
		return &SizeError{"list of interval offsets", len(offsets), fmt.Sprintf("one for sample %d", first)}
	}
	d.want = len(dst)
	d.block = first / interval * p.RSI
	d.pos = offsets[first/interval]
	if d.pos > uint64(len(src))*8 {
		return &StreamError{Bit: d.pos, Block: d.block, Samples: d.want, Err: ErrOffset}
	}
	skip, bs := first%interval, p.BlockSize
	var piece []uint32
	for skip > 0 { // whole blocks, into the memory of the samples that follow
		if piece == nil {
			piece = d.piece(skip + len(dst))
		}
		part := piece[:min(len(piece), (skip+bs-1)/bs*bs, skip+len(dst))]
		if err := d.next(part); err != nil {
			return err
		}
		n := min(skip, len(part))
		dst = dst[copy(dst, part[n:]):]
		skip -= n
	}
	return d.next(dst)
}

// storeFrom skips some samples and fills dst with the samples that follow.
func (d *decoder) storeFrom(dst []byte, skip int) error {
	store, size := storeFunc(d.params), d.params.SampleBytes()
	piece := d.piece(skip + len(dst)/size)
	for bs := d.params.BlockSize; skip >= len(piece); {
		// A long run of zero blocks takes no time to skip; the rest of it is whole blocks.
		if n := min(d.zeros, skip) / bs * bs; n > 0 {
			d.zeros -= n
			skip -= n
			continue
		}
		if err := d.next(piece); err != nil {
			return err
		}
		skip -= len(piece)
	}
	if skip > 0 {
		piece = piece[:min(len(piece), skip+len(dst)/size)]
		if err := d.next(piece); err != nil {
			return err
		}
		store(dst, piece[skip:])
		dst = dst[(len(piece)-skip)*size:]
	}
	return d.store(dst, store)
}
