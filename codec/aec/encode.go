package aec

import "math"

// Encode appends the coded stream of the samples in src to dst. Samples lie in src as p.Flags say;
// src is a whole number of them. It returns the extended slice and the bit offset of each reference
// sample interval from the start of the appended stream. The bytes are the same as libaec writes;
// no samples give one zero byte and no offsets. Like the distributed libaec it ignores [PadRSI], so
// that the stream must be decoded without that flag.
//
// A sample must fit its width. Signed samples may be sign-extended to their container or have zeros
// above their n bits. Errors are [*ParamError], [*SizeError] and [*SampleError], and dst is then
// returned as it was.
func Encode(dst, src []byte, p Params) (out []byte, offsets []uint64, err error) {
	if err := p.Validate(); err != nil {
		return dst, nil, err
	}
	size := p.SampleBytes()
	if len(src)%size != 0 {
		return dst, nil, &SizeError{"source", len(src), "a multiple of the sample size in bytes"}
	}
	load := loadFunc(p)
	return encodeGroups(dst, len(src)/size, p, uint(8*size), func(samples []uint32, first int) error {
		load(samples, src[first*size:])
		return nil
	})
}

// EncodeUint32 is [Encode] for samples given as integers; the container flags [MSB] and [ThreeByte]
// have no effect.
func EncodeUint32(dst []byte, src []uint32, p Params) ([]byte, []uint64, error) {
	if err := p.Validate(); err != nil {
		return dst, nil, err
	}
	return encodeGroups(dst, len(src), p, 32, func(samples []uint32, first int) error {
		copy(samples, src[first:])
		return nil
	})
}

// loader gives samples from first on.
type loader func(samples []uint32, first int) error

// encode codes n samples that load delivers piece by piece from containers of the given width in
// bits.
func encode(dst []byte, n int, p Params, container uint, load loader) ([]byte, []uint64, error) {
	if n == 0 {
		return append(dst, 0), nil, nil
	}
	e := newEncoder(dst, n, p)
	if err := e.samples(0, n, n, container, load); err != nil {
		return dst, nil, err
	}
	return e.w.finish(), e.offsets, nil
}

// samples codes the samples [first, end) of n. first is where an interval begins.
func (e *encoder) samples(first, end, n int, container uint, load loader) error {
	bs := e.params.BlockSize
	piece := make([]uint32, max(pieceSamples/bs, 1)*bs)
	for done := first; done < end; done += len(piece) {
		have := min(end-done, len(piece))
		if err := load(piece[:have], done); err != nil {
			return err
		}
		if i := e.normalise(piece[:have], container); i >= 0 {
			return &SampleError{done + i, piece[i], e.params.BitsPerSample}
		}
		piece = padBlock(piece[:(have+bs-1)/bs*bs], have)
		for i := 0; i < len(piece); i += bs {
			e.block(piece[i:i+bs], done+i+bs >= n)
		}
	}
	return nil
}

// encoder codes a stream block by block.
type encoder struct {
	params  Params
	width   uint
	idBits  uint
	mask    uint32
	bias    uint64 // turns samples to offset binary
	vectors bool   // blocks are mapped by vector kernels
	mapped  bool   // samples are coded as mapped differences
	kMax    uint
	offsets []uint64
	w       bitWriter

	k        uint // splitting position of the last block that was assessed; the search for the next begins there
	exact    bool // assessed.sums are the sums of the current block
	assessed assessment
	inRSI    int       // blocks so far in this interval
	last     uint64    // last sample, in offset binary
	ref      reference // of the current block
	zeros    int       // zero blocks not yet written
	zRef     reference // of the first of them
}

// maxOffsets is the number of offsets that room is made for at the start. The number of samples
// may be only a claim.
const maxOffsets = 1 << 12

// reference is the reference sample of the first block of an interval. Other blocks have none.
type reference struct {
	sample uint32
	there  bool
}

func newEncoder(dst []byte, n int, p Params) *encoder {
	e := &encoder{
		params:  p,
		width:   uint(p.BitsPerSample),
		idBits:  p.idBits(),
		mask:    p.sampleMask(),
		mapped:  p.Flags&Preprocess != 0,
		kMax:    uint(max(1<<p.idBits()-3, 0)),
		offsets: make([]uint64, 0, min(p.Intervals(n), maxOffsets)),
		w:       newBitWriter(dst),
	}
	if p.Flags&Signed != 0 {
		e.bias = 1 << (e.width - 1)
	}
	e.vectors = vectors && e.mapped && p.BlockSize%8 == 0
	e.assessed = assessment{bias: uint32(e.bias), mask: e.mask, high: ^uint32(math.MaxUint32 / uint32(p.BlockSize))}
	return e
}

