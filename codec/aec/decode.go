package aec

import "math"

// Decode decodes len(dst)/p.SampleBytes() samples of the stream src into dst, which it fills exactly. Samples lie in
// memory as p.Flags say. With [Signed] and [Preprocess] they are sign-extended to their container, as libaec does it.
// Bits of src behind the last needed block are ignored.
//
// Errors are [*ParamError], [*SizeError] when dst is not a whole number of samples, and [*StreamError]; after an
// error dst holds an unspecified part of the samples.
func Decode(dst, src []byte, p Params) error {
	d, err := newDecoder(src, p)
	if err != nil {
		return err
	}
	size := p.SampleBytes()
	if len(dst)%size != 0 {
		return &SizeError{"destination", len(dst), "a multiple of the sample size in bytes"}
	}
	d.want = len(dst) / size
	store := storeFunc(p)
	buf := make([]uint32, min(d.interval, d.want))
	for done := 0; done < d.want; done += len(buf) {
		buf = buf[:min(len(buf), d.want-done)]
		if err := d.decodeInterval(buf); err != nil {
			return err
		}
		store(dst[done*size:], buf)
	}
	return nil
}

// DecodeUint32 decodes len(dst) samples of the stream src as integers. The container flags [MSB] and [ThreeByte] mean
// nothing here. Signed samples are what [Decode] would store, widened to 32 bits: sign-extended with [Preprocess], else
// their n bits as they are.
func DecodeUint32(dst []uint32, src []byte, p Params) error {
	d, err := newDecoder(src, p)
	if err != nil {
		return err
	}
	d.want = len(dst)
	for len(dst) > 0 {
		n := min(len(dst), d.interval)
		if err := d.decodeInterval(dst[:n]); err != nil {
			return err
		}
		dst = dst[n:]
	}
	return nil
}

// decoder walks the blocks of a stream.
type decoder struct {
	bitReader
	params   Params
	width    uint   // bits a sample
	idBits   uint   // bits of an option id
	mask     uint32 // largest unsigned sample
	bias     uint32 // what turns an offset-binary sample into a signed one; 0 when unsigned
	interval int    // samples of a whole interval
	block    int    // blocks decoded so far
	want     int    // samples expected from the whole call, for errors
	scratch  []uint32
}

func newDecoder(src []byte, p Params) (*decoder, error) {
	if err := p.validateDecode(); err != nil {
		return nil, err
	}
	d := &decoder{
		bitReader: bitReader{src: src},
		params:    p,
		width:     uint(p.BitsPerSample),
		idBits:    p.idBits(),
		mask:      p.sampleMask(),
		interval:  p.RSI * p.BlockSize,
		scratch:   make([]uint32, p.BlockSize),
	}
	if p.Flags&Signed != 0 {
		d.bias = 1 << (d.width - 1)
	}
	return d, nil
}

func (d *decoder) fail(bit uint64, reason error) error {
	return &StreamError{Bit: bit, Block: d.block, Samples: d.want, Err: reason}
}

// decodeInterval decodes the next interval, or its first len(out) samples, into out.
func (d *decoder) decodeInterval(out []uint32) error {
	if d.params.Flags&PadRSI != 0 {
		d.pos = (d.pos + 7) &^ 7
	}
	pre := d.params.Flags&Preprocess != 0
	for done := 0; done < len(out); {
		start := d.pos
		n, err := d.decodeBlock(out[done:], done, pre && done == 0)
		if err != nil {
			return d.fail(start, err)
		}
		if pre {
			err = d.unmap(out, done, n)
		} else {
			err = d.checkRange(out[done : done+n])
		}
		if err != nil {
			return d.fail(start, err)
		}
		done += n
	}
	return nil
}

