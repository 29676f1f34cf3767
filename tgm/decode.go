package tgm

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/codec/bitmask"
	"github.com/tgmconv/tgmconv/codec/compress"
	"github.com/tgmconv/tgmconv/codec/packing"
	"github.com/tgmconv/tgmconv/codec/shuffle"
)

// payloadDecoder undoes the stages of one object. Sizes come from the descriptor and are checked
// against the limits before memory is taken.
type payloadDecoder struct {
	d       *Descriptor
	n       int            // elements
	size    int            // bytes of the decoded array
	encoded int            // bytes after encoding, before filter and compression
	params  packing.Params // of simple_packing
	szip    aec.Params     // of the stream, and of samples in memory
	shuffle int            // bytes of an element of the filter
}

// newPayloadDecoder checks the stages and sizes a descriptor states for a payload of so many bytes.
func newPayloadDecoder(d *Descriptor, payload int64, limits Limits) (*payloadDecoder, error) {
	size, ok := d.DecodedSize()
	n, _ := d.Elements()
	if !ok || n > 1<<62 {
		return nil, encodingError(nil, "shape %v of %s is more than can be counted", d.Shape, d.DType)
	}
	if limit := limits.decoded(payload); size > uint64(limit) {
		return nil, encodingError(nil, "array of %d bytes from a payload of %d is beyond the limit of %d", size, payload, limit)
	}
	p := &payloadDecoder{d: d, n: int(n), size: int(size), encoded: int(size)}
	if err := p.checkStages(); err != nil {
		return nil, err
	}
	if d.Encoding == nameSimplePacking {
		var err error
		if p.params, err = d.packing(); err != nil {
			return nil, encodingError(err, "encoding %s", nameSimplePacking)
		}
		if p.encoded, ok = packing.Size(p.n, p.params.Bits); !ok {
			return nil, encodingError(nil, "%d integers of %d bits are more than can be counted", n, p.params.Bits)
		}
	}
	return p, p.readParams()
}

// readParams reads the parameters of filter and compression.
func (p *payloadDecoder) readParams() (err error) {
	if p.d.Filter == nameShuffle {
		if p.shuffle, err = p.d.intRange("shuffle_element_size", 1, math.MaxInt32); err != nil {
			return encodingError(err, "filter %s", nameShuffle)
		}
	}
	if p.d.Compression == nameSzip {
		p.szip, err = p.szipParams()
	}
	return wrapCompression(err, nameSzip)
}

// decoded is the limit on the bytes of an array stored in so many.
func (l Limits) decoded(payload int64) int64 {
	if l.Decoded > 0 {
		return l.Decoded
	}
	return max(defaultDecodedLimit, defaultExpansionLimit*min(payload, 1<<50))
}

func (l Limits) metadata() int64 {
	if l.Metadata > 0 {
		return l.Metadata
	}
	return defaultMetadataLimit
}

// item is the limit on the bytes of CBOR that are decoded at once.
func (l Limits) item() int64 {
	if l.Item > 0 {
		return min(l.Item, l.metadata())
	}
	return min(defaultItemLimit, l.metadata())
}

const (
	defaultMetadataLimit  = 1 << 30
	defaultItemLimit      = 64 << 20
	defaultDecodedLimit   = 1 << 30
	defaultExpansionLimit = 256
)

func (p *payloadDecoder) checkStages() error {
	d := p.d
	switch d.Encoding {
	case nameNone:
	case nameSimplePacking:
		// Releases up to 0.17 packed every type of eight bytes, and what comes out is float64 all
		// the same.
		if d.DType.Size() != 8 {
			return encodingError(nil, "encoding %s of %s, expected float64", d.Encoding, d.DType)
		}
	default:
		return encodingError(nil, "encoding %q is unknown", d.Encoding)
	}
	if d.Filter != nameNone && d.Filter != nameShuffle {
		return encodingError(nil, "filter %q is unknown", d.Filter)
	}
	switch d.Compression {
	case nameNone, nameZstd, nameLZ4, nameSzip:
	case nameRLE, nameRoaring:
		if d.DType != Bitmask || d.Encoding != nameNone {
			return encodingError(nil, "compression %s of encoding %s, %s, expected bare %s", d.Compression, d.Encoding, d.DType, Bitmask)
		}
	case nameBlosc2, nameZFP, nameSZ3:
		return unsupported("compression " + d.Compression)
	default:
		return encodingError(nil, "compression %q is unknown", d.Compression)
	}
	return nil
}

// plain reports whether the payload is the array itself.
func (p *payloadDecoder) plain() bool {
	return p.d.Encoding == nameNone && p.d.Filter == nameNone && p.d.Compression == nameNone
}

// checkPlain compares the length of a payload that is the array itself with the descriptor.
func (p *payloadDecoder) checkPlain(payload int64) error {
	if payload != int64(p.size) {
		return encodingError(nil, "payload of %d bytes, shape %v of %s takes %d", payload, p.d.Shape, p.d.DType, p.size)
	}
	return nil
}

// decode returns the array in the order asked for, in dst's memory if that is large enough.
func (p *payloadDecoder) decode(payload, dst []byte, order ByteOrder) ([]byte, error) {
	if p.d.Encoding == nameSimplePacking {
		return p.unpack(payload, dst, order)
	}
	out := sized(dst, p.size)
	if p.plain() {
		if err := p.checkPlain(int64(len(payload))); err != nil {
			return nil, err
		}
		copy(out, payload)
	} else if err := p.undo(out, payload); err != nil {
		return nil, err
	}
	p.reorder(out, order)
	return out, nil
}

