package tgm

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

const (
	nameSzip        = "szip"
	keySzipRSI      = "szip_rsi"
	keySzipBlock    = "szip_block_size"
	keySzipFlags    = "szip_flags"
	keySzipOffsets  = "szip_block_offsets"
	szipMaxRSI      = 4096
	defaultSzipRSI  = 128
	defaultSzipSize = 16
)

// szipStage is the compression szip: the adaptive entropy coder of CCSDS 121.0-B, as libaec writes
// it.
func szipStage() stage {
	return stage{
		kind: CompressionStage,
		name: nameSzip,
		params: []Param{
			{Name: keySzipRSI, Kind: IntParam, Min: 1, Max: szipMaxRSI, Usage: "blocks of an interval, 128 if not given"},
			{Name: keySzipBlock, Kind: IntParam, Min: 1, Max: aec.MaxBlockSize, Usage: "samples of a block, 16 if not given"},
			{Name: keySzipFlags, Kind: IntParam, Min: 0, Max: 255, Usage: "libaec's flags, 8 (preprocessing) if not given"},
		},
		takes:      szipTakes,
		wholeBytes: true,
		encode:     encodeSzip,
		integers:   szipIntegers,
		open:       openSzip,
	}
}

func szipTakes(in form) error {
	if in.bits < 1 || in.bits > 32 {
		return compressionError(nil, "%s: samples of %d bits, szip takes 1 to 32", nameSzip, in.bits)
	}
	return nil
}

// SzipParams configure szip. The zero value is 16 samples a block, 128 blocks an interval, with
// preprocessing.
type SzipParams struct {
	BlockSize int   // 8, 16, 32 or 64 samples
	RSI       int   // 1 to 4096 blocks
	Flags     uint8 // libaec's values; 0 with the other fields 0 means preprocessing
}

// szipParams returns the parameters of a stream of samples of the given width.
func (w *encoder) szipParams(bits int) aec.Params {
	s := w.pipeline.Szip
	given := SzipParams{w.intParam(keySzipBlock, s.BlockSize), w.intParam(keySzipRSI, s.RSI), uint8(w.intParam(keySzipFlags, int(s.Flags)))}
	p := aec.Params{BitsPerSample: bits, BlockSize: given.BlockSize, RSI: given.RSI, Flags: aec.Flags(given.Flags)}
	if _, ok := w.pipeline.Params[keySzipFlags]; !ok && s == (SzipParams{}) {
		p.Flags = aec.Preprocess
	}
	if p.BlockSize == 0 {
		p.BlockSize = defaultSzipSize
	}
	if p.RSI == 0 {
		p.RSI = defaultSzipRSI
	}
	return p
}

// encodeSzip compresses samples and records the parameters and the bit offset of each interval. The
// byte order of samples is not stored. It follows from the encoding: most significant byte first
// after simple_packing, else least.
func encodeSzip(w *encoder, s stored) (stored, error) {
	return s.compressed(nameSzip, func(dst []byte, s *stored) ([]byte, error) {
		params := w.szipParams(s.bits)
		if err := checkSzip(params); err != nil {
			return dst, err
		}
		if len(s.data) == 0 {
			// The coder would write a byte, which the reference implementation takes for damage.
			w.setSzip(params, nil)
			return dst, nil
		}
		out, offsets, err := aec.Encode(dst, s.data, szipMemory(params, s.packed))
		if err != nil {
			return dst, err
		}
		w.setSzip(params, offsets)
		return out, nil
	})
}

func (w *encoder) setSzip(p aec.Params, offsets []uint64) {
	w.set(keySzipRSI, p.RSI)
	w.set(keySzipBlock, p.BlockSize)
	w.set(keySzipFlags, int(p.Flags))
	w.set(keySzipOffsets, nonNil(offsets))
}

// szipIntegers stores quantised integers as a stream of samples of the given width.
func szipIntegers(w *encoder, q *Packed, n, width int) (stored, error) {
	if width > 32 {
		return stored{}, encodingError(nil, "integers of %d bits, szip takes 1 to 32", q.Params.Bits)
	}
	keeps := q.AEC != nil && storable(q.AEC, width)
	if keeps && width == q.Params.Bits {
		return w.passThrough(q.AEC, n, width)
	}
	params := w.szipParams(width)
	if keeps {
		params = q.AEC.Params(width)
	}
	if err := checkSzip(params); err != nil {
		return stored{}, err
	}
	buf := getBuffer(0)
	out, offsets, err := q.encodeAEC((*buf)[:0], n, width, params, keeps)
	*buf = out
	if err != nil {
		putBuffer(buf)
		return stored{}, err
	}
	w.setSzip(params, offsets)
	return stored{data: out, owned: buf}, nil
}

