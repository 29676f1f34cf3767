package tgm

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/codec/bitmask"
	"github.com/tgmconv/tgmconv/codec/compress"
	"github.com/tgmconv/tgmconv/codec/packing"
	"github.com/tgmconv/tgmconv/codec/shuffle"
)

// Array is a decoded array, or one to encode.
type Array struct {
	Shape     []uint64 // C order; empty for a scalar
	DType     DType
	ByteOrder ByteOrder // of Data
	Data      []byte    // elements in C order; ceil(N/8) bytes for Bitmask
	// Missing marks points without a value. Encoding stores them as the NaN mask and ignores what
	// Data holds there; it must not mark any point of a type that has no NaN. Decoding sets it to
	// the NaN mask, if any.
	Missing *Mask
	// Disposable lets the encoder use Data as working memory, so that large arrays need little
	// beside it. What Data holds afterwards is not defined, and the object may lie in it: it must
	// not be changed until that is written. The same goes for capacity beyond its length, of which
	// 1/4096 and 64 bytes save a copy of data that do not compress.
	Disposable bool
}

// EncodedObject is a data frame ready to be written.
type EncodedObject struct {
	desc    Descriptor
	payload []byte
	masks   []byte // follows the payload
	cbor    []byte
	hash    uint64
	hashed  bool
	compat  Compat
	owned   *[]byte // memory of the payload, if it came from the pool
}

// Descriptor returns the descriptor; it must not be changed.
func (o *EncodedObject) Descriptor() *Descriptor { return &o.desc }

// Size returns the bytes of the frame, without padding.
func (o *EncodedObject) Size() int64 {
	return frameHeaderSize + int64(len(o.payload)) + int64(len(o.masks)) + int64(len(o.cbor)) + dataFooterSize
}

// Release gives the memory of the payload back for the next object to be encoded. The object must
// not be used afterwards. It need not be called.
func (o *EncodedObject) Release() {
	if o.owned != nil {
		putBuffer(o.owned)
		o.owned, o.payload = nil, nil
	}
}

// seal completes the descriptor with what is known of masks and computes the hash.
func (o *EncodedObject) seal() error {
	d := o.desc
	if o.compat == Compat017 {
		d.Params = renamedParams(d.Params, packingKeysHead, packingKeys017)
	}
	var err error
	if o.cbor, err = d.marshal(); err != nil {
		return encodingError(err, "descriptor")
	}
	if o.hashed {
		o.hash = o.computeHash()
	}
	return nil
}

func (o *EncodedObject) computeHash() uint64 {
	var h xxh3.Hasher
	h.Write(o.payload)
	h.Write(o.masks)
	h.Write(o.cbor)
	return h.Sum64()
}

// recast returns the object as another release's readers need it.
func (o *EncodedObject) recast(compat Compat, hashed bool) (*EncodedObject, error) {
	cborDiffers := o.compat != compat && o.desc.Encoding == nameSimplePacking
	if !cborDiffers && (o.hashed || !hashed) {
		return o, nil
	}
	c := *o
	c.compat, c.hashed, c.owned = compat, hashed, nil
	if err := c.seal(); err != nil {
		return nil, err
	}
	return &c, nil
}

// EncodeArray encodes an array. It may be called from several goroutines. It changes nothing it is
// given, except for data that are Disposable. Without encoding, filter, compression and masks the
// result refers to a.Data, which must not change until the result is written.
//
// Errors are *EncodingError, *CompressionError or *UnsupportedError.
func EncodeArray(a Array, p Pipeline) (*EncodedObject, error) {
	p = p.withDefaults()
	if err := p.check(a.DType); err != nil {
		return nil, err
	}
	o := newObject(a.Shape, a.DType, a.ByteOrder, &p)
	size, ok := o.desc.DecodedSize()
	if !ok || a.DType.Size() == 0 && a.DType != Bitmask {
		return nil, encodingError(nil, "shape %v of %s cannot be stored", a.Shape, a.DType)
	}
	if uint64(len(a.Data)) != size {
		return nil, encodingError(nil, "%d bytes given for shape %v of %s, expected %d", len(a.Data), a.Shape, a.DType, size)
	}
	n, _ := o.desc.Elements()
	s, masks, err := splitNonFinite(&a, int(n), &p)
	if err != nil {
		return nil, err
	}
	if p.Encoding == nameSimplePacking {
		if s, err = packValues(&o.desc, s, a.ByteOrder, &masks, &p); err != nil {
			return nil, err
		}
	}
	return o.finish(s, &masks, &p)
}

