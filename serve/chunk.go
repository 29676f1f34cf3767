package serve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// storage says how the array of an object is shown: its data type, its codecs, and how its chunk
// comes about.
type storage struct {
	dataType zarr.DataType
	codecs   []zarr.Codec
	how      storageKind
}

type storageKind uint8

const (
	decoded storageKind = iota // decoded as a whole
	plain                      // elements as they lie in the file, except for the byte order
	stored                     // the payload as it lies in the file
)

// storedAs decides how an object with descriptor d is shown.
func storedAs(d *tgm.Descriptor) (storage, error) {
	s, err := elementsAs(d.DType, d.Shape)
	if err != nil || string(s.dataType) != d.DType.String() {
		return s, err
	}
	transforms, err := d.Transforms()
	switch {
	case err != nil: // decoded
	case len(transforms) == 0:
		s.how = plain
	default:
		s.how = stored
		s.codecs = storedCodecs(s.dataType, d.ByteOrder == tgm.BigEndian, transforms)
	}
	return s, nil
}

// elementsAs is how decoded elements are shown.
func elementsAs(dtype tgm.DType, shape []uint64) (storage, error) {
	s := storage{dataType: zarr.DataType(dtype.String())}
	switch dtype {
	case tgm.BFloat16:
		s.dataType = zarr.Float32
	case tgm.Bitmask:
		s.dataType = zarr.Bool
	}
	size := s.dataType.Size()
	if size == 0 {
		return s, &zarr.UnsupportedError{What: "dtype " + dtype.String()}
	}
	if _, ok := nd.Bytes(shape, size); !ok {
		return s, fmt.Errorf("shape %v of %s: the size does not fit 63 bits", shape, dtype)
	}
	s.codecs = zarr.PlainCodecs(s.dataType)
	return s, nil
}

// objectChunk is the only chunk of an object's array.
func objectChunk(object *tgm.Object, version string, g guard) (Chunk, error) {
	d := object.Descriptor()
	form, err := storedAs(d)
	if err != nil {
		return Chunk{}, err
	}
	size, _ := nd.Bytes(d.Shape, form.dataType.Size())
	chunk := Chunk{Size: size, Wrap: g.wrap}
	switch {
	case form.how == stored, form.how == plain && d.ByteOrder != tgm.BigEndian && object.PayloadLength() == size:
		chunk = payloadChunk(object, g)
	case form.how == plain, streams(object, size):
		elements := &elementReader{object: object, size: size, element: int64(form.dataType.Size())}
		chunk.Stored = &storedReader{elements, 0, size, g}
	default:
		chunk.Decode, chunk.Own = g.decoder(elementsDecoder(object)), true
	}
	chunk.ETag = entityTag(object, version)
	return chunk, nil
}

// payloadChunk is the payload of an object as it lies in the file.
func payloadChunk(object *tgm.Object, g guard) Chunk {
	size := object.PayloadLength()
	return Chunk{Size: size, Stored: &storedReader{object.Message().Reader(), object.PayloadOffset(), size, g}, Wrap: g.wrap}
}

// elementChunk is the chunk of an object's elements without a codec of their own, whatever the
// object's payload is: the arrays of a dataset have one chain of codecs for all their chunks.
func elementChunk(object *tgm.Object, version string, g guard) (Chunk, error) {
	form, err := storedAs(object.Descriptor())
	if err != nil || form.how != stored {
		return objectChunk(object, version, g)
	}
	size, _ := nd.Bytes(object.Descriptor().Shape, form.dataType.Size())
	return Chunk{Size: size, ETag: entityTag(object, version), Decode: g.decoder(elementsDecoder(object)), Own: true, Wrap: g.wrap}, nil
}

// elementsDecoder decodes an object that was compared with its hash.
func elementsDecoder(object *tgm.Object) func([]byte) ([]byte, error) {
	return func(buffer []byte) ([]byte, error) {
		_, data, err := objectElements(object, tgm.DecodeOptions{SkipHash: true, Dst: buffer})
		return data, err
	}
}

