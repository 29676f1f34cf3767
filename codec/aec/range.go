package aec

import "fmt"

// DecodeRange decodes count samples, beginning with sample first, of a stream whose interval offsets are known, into dst, which
// it fills exactly. offsets are the bit offsets of the intervals as [Encode] and [ScanOffsets] give them; only those
// of the intervals that the range touches are looked at. Samples lie in dst as they would with [Decode].
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
	if first < 0 || first/d.interval >= len(offsets) || (count-1)/d.interval > len(offsets) {
		return &SizeError{"list of interval offsets", len(offsets), fmt.Sprintf("offsets up to sample %d+%d", first, count)}
	}
	d.want = count
	store := storeFunc(p)
	skip := first % d.interval
	buf := make([]uint32, min(d.interval, skip+count))
	for i := first / d.interval; count > 0; i++ {
		if i >= len(offsets) {
			return &SizeError{"list of interval offsets", len(offsets), fmt.Sprintf("an offset for interval %d", i)}
		}
		d.block = i * p.RSI
		if offsets[i] > uint64(len(src))*8 {
			return d.fail(offsets[i], ErrOffset)
		}
		d.pos = offsets[i]
		n := min(d.interval, skip+count)
		if err := d.decodeInterval(buf[:n]); err != nil {
			return err
		}
		store(dst, buf[skip:n])
		dst = dst[(n-skip)*size:]
		count -= n - skip
		skip = 0
	}
	return nil
}