func newObject(shape []uint64, dtype DType, order ByteOrder, p *Pipeline) *EncodedObject {
	return &EncodedObject{
		desc: Descriptor{
			Type: "ntensor", Shape: slices.Clone(shape), Strides: rowMajor(shape), DType: dtype, ByteOrder: order,
			Encoding: p.Encoding, Filter: p.Filter, Compression: p.Compression, Params: map[string]any{},
		},
		compat: p.Compat,
		hashed: !p.NoHash,
	}
}

// stored is the output of one stage and what the next one must know of it.
type stored struct {
	data        []byte
	owned       *[]byte // pooled memory of data, nil if it is the caller's
	disposable  bool    // the caller's, but may be overwritten
	sampleBits  int     // width of one sample, as szip derives it
	elementSize int     // bytes of one element for shuffle; 0 if it has no whole number
	packed      bool    // integers most significant byte first
}

// finish runs filter and compression, appends masks and seals the object. It takes over s.
func (o *EncodedObject) finish(s stored, masks *nonFinite, p *Pipeline) (*EncodedObject, error) {
	var err error
	if p.Filter == nameShuffle {
		if s, err = o.shuffle(s, p); err != nil {
			return nil, err
		}
	}
	if p.Compression != nameNone {
		if s, err = o.compress(s, p); err != nil {
			return nil, err
		}
	}
	o.payload, o.owned = s.data, s.owned
	if err = o.appendMasks(masks, p); err == nil {
		err = o.seal()
	}
	if err != nil {
		o.Release()
		return nil, err
	}
	return o, nil
}

func (o *EncodedObject) appendMasks(masks *nonFinite, p *Pipeline) error {
	for kind, m := range masks {
		if m == nil {
			continue
		}
		start := len(o.masks)
		blob, info, err := p.Masks.encodeMask(o.masks, m, kind)
		if err != nil {
			return err
		}
		o.masks = blob
		info.Offset = uint64(len(o.payload) + start)
		*maskKinds[kind].of(&o.desc.Masks) = info
	}
	return nil
}

func (o *EncodedObject) shuffle(s stored, p *Pipeline) (stored, error) {
	size := p.ShuffleSize
	if size == 0 {
		size = s.elementSize
	}
	out := s
	var err error
	if s.inPlace() {
		err = shuffle.EncodeInPlace(s.data, size)
	} else {
		out.owned, out.disposable = getBuffer(len(s.data)), false
		out.data = *out.owned
		if err = shuffle.Encode(out.data, s.data, size); err != nil {
			out.release()
		} else {
			s.release()
		}
	}
	if err != nil {
		return s, encodingError(err, "filter %s", nameShuffle)
	}
	o.desc.Params["shuffle_element_size"] = size
	out.sampleBits, out.elementSize = 8, 1
	if s.packed {
		out.sampleBits = s.sampleBits
	}
	return out, nil
}

func (s *stored) release() {
	if s.owned != nil {
		putBuffer(s.owned)
	}
}

// inPlaceBytes is the size from which stages work in the memory they find their input in, if they
// may. It takes them a little longer; the bytes are the same.
const inPlaceBytes = 16 << 20

func (s *stored) inPlace() bool {
	return (s.disposable || s.owned != nil) && len(s.data) >= inPlaceBytes
}

func (o *EncodedObject) compress(s stored, p *Pipeline) (stored, error) {
	if p.Compression == nameZstd && s.inPlace() {
		return o.zstdInPlace(s, p)
	}
	var err error
	buf := s.owned
	out, behind := s.behind()
	if !behind {
		buf = getBuffer(0)
		out = (*buf)[:0]
	}
	switch p.Compression {
	case nameZstd:
		if p.Level != 0 {
			o.desc.Params["zstd_level"] = p.Level
		}
		out, err = compress.EncodeZstd(out, s.data, p.Level)
	case nameLZ4:
		out, err = compress.EncodeLZ4(out, s.data)
	case nameSzip:
		out, err = o.szip(out, s, p)
	case nameRLE, nameRoaring:
		out, err = encodeBitmaskPayload(out, s.data, p.Compression)
	}
	if !behind {
		*buf = out
		s.release()
	}
	s = stored{data: out, owned: buf}
	if err != nil {
		s.release()
		return stored{}, compressionError(err, "%s", p.Compression)
	}
	return s, nil
}

// behind returns the memory behind the data, if it is as large as these: where values were packed
// in place, there is most of what they took.
func (s *stored) behind() ([]byte, bool) {
	n := len(s.data)
	return s.data[n:n], s.inPlace() && cap(s.data) >= 2*n
}