// streams reports whether an array is so much larger than its payload that it is decoded piece by
// piece.
func streams(object *tgm.Object, size int64) bool {
	return size > streamedChunk && size/64 > object.PayloadLength() && object.Descriptor().DType != tgm.BFloat16 && object.HasRanges()
}

const streamedChunk = 16 << 20

// entityTag is made of the hash over the object's payload and descriptor, which determine the answer.
func entityTag(object *tgm.Object, version string) string {
	if hash, ok := object.Hash(); ok {
		return fmt.Sprintf(`"%016x"`, hash)
	}
	if version == "" {
		return ""
	}
	return fmt.Sprintf(`"%s-%d-%d"`, version, object.Offset(), object.Length())
}

// ObjectElements decodes an object to the elements that the array of a [MessageView] has:
// little-endian, in C order, bfloat16 as float32 and bitmask as bool.
func ObjectElements(object *tgm.Object) (zarr.DataType, []byte, error) {
	return objectElements(object, tgm.DecodeOptions{})
}

func objectElements(object *tgm.Object, opts tgm.DecodeOptions) (zarr.DataType, []byte, error) {
	form, err := storedAs(object.Descriptor())
	if err != nil {
		return "", nil, err
	}
	array, err := object.Decode(opts)
	if err != nil {
		return "", nil, err
	}
	data := array.Data
	switch array.DType {
	case tgm.BFloat16:
		data = widenBFloat16(data)
	case tgm.Bitmask:
		n, _ := nd.Bytes(array.Shape, 1)
		data, err = unpackBits(data, n)
	}
	return form.dataType, data, err
}

// widenBFloat16 makes float32 of bfloat16, which is the upper half of one.
func widenBFloat16(data []byte) []byte {
	out := make([]byte, 2*len(data))
	for i := 0; i+2 <= len(data); i += 2 {
		binary.LittleEndian.PutUint32(out[2*i:], uint32(binary.LittleEndian.Uint16(data[i:]))<<16)
	}
	return out
}

// unpackBits makes a byte, 0 or 1, of each of n bits, most significant first.
func unpackBits(data []byte, n int64) ([]byte, error) {
	if int64(len(data)) != (n+7)/8 {
		return nil, fmt.Errorf("%d bytes for %d bits", len(data), n)
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = data[i/8] >> (7 - i%8) & 1
	}
	return out, nil
}

// elementReader reads the elements of an unencoded object at any byte offset, as little-endian.
type elementReader struct {
	object  *tgm.Object
	size    int64 // bytes of all elements
	element int64 // bytes of one
}

// elementWindow bounds the bytes that elementReader asks for at once.
const elementWindow = 4 << 20

// ReadAt implements io.ReaderAt. Elements that p begins or ends inside of are read whole.
func (r *elementReader) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) {
		at := off + int64(n)
		if at >= r.size {
			return n, io.EOF
		}
		first := at / r.element
		last := (min(at+int64(len(p)-n), at+elementWindow, r.size) + r.element - 1) / r.element
		part, err := r.object.DecodeRange(uint64(first), uint64(last-first), tgm.DecodeOptions{})
		if err != nil {
			return n, err
		}
		skip := at - first*r.element
		if int64(len(part.Data)) <= skip {
			return n, io.ErrUnexpectedEOF
		}
		n += copy(p[n:], part.Data[skip:])
	}
	return n, nil
}

// ObjectReader reads the elements of an object as [ObjectElements] gives them. An array that is
// very much larger than its payload is decoded piece by piece.
func ObjectReader(object *tgm.Object) (zarr.DataType, *io.SectionReader, error) {
	form, err := storedAs(object.Descriptor())
	if err != nil {
		return "", nil, err
	}
	size, _ := nd.Bytes(object.Descriptor().Shape, form.dataType.Size())
	if streams(object, size) {
		pieces := &elementReader{object: object, size: size, element: int64(form.dataType.Size())}
		return form.dataType, io.NewSectionReader(pieces, 0, size), object.CheckHash()
	}
	dtype, data, err := ObjectElements(object)
	return dtype, io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), err
}
