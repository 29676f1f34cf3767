package aec

// Decode decodes len(dst)/p.SampleBytes() samples of the stream src into dst, which it fills
// exactly. Samples lie in memory as p.Flags say. With [Signed] and [Preprocess] they are
// sign-extended to their container, as libaec does. Bits of src after the last needed block are
// ignored.
//
// Errors are [*ParamError], [*SizeError] when dst is not a whole number of samples, and
// [*StreamError]; after an error dst holds an unspecified part of the samples.
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
	return d.store(dst, storeFunc(p))
}

// DecodeUint32 decodes len(dst) samples of the stream src as integers. The container flags [MSB]
// and [ThreeByte] have no effect here. Signed samples are as [Decode] would store them, widened to
// 32 bits: sign-extended with [Preprocess], else their n bits as they are.
func DecodeUint32(dst []uint32, src []byte, p Params) error {
	d, err := newDecoder(src, p)
	if err != nil {
		return err
	}
	d.want = len(dst)
	return d.next(dst)
}

// DecodePieces decodes n samples as [DecodeUint32] does, and calls use with consecutive samples,
// piece by piece. They are then still in the processor's cache. A piece is valid until use
// returns.
func DecodePieces(n int, src []byte, p Params, use func(piece []uint32)) error {
	d, err := newDecoder(src, p)
	if err != nil {
		return err
	}
	d.want = n
	piece := d.piece(n)
	for ; n > 0; n -= len(piece) {
		piece = piece[:min(len(piece), n)]
		if err := d.next(piece); err != nil {
			return err
		}
		use(piece)
	}
	return nil
}

// Decoder decodes a stream piece by piece. Samples can then be used while they are still in the
// processor's cache.
type Decoder struct{ decoder }

// NewDecoder begins decoding the stream src.
func NewDecoder(src []byte, p Params) (*Decoder, error) {
	d, err := newDecoder(src, p)
	if err != nil {
		return nil, err
	}
	return &Decoder{*d}, nil
}

// Next decodes the next len(dst) samples as [DecodeUint32] does. For every call but the last of a
// stream that must be a multiple of p.BlockSize, else the samples up to the end of the block are
// lost. After an error the decoder must not be used.
func (d *Decoder) Next(dst []uint32) error {
	d.want += len(dst)
	return d.next(dst)
}

// decoder walks the blocks of a stream.
type decoder struct {
	bitReader
	params Params
	width  uint   // bits a sample
	idBits uint   // bits of an option id
	mask   uint32 // largest unsigned sample
	bias   uint32 // to subtract from samples in offset binary; 0 when unsigned
	mapped bool   // samples are coded as mapped differences

	block   int    // blocks decoded so far; a zero run counts at its start
	inRSI   int    // how many of them in this interval
	zeros   int    // samples left of a zero run
	last    uint64 // last sample, in offset binary
	partial bool   // a block was left half read: the stream cannot go on
	want    int    // samples expected from the whole call, for errors
	fast    bool   // the kernels take this block size
	codes   codeBuffer
	scratch []uint32 // a block, for the plain path
}

func newDecoder(src []byte, p Params) (*decoder, error) {
	if err := p.validateDecode(); err != nil {
		return nil, err
	}
	d := new(decoder)
	d.begin(src, p)
	return d, nil
}

// begin sets a decoder to the beginning of a stream with valid parameters.
func (d *decoder) begin(src []byte, p Params) {
	*d = decoder{
		bitReader: bitReader{src: src},
		params:    p,
		width:     uint(p.BitsPerSample),
		idBits:    p.idBits(),
		mask:      p.sampleMask(),
		mapped:    p.Flags&Preprocess != 0,
		fast:      p.BlockSize <= maxFastBlock,
	}
	if p.Flags&Signed != 0 && d.mapped {
		d.bias = 1 << (d.width - 1)
	}
}

// pieceSamples is how many samples are decoded at a time where they are stored in another form
// afterwards.
const pieceSamples = 2048

// piece gives a buffer of whole blocks, not larger than n samples need.
func (d *decoder) piece(n int) []uint32 {
	bs := d.params.BlockSize
	return make([]uint32, min(max(pieceSamples/bs, 1)*bs, n))
}

// store decodes as many samples as dst has room for.
func (d *decoder) store(dst []byte, store func(dst []byte, src []uint32)) error {
	size := d.params.SampleBytes()
	piece := d.piece(len(dst) / size)
	for len(dst) > 0 {
		piece = piece[:min(len(piece), len(dst)/size)]
		if err := d.next(piece); err != nil {
			return err
		}
		store(dst, piece)
		dst = dst[len(piece)*size:]
	}
	return nil
}

// next fills out with the samples that follow. Only the last call may leave a block half read.
func (d *decoder) next(out []uint32) error {
	if d.partial && len(out) > 0 {
		return &SizeError{"piece", len(out), "no samples after a part of a block"}
	}
	for len(out) > 0 {
		if d.zeros > 0 {
			n := min(len(out), d.zeros)
			d.fillZeros(out[:n])
			out = out[n:]
			continue
		}
		d.beginBlock()
		n, err := d.decodeBlock(out[:min(len(out), d.params.BlockSize)])
		if err != nil {
			return err
		}
		out = out[n:]
	}
	return nil
}

// beginBlock begins another interval at the end of the present interval.
func (d *decoder) beginBlock() {
	if d.inRSI < d.params.RSI {
		return
	}
	d.inRSI = 0
	if d.params.Flags&PadRSI != 0 {
		d.pos = (d.pos + 7) &^ 7
	}
}

// fillZeros writes samples of a run of zero blocks.
func (d *decoder) fillZeros(out []uint32) {
	d.zeros -= len(out)
	v := uint32(0)
	if d.mapped {
		v = uint32(d.last) - d.bias
	}
	if v == 0 {
		clear(out)
		return
	}
	out[0] = v
	for n := 1; n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
}