// passThrough stores a stream as it is.
func (w *encoder) passThrough(s *aec.Stream, n, width int) (stored, error) {
	params := s.Params(width)
	offsets := s.Offsets
	if offsets == nil {
		var err error
		if offsets, err = aec.ScanOffsets(s.Data, params, n); err != nil {
			return stored{}, compressionError(err, "%s", nameSzip)
		}
	}
	if err := checkOffsets(offsets, params, n, len(s.Data)); err != nil {
		return stored{}, compressionError(err, "%s", nameSzip)
	}
	w.setSzip(params, offsets)
	return stored{data: s.Data}, nil
}

// checkSzip reports parameters that a Tensogram reader may refuse.
func checkSzip(p aec.Params) error {
	if err := p.Validate(); err != nil {
		return compressionError(err, "%s", nameSzip)
	}
	return nil
}

// szipMemory adds the flags for samples in memory, which descriptors leave out. Integers from
// simple_packing lie most significant byte first, and integers of 17 to 24 bits in three
// bytes.
func szipMemory(p aec.Params, packed bool) aec.Params {
	if packed {
		p.Flags |= aec.MSB
	}
	if p.BitsPerSample >= 17 && p.BitsPerSample <= 24 {
		p.Flags |= aec.ThreeByte
	}
	return p
}

// szipParams returns the stream parameters a descriptor states for samples of the given width.
func (d *Descriptor) szipParams(bits int) (p aec.Params, err error) {
	p.BitsPerSample = bits
	var flags int
	if p.RSI, err = d.intRange(keySzipRSI, 1, 1<<16); err != nil {
		return p, err
	}
	if p.BlockSize, err = d.intRange(keySzipBlock, 1, aec.MaxBlockSize); err != nil {
		return p, err
	}
	if flags, err = d.intRange(keySzipFlags, 0, 0xFF); err != nil {
		return p, err
	}
	p.Flags = aec.Flags(flags)
	return p, nil
}

// szipOffsets returns the interval offsets of a payload of the given bytes and samples.
func (d *Descriptor) szipOffsets(p aec.Params, samples int, payload int64) ([]uint64, error) {
	v, ok := d.Params[keySzipOffsets]
	if !ok {
		return nil, fmt.Errorf("%s is missing", keySzipOffsets)
	}
	offsets, err := asUints(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keySzipOffsets, err)
	}
	return offsets, checkOffsets(offsets, p, samples, payload)
}

// checkOffsets reports offsets that a stream of the given bytes and samples cannot have.
func checkOffsets[N int | int64](offsets []uint64, p aec.Params, samples int, size N) error {
	if want := p.Intervals(samples); len(offsets) != want {
		return fmt.Errorf("%d interval offsets, expected %d", len(offsets), want)
	}
	return checkOffsetOrder(offsets, int(size))
}

// packedSamples is how many samples szip sees in packed integers. It is known only for whole bytes:
// other widths were written by encoders that dropped bits.
func packedSamples(p packing.Params) (int, error) {
	switch p.Bits {
	case 8, 16, 24, 32:
		return p.Bits, nil
	}
	return 0, fmt.Errorf("szip of integers of %d bits: the encoder dropped bits of each sample, which cannot be restored", p.Bits)
}

func openSzip(d *Descriptor, in form) (layer, error) {
	bits := in.bits
	var err error
	if in.packed {
		bits, err = packedSamples(packing.Params{Bits: in.bits})
	}
	var params aec.Params
	if err == nil {
		params, err = d.szipParams(bits)
	}
	if err != nil {
		return layer{}, wrapCompression(err, nameSzip)
	}
	z := &szipDecoder{d: d, params: szipMemory(params, in.packed), in: in}
	l := layer{in: in, decode: z.decode, check: z.check}
	if _, ok := d.Params[keySzipOffsets]; ok && bits >= 8 && bits%8 == 0 {
		l.readAt, l.pick = z.readAt, z.pick
		l.grain = func(int64, section) int64 { return int64(params.RSI) * int64(params.BlockSize*params.SampleBytes()) }
	}
	return l, nil
}

// szipDecoder undoes szip of one object.
type szipDecoder struct {
	d      *Descriptor
	params aec.Params // of the stream, and of samples in memory
	in     form
	// offsets of intervals, once they are read. They are for one goroutine.
	offsets []uint64
}

func (z *szipDecoder) decode(dst, src []byte) error {
	if len(dst) == 0 {
		return nil
	}
	offsets, err := z.d.szipOffsets(z.params, len(dst)/z.params.SampleBytes(), int64(len(src)))
	if err != nil {
		offsets = nil // only parts need them
	}
	return wrapCompression(aec.DecodeIntervals(dst, src, z.params, offsets), nameSzip)
}

