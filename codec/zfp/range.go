package zfp

import (
	"fmt"
	"math"
)

// RangeBytes returns which bytes of a stream of fixed rate hold n values from value first on. They
// are size bytes from byte off on. The last block of a stream may end before that.
func (p Params) RangeBytes(first, n int) (off, size int64, err error) {
	l, err := p.rangeLimits(first, n)
	if err != nil || n == 0 {
		return 0, 0, err
	}
	begin := int64(first/blockValues) * int64(l.maxBits)
	end := int64((first+n-1)/blockValues+1) * int64(l.maxBits)
	off = begin / 8
	return off, (end+7)/8 - off, nil
}

func (p Params) rangeLimits(first, n int) (limits, error) {
	l, err := p.limits()
	switch {
	case err != nil:
		return l, err
	case p.Mode != FixedRate:
		return l, &ParamError{"zfp_mode", p.Mode, "fixed_rate for a range"}
	case first < 0 || n < 0 || first > math.MaxInt-n-blockValues || int64(first)+int64(n) > math.MaxInt64/unlimited:
		return l, fmt.Errorf("zfp: range of %d values from value %d", n, first)
	}
	return l, nil
}

// DecodeRange fills dst with the values from value first on of a stream of fixed rate. The part
// of the stream that [Params.RangeBytes] names is in src.
func DecodeRange(dst []float64, src []byte, p Params, first int) error {
	makeTables()
	l, err := p.rangeLimits(first, len(dst))
	if err != nil || len(dst) == 0 {
		return err
	}
	block := first / blockValues
	at := uint64(block) * uint64(l.maxBits) % 8
	if skip := first % blockValues; skip > 0 {
		var head [blockValues]float64
		if at, err = decodeBlocks(head[:], src, at, block, l); err != nil {
			return err
		}
		dst = dst[copy(dst, head[skip:]):]
		block++
	}
	_, err = decodeBlocks(dst, src, at, block, l)
	return err
}
