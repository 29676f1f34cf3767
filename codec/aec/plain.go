package aec

import "math"

// The plain form of block decoding goes bit by bit, and checks every access. It is for blocks of
// any size, at the end of a stream and of the wanted samples.

// readPlain reads as much of a block as out holds. It returns the number of samples read: all of
// out or, before a run of zero blocks, the reference sample only.
func (d *decoder) readPlain(out []uint32, ref int) (int, error) {
	id, ok := d.bits(d.idBits)
	if !ok {
		return 0, ErrTruncated
	}
	if id == 1<<d.idBits-1 {
		return len(out), d.plainSamples(out)
	}
	low := uint32(1)
	if id == 0 {
		if low, ok = d.bits(1); !ok {
			return 0, ErrTruncated
		}
	}
	if ref > 0 {
		if out[0], ok = d.bits(d.width); !ok {
			return 0, ErrTruncated
		}
	}
	switch {
	case low == 0:
		return ref, d.plainZeros(ref)
	case id == 0:
		return len(out), d.plainPairs(out, ref)
	}
	return len(out), d.plainSplit(out, uint(id-1), ref)
}

// plainSamples reads uncompressed samples.
func (d *decoder) plainSamples(out []uint32) (err error) {
	for i := range out {
		var ok bool
		if out[i], ok = d.bits(d.width); !ok {
			return ErrTruncated
		}
	}
	return nil
}

// plainSplit reads samples split at k. The unary codes of the whole block come before the low bits,
// wanted or not.
func (d *decoder) plainSplit(out []uint32, k uint, ref int) error {
	if d.scratch == nil {
		d.scratch = make([]uint32, d.params.BlockSize)
	}
	for i := ref; i < d.params.BlockSize; i++ {
		high, ok := d.unary()
		if !ok {
			return ErrTruncated
		}
		if high > uint64(d.mask)>>k {
			return ErrRange
		}
		d.scratch[i] = uint32(high) << k
	}
	for i := ref; i < len(out); i++ {
		low, ok := d.bits(k)
		if !ok {
			return ErrTruncated
		}
		out[i] = d.scratch[i] | low
	}
	return nil
}

// restOfSegment is the coded length of a run of zero blocks up to the end of its segment or
// interval. A segment has 64 blocks. For runs of 5 blocks and more the coded length is
// greater by 1.
const restOfSegment = 5

// plainZeros reads the length of a run of zero blocks and leaves its samples to fillZeros.
func (d *decoder) plainZeros(ref int) error {
	m, ok := d.unary()
	if !ok {
		return ErrTruncated
	}
	left := d.params.RSI - d.inRSI
	blocks := int(min(m+1, math.MaxInt32))
	switch {
	case blocks == restOfSegment:
		blocks = min(left, 64-d.inRSI%64)
	case blocks > restOfSegment:
		blocks--
	}
	if blocks > left {
		return ErrZeroRun
	}
	d.zeros = int(min(int64(blocks)*int64(d.params.BlockSize)-int64(ref), math.MaxInt))
	d.block += blocks - 1 // decodeBlock counts the first
	d.inRSI += blocks - 1
	return nil
}

// plainPairs reads a block coded by second extension. The pair of a reference sample stands for a
// zero and its neighbour.
func (d *decoder) plainPairs(out []uint32, ref int) error {
	for i := 0; i < len(out); i += 2 {
		m, ok := d.unary()
		if !ok {
			return ErrTruncated
		}
		if m > maxPairCode && d.params.BlockSize <= 64 {
			return ErrSecondExtension
		}
		// Dropped samples may be any number: the kernels do not look at them, nor does libaec.
		a, b := pairOf(m)
		if i >= ref {
			if a > uint64(d.mask) {
				return ErrRange
			}
			out[i] = uint32(a)
		}
		if i+1 < len(out) {
			if b > uint64(d.mask) {
				return ErrRange
			}
			out[i+1] = uint32(b)
		}
	}
	return nil
}

// maxPairCode is the largest second extension code that is shorter than splitting for a block of 64
// samples. Longer blocks have larger codes.
const maxPairCode = 90

// pairOf undoes m = s(s+1)/2 + b with s = a+b.
func pairOf(m uint64) (a, b uint64) {
	s := uint64((math.Sqrt(float64(8*float64(m))+1) - 1) / 2)
	for s*(s+1)/2 > m {
		s--
	}
	for (s+1)*(s+2)/2 <= m {
		s++
	}
	b = m - s*(s+1)/2
	return s - b, b
}