func (o *EncodedObject) zstdInPlace(s stored, p *Pipeline) (stored, error) {
	if p.Level != 0 {
		o.desc.Params["zstd_level"] = p.Level
	}
	var err error
	if s.data, err = compress.EncodeZstdInPlace(s.data, p.Level); err != nil {
		s.release()
		return stored{}, compressionError(err, "%s", p.Compression)
	}
	return s, nil
}

// szip compresses samples and records the parameters and the bit offset of each interval. The byte
// order of samples is not stored: it follows from the encoding, most significant byte first behind
// simple_packing and else least.
func (o *EncodedObject) szip(dst []byte, s stored, p *Pipeline) ([]byte, error) {
	params := p.Szip.aecParams(s.sampleBits)
	if s.sampleBits < 1 || s.sampleBits > 32 {
		return dst, encodingError(nil, "samples of %d bits, szip takes 1 to 32", s.sampleBits)
	}
	if err := checkSzip(params); err != nil {
		return dst, err
	}
	if len(s.data) == 0 {
		// The coder would write a byte, which the reference implementation takes for damage.
		o.setSzip(params, nil)
		return dst, nil
	}
	out, offsets, err := aec.Encode(dst, s.data, szipMemory(params, s.packed))
	if err != nil {
		return dst, err
	}
	o.setSzip(params, offsets)
	return out, nil
}

func (o *EncodedObject) setSzip(p aec.Params, offsets []uint64) {
	o.desc.Params["szip_rsi"] = p.RSI
	o.desc.Params["szip_block_size"] = p.BlockSize
	o.desc.Params["szip_flags"] = int(p.Flags)
	o.desc.Params["szip_block_offsets"] = nonNil(offsets)
}

// encodeBitmaskPayload compresses packed bits: their number, rounded up to whole bytes, as a
// big-endian uint32, and the serialised mask.
func encodeBitmaskPayload(dst, bitsData []byte, method string) ([]byte, error) {
	n := 8 * len(bitsData)
	if uint64(n) > 1<<32-1 {
		return dst, encodingError(nil, "%d bits, expected less than 2^32", n)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(n))
	return bitmask.Encode(dst, &Mask{N: n, Bits: bitsData}, bitmask.Method(method))
}

// packValues quantises float64 values; points of masks become 0. It takes over s.
func packValues(d *Descriptor, s stored, order ByteOrder, masks *nonFinite, p *Pipeline) (stored, error) {
	width := p.Bits
	if width == 0 {
		width = 16
	}
	values, scratch := float64sOf(s.data, order)
	if scratch == nil && masks.any() {
		// With masks the data are a copy of the caller's already.
		scratch = values
	}
	masks.fillFrom(scratch)
	params, err := packing.Compute(values, width, p.DecimalScale)
	if err != nil {
		s.release()
		return stored{}, encodingError(err, "encoding %s", nameSimplePacking)
	}
	for _, m := range masks {
		for i := range m.Indices() {
			scratch[i] = params.Reference
		}
	}
	return s.quantised(d, values, params, p)
}

// quantised packs the values that s holds with the given parameters, in integers as wide as the
// later stages need. It takes over s.
func (s stored) quantised(d *Descriptor, values []float64, params packing.Params, p *Pipeline) (stored, error) {
	width := params.Bits
	if p.needsWholeBytes() {
		width = widened(width)
	}
	wide := params
	wide.Bits = width
	out := s
	var err error
	if s.inPlace() {
		// Integers are no wider than the values, and each is written when its value has been read.
		out.data, err = packing.Encode(s.data[:0], values, wide)
	} else {
		out.owned, out.disposable = getBuffer(0), false
		out.data, err = packing.Encode((*out.owned)[:0], values, wide)
		*out.owned = out.data
		s.release()
	}
	if err != nil {
		out.release()
		return stored{}, encodingError(err, "encoding %s", nameSimplePacking)
	}
	setPacking(d, params, width)
	out.sampleBits, out.elementSize, out.packed = width, (width+7)/8, true
	return out, nil
}

// fillFrom replaces masked values by one that is not masked, so that they do not count in the range
// of values.
func (m *nonFinite) fillFrom(values []float64) {
	if !m.any() {
		return
	}
	fill := 0.0
	for i, v := range values {
		if !m[0].Get(i) && !m[1].Get(i) && !m[2].Get(i) {
			fill = v
			break
		}
	}
	for _, mask := range m {
		for i := range mask.Indices() {
			values[i] = fill
		}
	}
}
