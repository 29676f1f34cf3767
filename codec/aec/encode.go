package aec

import "math"

// Encode appends the coded stream of the samples in src to dst. Samples lie in src as p.Flags say; src is a whole number of
// them. It returns the extended slice and the bit offset of each reference sample interval from the start of the appended
// stream. The bytes are those that libaec writes; no samples give one zero byte and no offsets.
//
// A sample must fit its width. Signed samples may be sign-extended to their container or have zeros above their n bits.
// Errors are [*ParamError], [*SizeError] and [*SampleError], and dst is then returned as it was.
func Encode(dst, src []byte, p Params) (out []byte, offsets []uint64, err error) {
	if err := p.Validate(); err != nil {
		return dst, nil, err
	}
	size := p.SampleBytes()
	if len(src)%size != 0 {
		return dst, nil, &SizeError{"source", len(src), "a multiple of the sample size in bytes"}
	}
	load := loadFunc(p)
	return encode(dst, len(src)/size, p, func(samples []uint32, first int) {
		load(samples, src[first*size:])
	})
}

// EncodeUint32 is [Encode] for samples given as integers; the container flags [MSB] and [ThreeByte] mean nothing.
func EncodeUint32(dst []byte, src []uint32, p Params) ([]byte, []uint64, error) {
	if err := p.Validate(); err != nil {
		return dst, nil, err
	}
	return encode(dst, len(src), p, func(samples []uint32, first int) {
		copy(samples, src[first:])
	})
}

// encode codes n samples that load delivers interval by interval.
func encode(dst []byte, n int, p Params, load func(samples []uint32, first int)) ([]byte, []uint64, error) {
	e := newEncoder(dst, p)
	if n == 0 {
		return append(dst, 0), nil, nil
	}
	offsets := make([]uint64, 0, p.Intervals(n))
	buf := make([]uint32, min(e.interval, (n+p.BlockSize-1)/p.BlockSize*p.BlockSize))
	for done := 0; done < n; done += len(buf) {
		have := min(n-done, e.interval)
		buf = buf[:(have+p.BlockSize-1)/p.BlockSize*p.BlockSize]
		load(buf[:have], done)
		if i := e.normalise(buf[:have]); i >= 0 {
			return dst, nil, &SampleError{done + i, buf[i], p.BitsPerSample}
		}
		for i := have; i < len(buf); i++ {
			buf[i] = buf[have-1]
		}
		offsets = append(offsets, e.w.position())
		e.encodeInterval(buf)
	}
	return e.w.finish(), offsets, nil
}

type encoder struct {
	params   Params
	width    uint
	idBits   uint
	mask     uint32
	kMax     uint
	interval int
	k        uint // splitting position of the last block that was assessed; the search for the next begins there
	w        bitWriter
}

func newEncoder(dst []byte, p Params) *encoder {
	return &encoder{
		params:   p,
		width:    uint(p.BitsPerSample),
		idBits:   p.idBits(),
		mask:     p.sampleMask(),
		kMax:     uint(max(1<<p.idBits()-3, 0)),
		interval: p.RSI * p.BlockSize,
		w:        bitWriter{buf: dst, start: len(dst)},
	}
}

// normalise cuts sign extensions to the sample width and returns the index of the first sample that does not fit, or -1.
func (e *encoder) normalise(x []uint32) int {
	var all uint32
	for _, v := range x {
		all |= v
	}
	if all <= e.mask {
		return -1
	}
	signed := e.params.Flags&Signed != 0
	shift := 32 - e.width
	for i, v := range x {
		if v > e.mask && (!signed || uint32(int32(v<<shift)>>shift) != v) {
			return i
		}
		x[i] = v & e.mask
	}
	return -1
}

// encodeInterval codes whole blocks that make an interval or the last part of one. It overwrites x.
func (e *encoder) encodeInterval(x []uint32) {
	bs := e.params.BlockSize
	ref := e.params.Flags&Preprocess != 0
	var refSample uint32
	if ref {
		refSample = x[0]
		e.mapInterval(x)
	}
	zeros, zeroRef := 0, false
	blocks := len(x) / bs
	for b := range blocks {
		block := x[b*bs : (b+1)*bs]
		hasRef := ref && b == 0
		if isZero(block) {
			if zeros == 0 {
				zeroRef = hasRef
			}
			zeros++
			if b == blocks-1 || b%64 == 63 {
				e.writeZeros(zeros, true, zeroRef, refSample)
				zeros = 0
			}
			continue
		}
		if zeros > 0 {
			e.writeZeros(zeros, false, zeroRef, refSample)
			zeros = 0
		}
		e.encodeBlock(block, hasRef, refSample)
	}
}