// decodeBlock decodes one block, or a run of zero blocks, into out, which may be shorter than that. It returns the
// number of samples decoded. done is the number of samples of the interval before this block, and ref says
// whether the block begins with a reference sample.
func (d *decoder) decodeBlock(out []uint32, done int, ref bool) (int, error) {
	id, ok := d.bits(d.idBits)
	if !ok {
		return 0, ErrTruncated
	}
	if id == 1<<d.idBits-1 {
		return d.uncompressed(out)
	}
	if id != 0 {
		return d.split(out, uint(id-1), ref)
	}
	low, ok := d.bits(1)
	if !ok {
		return 0, ErrTruncated
	}
	if low == 0 {
		return d.zeroRun(out, done, ref)
	}
	return d.secondExtension(out, ref)
}

// reference reads a reference sample to out[0].
func (d *decoder) reference(out []uint32) error {
	v, ok := d.bits(d.width)
	if !ok {
		return ErrTruncated
	}
	out[0] = v
	return nil
}

func (d *decoder) uncompressed(out []uint32) (int, error) {
	d.block++
	n := min(len(out), d.params.BlockSize)
	for i := range n {
		v, ok := d.bits(d.width)
		if !ok {
			return 0, ErrTruncated
		}
		out[i] = v
	}
	return n, nil
}

// split decodes the sample splitting option with k low bits.
func (d *decoder) split(out []uint32, k uint, ref bool) (int, error) {
	n, first := min(len(out), d.params.BlockSize), 0
	if ref {
		first = 1
		if err := d.reference(out); err != nil {
			return 0, err
		}
	}
	for i := first; i < d.params.BlockSize; i++ {
		high, ok := d.unary()
		if !ok {
			return 0, ErrTruncated
		}
		if high > uint64(d.mask)>>k {
			return 0, ErrRange
		}
		d.scratch[i] = uint32(high) << k
	}
	for i := first; i < n; i++ {
		low, ok := d.bits(k)
		if !ok {
			return 0, ErrTruncated
		}
		out[i] = d.scratch[i] | low
	}
	d.block++
	return n, nil
}

// zeroRun decodes a run of zero blocks. A count of 5 means the rest of the segment of 64 blocks, or of the interval.
func (d *decoder) zeroRun(out []uint32, done int, ref bool) (int, error) {
	first := 0
	if ref {
		first = 1
		if err := d.reference(out); err != nil {
			return 0, err
		}
	}
	m, ok := d.unary()
	if !ok {
		return 0, ErrTruncated
	}
	before := done / d.params.BlockSize
	left := d.params.RSI - before
	var blocks int
	switch {
	case m < 4:
		blocks = int(m) + 1
	case m == 4:
		blocks = min(left, 64-before%64)
	default:
		blocks = int(min(m, math.MaxInt32))
	}
	if blocks > left {
		return 0, ErrZeroRun
	}
	d.block += blocks
	n := min(len(out), blocks*d.params.BlockSize)
	clear(out[first:n])
	return n, nil
}

// secondExtension decodes pairs of samples. The pair of a reference sample stands for a zero and its neighbour.
func (d *decoder) secondExtension(out []uint32, ref bool) (int, error) {
	n := min(len(out), d.params.BlockSize)
	if ref {
		if err := d.reference(out); err != nil {
			return 0, err
		}
	}
	for i := 0; i < n; i += 2 {
		m, ok := d.unary()
		if !ok {
			return 0, ErrTruncated
		}
		a, b, ok := pairOf(m, d.mask)
		if !ok {
			return 0, ErrRange
		}
		if i > 0 || !ref {
			out[i] = a
		}
		if i+1 < n {
			out[i+1] = b
		}
	}
	d.block++
	return n, nil
}

// pairOf undoes m = s(s+1)/2 + b with s = a+b.
func pairOf(m uint64, mask uint32) (a, b uint32, ok bool) {
	s := uint64((math.Sqrt(8*float64(m)+1) - 1) / 2)
	for s*(s+1)/2 > m {
		s--
	}
	for (s+1)*(s+2)/2 <= m {
		s++
	}
	second := m - s*(s+1)/2
	first := s - second
	if max(first, second) > uint64(mask) {
		return 0, 0, false
	}
	return uint32(first), uint32(second), true
}