// normalise cuts sign extensions to the sample width. It returns the index of the first sample that
// does not fit, or -1. Samples come from containers of the given width in bits.
func (e *encoder) normalise(x []uint32, container uint) int {
	if e.width == container {
		return -1
	}
	var a, b, c, d uint32
	rest := x
	for ; len(rest) >= 4; rest = rest[4:] {
		g := rest[:4:4]
		a, b, c, d = a|g[0], b|g[1], c|g[2], d|g[3]
	}
	for _, v := range rest {
		a |= v
	}
	if a|b|c|d <= e.mask {
		return -1
	}
	for i, v := range x {
		extended := int32(v<<(32-container)) >> (e.width - 1 + 32 - container) // 0 and -1 for signed samples that fit
		if v > e.mask && (e.params.Flags&Signed == 0 || extended != 0 && extended != -1) {
			return i
		}
		x[i] = v & e.mask
	}
	return -1
}

// block codes the next block, or keeps it back as one of a run of zero blocks. It overwrites the
// block. final marks the last block of the stream.
func (e *encoder) block(block []uint32, final bool) {
	e.begin()
	sum := e.prepare(block)
	e.end(final, block, sum)
}

// begin makes ready for another block.
func (e *encoder) begin() {
	if e.inRSI == 0 {
		e.offsets = append(e.offsets, e.w.position())
	}
	e.w.reserve(uint64(e.params.BlockSize)*uint64(e.width) + 2*64)
}

// end codes a prepared block with the given sum, or counts it as a zero block.
func (e *encoder) end(final bool, block []uint32, sum uint64) {
	e.inRSI++
	end := final || e.inRSI == e.params.RSI
	switch {
	case sum > 0:
		if e.zeros > 0 {
			e.writeZeros(false)
		}
		e.code(block, sum)
	default:
		if e.zeros == 0 {
			e.zRef = e.ref
		}
		e.zeros++
		if end || e.inRSI%64 == 0 {
			e.writeZeros(true)
		}
	}
	if end {
		e.inRSI = 0
	}
}

// prepare replaces the samples of a block by the values to code, and returns their sum.
func (e *encoder) prepare(block []uint32) (sum uint64) {
	e.ref.there = false
	if !e.mapped {
		for _, v := range block {
			sum += uint64(v)
		}
		return sum
	}
	x := e.last
	if e.inRSI == 0 {
		e.ref = reference{block[0], true}
		x = uint64(block[0]) ^ e.bias // so that its difference is 0
	}
	e.last = uint64(block[len(block)-1]) ^ e.bias
	if e.vectors {
		e.assessed.k = uint32(e.k)
		if e.exact = mapSumsAVX2(&block[0], len(block), uint32(x), &e.assessed); e.exact {
			return e.assessed.total
		}
		return unarySum(block, 0)
	}
	if allAre(block, uint32(x^e.bias)) {
		clear(block)
		return 0
	}
	return mapBlock(block, x, e.bias, uint64(e.mask))
}

// allAre reports whether all samples of a block are v.
func allAre(block []uint32, v uint32) bool {
	if block[0] != v {
		return false
	}
	for ; len(block) >= 4; block = block[4:] {
		g := block[:4:4]
		if (g[0]^v)|(g[1]^v)|(g[2]^v)|(g[3]^v) != 0 {
			return false
		}
	}
	for _, w := range block {
		if w != v {
			return false
		}
	}
	return true
}

// head writes a block's option id and reference sample.
func (e *encoder) head(id uint64, idBits uint, ref reference) {
	e.w.put(id, idBits)
	if ref.there {
		e.w.put(uint64(ref.sample), e.width)
	}
}

// writeZeros writes a run of zero blocks. At the end of a segment or interval 5 and more are
// written as "the rest".
func (e *encoder) writeZeros(rest bool) {
	e.head(0, e.idBits+1, e.zRef)
	switch {
	case e.zeros < restOfSegment:
		e.w.unary(uint64(e.zeros - 1))
	case rest:
		e.w.unary(restOfSegment - 1)
	default:
		e.w.unary(uint64(e.zeros))
	}
	e.zeros = 0
}

// code writes a block with nonzero samples, whose sum is total.
func (e *encoder) code(block []uint32, total uint64) {
	switch option := e.choose(block, total); {
	case option == secondExtension:
		e.head(1, e.idBits+1, e.ref)
		e.w.pairBlock(block)
	case option == plain:
		e.w.put(1<<e.idBits-1, e.idBits)
		if e.ref.there {
			block[0] = e.ref.sample
		}
		lowBitsKernels[e.width](&e.w, block)
	default:
		id, n := uint64(e.k+1), e.idBits
		if e.ref.there {
			id, n, block = id<<e.width|uint64(e.ref.sample), n+e.width, block[1:]
		}
		codeKernels[e.k](&e.w, block, id, n)
	}
}

// padBlock fills a block with the last of its n given samples.
func padBlock(block []uint32, n int) []uint32 {
	for i := n; i < len(block); i++ {
		block[i] = block[n-1]
	}
	return block
}