// mapInterval replaces samples by their mapped differences, and the reference sample by 0.
func (e *encoder) mapInterval(x []uint32) {
	var bias uint32
	if e.params.Flags&Signed != 0 {
		bias = 1 << (e.width - 1)
	}
	last := x[0] ^ bias
	x[0] = 0
	for i := 1; i < len(x); i++ {
		y := x[i] ^ bias
		x[i] = mapDifference(last, y, e.mask)
		last = y
	}
}

func isZero(block []uint32) bool {
	for _, v := range block {
		if v != 0 {
			return false
		}
	}
	return true
}

// writeZeros writes a run of zero blocks. At the end of a segment or interval 5 and more are written as "the rest".
func (e *encoder) writeZeros(blocks int, atEnd, ref bool, refSample uint32) {
	e.w.bits(0, e.idBits+1)
	if ref {
		e.w.bits(refSample, e.width)
	}
	switch {
	case blocks > 4 && atEnd:
		e.w.unary(4)
	case blocks > 4:
		e.w.unary(uint64(blocks))
	default:
		e.w.unary(uint64(blocks - 1))
	}
}

// encodeBlock codes a block that is not all zero by the option that gives the fewest bits; ties are settled as libaec does.
func (e *encoder) encodeBlock(block []uint32, ref bool, refSample uint32) {
	n := len(block)
	if ref {
		n--
	}
	plain := uint64(n) * uint64(e.width)
	split := uint64(math.MaxUint64)
	if e.idBits > 1 {
		split = e.assessSplit(block, uint64(n))
	}
	second := assessSecond(block, plain)
	switch {
	case second <= split && second < plain:
		e.writeSecond(block, ref, refSample)
	case split < plain:
		e.writeSplit(block, ref, refSample)
	default:
		e.writePlain(block, ref, refSample)
	}
}

// unarySum is the number of zero bits in the unary part of a block split at k.
func unarySum(block []uint32, k uint) uint64 {
	var sum uint64
	for _, v := range block {
		sum += uint64(v >> k)
	}
	return sum
}

// assessSplit finds the splitting position for a block of n coded samples and returns the length of its data in bits. The search
// walks from the last block's position upwards while that shortens the data, and downwards when the first step up did not.
// Lengths may be equal for two positions; which one is taken depends on this walk.
func (e *encoder) assessSplit(block []uint32, n uint64) uint64 {
	start := e.k
	sum := unarySum(block, start)
	best, length := start, sum+n*uint64(start+1)
	k := start
	for sum >= n && k < e.kMax {
		k++
		sum = unarySum(block, k)
		l := sum + n*uint64(k+1)
		if l >= length {
			break
		}
		best, length = k, l
	}
	if best == start {
		for k := start; k > 0; {
			k--
			sum := unarySum(block, k)
			l := sum + n*uint64(k+1)
			if l >= length {
				break
			}
			best, length = k, l
			if sum >= n {
				break
			}
		}
	}
	e.k = best
	return length
}

// assessSecond is the length of a block by second extension, or MaxUint64 when that is above limit.
func assessSecond(block []uint32, limit uint64) uint64 {
	length := uint64(1)
	for i := 0; i+1 < len(block); i += 2 {
		s := uint64(block[i]) + uint64(block[i+1])
		length += s*(s+1)/2 + uint64(block[i+1]) + 1
		if length > limit {
			return math.MaxUint64
		}
	}
	return length
}

func (e *encoder) writeSplit(block []uint32, ref bool, refSample uint32) {
	k := e.k
	e.w.bits(uint32(k+1), e.idBits)
	if ref {
		e.w.bits(refSample, e.width)
		block = block[1:]
	}
	for _, v := range block {
		e.w.unary(uint64(v >> k))
	}
	for _, v := range block {
		e.w.bits(v&(1<<k-1), k)
	}
}

func (e *encoder) writePlain(block []uint32, ref bool, refSample uint32) {
	e.w.bits(1<<e.idBits-1, e.idBits)
	if ref {
		e.w.bits(refSample, e.width)
		block = block[1:]
	}
	for _, v := range block {
		e.w.bits(v, e.width)
	}
}

func (e *encoder) writeSecond(block []uint32, ref bool, refSample uint32) {
	e.w.bits(1, e.idBits+1)
	if ref {
		e.w.bits(refSample, e.width)
	}
	for i := 0; i+1 < len(block); i += 2 {
		s := uint64(block[i]) + uint64(block[i+1])
		e.w.unary(s*(s+1)/2 + uint64(block[i+1]))
	}
}
