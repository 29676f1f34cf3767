package aec

import (
	"fmt"
	"sync"
)

// Pick decodes single samples of a stream of n samples, as [DecodeUint32] gives them, to dst. Their
// numbers are at, which ascend and may repeat. Each interval that has some of them is decoded once,
// up to the last of them.
//
// offsets are the bit offsets of the intervals as [Encode] and [ScanOffsets] give them. Without them,
// nil, the intervals before the last wanted interval are passed over as ScanOffsets does.
//
// The stream may be a part of a larger one that begins with an interval: its first sample has the
// number base, and the byte of the first offset is the first byte of src.
func Pick(dst []uint32, src []byte, p Params, offsets []uint64, n int, at []uint64, base uint64) error {
	if len(dst) != len(at) {
		return &SizeError{"destination", len(dst), fmt.Sprintf("%d samples", len(at))}
	}
	if err := p.validateDecode(); err != nil {
		return err
	}
	k := pickers.Get().(*picker)
	defer pickers.Put(k)
	k.begin(src, p)
	defer func() { k.src = nil }()
	k.want, k.n, k.offsets, k.interval = len(at), n, offsets, 0
	size := uint64(p.interval())
	for i := 0; i < len(at); {
		if at[i] < base || at[i]-base >= uint64(max(n, 0)) || i > 0 && at[i] < at[i-1] {
			return &SizeError{"list of samples", int(at[i]), fmt.Sprintf("ascending numbers from %d and below %d", base, base+uint64(max(n, 0)))}
		}
		interval := (at[i] - base) / size
		first := base + interval*size
		end := i + 1
		for end < len(at) && at[end] >= at[end-1] && at[end]-first < size && at[end]-base < uint64(n) {
			end++
		}
		if err := k.seek(int(interval)); err != nil {
			return err
		}
		if err := k.pick(dst[i:end], at[i:end], first); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// pickers are used again by one call after the other.
var pickers = sync.Pool{New: func() any { return new(picker) }}

// A picker decodes parts of intervals.
type picker struct {
	decoder
	n        int // samples of the stream
	offsets  []uint64
	interval int // that the decoder is in
	piece    [pieceSamples]uint32
}

// seek goes to the beginning of an interval, which is not before the decoder's present interval.
func (k *picker) seek(interval int) error {
	if k.offsets != nil {
		if interval >= len(k.offsets) {
			return &SizeError{"list of interval offsets", len(k.offsets), fmt.Sprintf("one for interval %d", interval)}
		}
		k.pos = k.offsets[interval] - k.offsets[0]&^7
	}
	for k.offsets == nil && k.interval < interval {
		k.zeros = 0 // of a run whose blocks count
		if err := k.skipRest(k.samples() - k.inRSI*k.params.BlockSize); err != nil {
			return err
		}
		if k.params.Flags&PadRSI != 0 {
			k.pos = (k.pos + 7) &^ 7
		}
		k.interval, k.inRSI = k.interval+1, 0
	}
	k.interval, k.inRSI, k.zeros, k.partial = interval, 0, 0, false
	k.block = interval * k.params.RSI
	if k.pos > uint64(len(k.src))*8 {
		return &StreamError{Bit: k.pos, Block: k.block, Samples: k.want, Err: ErrOffset}
	}
	return nil
}

// samples is how many samples the interval has.
func (k *picker) samples() int { return min(k.params.interval(), k.n-k.interval*k.params.interval()) }

// pick decodes samples of the interval whose first sample is number first.
func (k *picker) pick(dst []uint32, at []uint64, first uint64) error {
	bs := k.params.BlockSize
	left := k.samples()
	most := max(len(k.piece)/bs, 1) * bs
	for len(at) > 0 {
		need := int(at[len(at)-1]-first)/bs*bs + bs
		piece := k.room(min(need, most, left))
		if err := k.next(piece); err != nil {
			return err
		}
		for len(at) > 0 && at[0]-first < uint64(len(piece)) {
			dst[0] = piece[at[0]-first]
			dst, at = dst[1:], at[1:]
		}
		first += uint64(len(piece))
		left -= len(piece)
	}
	return nil
}

// room gives a buffer of n samples; blocks may be longer than the present buffer.
func (k *picker) room(n int) []uint32 {
	if n > len(k.piece) {
		return make([]uint32, n)
	}
	return k.piece[:n]
}