// reorder changes the byte order of decoded elements from the descriptor's.
func (p *payloadDecoder) reorder(data []byte, order ByteOrder) {
	if order != p.d.ByteOrder {
		swapBytes(data, p.d.DType.Component())
	}
}

// sized returns n bytes, dst's if it has as many.
func sized(dst []byte, n int) []byte {
	if cap(dst) >= n {
		return dst[:n]
	}
	return make([]byte, n)
}

// undo decompresses and unfilters the payload into out, which has the size of the encoded array.
func (p *payloadDecoder) undo(out, payload []byte) error {
	switch {
	case p.d.Filter == nameNone:
		return p.decompress(out, payload)
	case p.d.Compression == nameNone:
		return p.unshuffle(out, payload)
	}
	buf := getBuffer(len(out))
	defer putBuffer(buf)
	if err := p.decompress(*buf, payload); err != nil {
		return err
	}
	return p.unshuffle(out, *buf)
}

func (p *payloadDecoder) unshuffle(out, data []byte) error {
	if len(data) < len(out) {
		return encodingError(nil, "filter %s: %d bytes, expected %d", nameShuffle, len(data), len(out))
	}
	if err := shuffle.Decode(out, data[:len(out)], p.shuffle); err != nil {
		return encodingError(err, "filter %s", nameShuffle)
	}
	return nil
}

// decompress fills out with what the payload holds.
func (p *payloadDecoder) decompress(out, payload []byte) error {
	var err error
	switch p.d.Compression {
	case nameZstd:
		_, err = compress.DecodeZstd(out, payload, len(out))
	case nameLZ4:
		_, err = compress.DecodeLZ4(out, payload, len(out))
	case nameSzip:
		if len(out) > 0 {
			err = aec.Decode(out, payload, p.szip)
		}
	case nameRLE, nameRoaring:
		err = decodeBitmaskPayload(out, payload, bitmask.Method(p.d.Compression))
	}
	return wrapCompression(err, p.d.Compression)
}

// szipParams returns the parameters of the stream and of samples in memory.
func (p *payloadDecoder) szipParams() (aec.Params, error) {
	bits := 8 * p.d.DType.Size()
	packed := p.d.Encoding == nameSimplePacking
	switch {
	case packed:
		var err error
		if bits, err = packedSamples(p.params); err != nil {
			return aec.Params{}, err
		}
	case p.d.Filter == nameShuffle:
		bits = 8
	}
	params, err := p.d.szipParams(bits)
	return szipMemory(params, packed), err
}

// decodeBitmaskPayload fills out with the bits of a payload that encodeBitmaskPayload wrote.
func decodeBitmaskPayload(out, payload []byte, method bitmask.Method) error {
	if len(payload) == 0 && len(out) == 0 {
		return nil
	}
	if len(payload) < 4 {
		return fmt.Errorf("%d bytes are less than the element count", len(payload))
	}
	if n := binary.BigEndian.Uint32(payload); uint64(n) != 8*uint64(len(out)) {
		return fmt.Errorf("%d bits stored, expected %d", n, 8*len(out))
	}
	m, err := bitmask.Decode(payload[4:], 8*len(out), method)
	if err != nil {
		return err
	}
	copy(out, m.Bits)
	return nil
}

// packedBytes undoes compression and filter of packed integers; free gives their memory back.
func (p *payloadDecoder) packedBytes(payload []byte) (packed []byte, free func(), err error) {
	if p.d.Filter == nameNone && p.d.Compression == nameNone {
		return payload, func() {}, nil
	}
	buf := getBuffer(p.encoded)
	if err := p.undo(*buf, payload); err != nil {
		putBuffer(buf)
		return nil, nil, err
	}
	return *buf, func() { putBuffer(buf) }, nil
}

// unpack decodes simple_packing.
func (p *payloadDecoder) unpack(payload, dst []byte, order ByteOrder) ([]byte, error) {
	packed, free, err := p.packedBytes(payload)
	if err != nil {
		return nil, err
	}
	defer free()
	return unpackValues(dst, packed, p.n, p.params, order)
}

// unpackValues decodes n packed values to bytes in the order asked for.
func unpackValues(dst, packed []byte, n int, params packing.Params, order ByteOrder) ([]byte, error) {
	var values []float64
	var ok bool
	if cap(dst) >= 8*n {
		values, ok = float64View(dst[:8*n])
	}
	if !ok {
		values = make([]float64, n)
	}
	if err := packing.Decode(values, packed, params); err != nil {
		return nil, encodingError(err, "encoding %s", nameSimplePacking)
	}
	out := bytesOf(values)
	if hostIsLittle != (order == LittleEndian) {
		swapBytes(out, 8)
	}
	return out, nil
}

// masks reads the masks of an object from the bytes behind its payload, which begin at start in the
// payload region. Masks of integers mean nothing and are left out.
func (p *payloadDecoder) masks(behind []byte, start uint64) (masks nonFinite, err error) {
	if !p.d.Masks.Any() || p.d.DType.IsInteger() {
		return masks, nil
	}
	if p.d.DType == Bitmask {
		return masks, encodingError(nil, "%s with masks of non-finite values", p.d.DType)
	}
	for kind := range maskKinds {
		info := *maskKinds[kind].of(&p.d.Masks)
		if info == nil {
			continue
		}
		// The descriptor was checked when it was read: masks lie in the region and none before
		// start.
		blob := behind[info.Offset-start:][:info.Length]
		if masks[kind], err = decodeMask(blob, info, p.n); err != nil {
			return masks, encodingError(err, "mask %s", maskKinds[kind].name)
		}
	}
	return masks, nil
}