// check decodes piece by piece.
func (z *szipDecoder) check(src []byte) error {
	size := z.params.SampleBytes()
	if z.in.bytes%size != 0 {
		return compressionError(nil, "%s: %d bytes are no whole number of samples of %d", nameSzip, z.in.bytes, size)
	}
	left := z.in.bytes / size
	if left == 0 {
		return nil
	}
	dec, err := aec.NewDecoder(src, z.params)
	if err != nil {
		return wrapCompression(err, nameSzip)
	}
	piece := getSamples(min(left, max(z.params.BlockSize, checkChunk/z.params.BlockSize*z.params.BlockSize)))
	defer putSamples(piece)
	for left > 0 {
		n := min(left, len(*piece))
		if err := dec.Next((*piece)[:n]); err != nil {
			return wrapCompression(err, nameSzip)
		}
		left -= n
	}
	return nil
}

// checkChunk is about how many samples a check decodes at a time.
const checkChunk = 16 << 10

// readAt reads and decodes the intervals that hold the bytes from off on.
func (z *szipDecoder) readAt(dst []byte, off int64, src section) error {
	if len(dst) == 0 {
		return nil
	}
	size := int64(z.params.SampleBytes())
	first, end := off/size, (off+int64(len(dst))+size-1)/size
	offsets, err := z.readOffsets(src)
	if err != nil {
		return err
	}
	if first*size == off && end*size == off+int64(len(dst)) {
		return z.intervals(dst, src, offsets, int(first), int(end-first))
	}
	buf := getBuffer(int((end - first) * size))
	defer putBuffer(buf)
	if err := z.intervals(*buf, src, offsets, int(first), int(end-first)); err != nil {
		return err
	}
	copy(dst, (*buf)[off-first*size:])
	return nil
}

// readOffsets returns the offsets of the intervals.
func (z *szipDecoder) readOffsets(src section) (_ []uint64, err error) {
	if z.offsets == nil {
		z.offsets, err = z.d.szipOffsets(z.params, z.in.bytes/z.params.SampleBytes(), src.Size())
	}
	return z.offsets, wrapCompression(err, nameSzip)
}

// pickGap is the most bytes between the intervals of picked samples that are read rather than
// skipped. A request takes longer.
const pickGap = 8 << 10

// pick decodes single samples. Intervals that lie close together are read at once.
func (z *szipDecoder) pick(dst []uint32, at []uint64, src section) error {
	offsets, err := z.readOffsets(src)
	if err != nil {
		return err
	}
	interval := uint64(z.params.RSI) * uint64(z.params.BlockSize)
	end := func(i uint64) int64 { // of an interval, in bytes
		if i+1 < uint64(len(offsets)) {
			return int64(offsets[i+1]+7) / 8
		}
		return src.Size()
	}
	for len(at) > 0 {
		head := at[0] / interval
		if last := at[len(at)-1] / interval; last >= uint64(len(offsets)) {
			return compressionError(nil, "%s: sample %d is beyond %d intervals", nameSzip, at[len(at)-1], len(offsets))
		}
		start, tail, n := int64(offsets[head]/8), head, 1
		for ; n < len(at); n++ {
			next := at[n] / interval
			if int64(offsets[next]/8) > end(tail)+pickGap || end(next)-start > gatherBytes {
				break
			}
			tail = next
		}
		buf := getBuffer(int(end(tail) - start))
		err := readFull(src, *buf, start)
		if err == nil {
			samples := min((tail-head+1)*interval, uint64(z.in.bytes/z.params.SampleBytes())-head*interval)
			err = wrapCompression(aec.Pick(dst[:n], *buf, z.params, offsets[head:], int(samples), at[:n], head*interval), nameSzip)
		}
		putBuffer(buf)
		if err != nil {
			return err
		}
		dst, at = dst[n:], at[n:]
	}
	return nil
}

// intervals decodes the samples [first, first+count).
func (z *szipDecoder) intervals(out []byte, src section, offsets []uint64, first, count int) error {
	interval := z.params.RSI * z.params.BlockSize
	head, tail := first/interval, (first+count-1)/interval
	if tail >= len(offsets) {
		return compressionError(nil, "%s: sample %d is beyond %d intervals", nameSzip, first+count-1, len(offsets))
	}
	start, end := int64(offsets[head]/8), src.Size()
	if tail+1 < len(offsets) {
		end = int64(offsets[tail+1]+7) / 8
	}
	buf := getBuffer(int(end - start))
	defer putBuffer(buf)
	if err := readFull(src, *buf, start); err != nil {
		return err
	}
	local := make([]uint64, tail-head+1)
	for i := range local {
		local[i] = offsets[head+i] - 8*uint64(start)
	}
	return wrapCompression(aec.DecodeRange(out, *buf, z.params, local, first-head*interval, count), nameSzip)
}
