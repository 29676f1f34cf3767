package zarr

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// An UnsupportedError reports what is valid Zarr and not implemented here.
type UnsupportedError struct {
	What string
}

func (e *UnsupportedError) Error() string { return "zarr: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *UnsupportedError) Detail() string { return e.What + " is not supported" }

// An OpaqueError reports an array whose elements have a data type that is not implemented here, such
// as texts. All else of its document is known. It is an [UnsupportedError].
type OpaqueError struct {
	Path     string
	Metadata *ArrayMetadata // which must not be changed
}

func (e *OpaqueError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the UnsupportedError.
func (e *OpaqueError) Unwrap() error {
	return &UnsupportedError{What: fmt.Sprintf("data type %.80q", string(e.Metadata.DataType))}
}

// A chain makes elements of the stored bytes of a chunk ("Codecs"), and the other way round:
// bytes-to-bytes codecs and the codec bytes, or the codec sharding_indexed in its place.
type chain struct {
	bytesToBytes []bytesCodec // in the order of the document
	bigEndian    bool         // the elements are stored big-endian
	component    int          // bytes swapped as one
	shard        *sharding    // nil without the codec sharding_indexed
}

// A bytesCodec is a bytes-to-bytes codec.
type bytesCodec interface {
	// decode undoes the codec. The result is at most limit bytes, or an error.
	decode(src []byte, limit int64) ([]byte, error)
	encode(src []byte) ([]byte, error)
}

// newChain makes the chain of the codecs of chunks of a shape. fill is an element of chunks that
// are not stored. The order the specification asks for, array-to-bytes before bytes-to-bytes, is
// checked.
func newChain(codecs []Codec, dtype DataType, shape []uint64, fill []byte) (*chain, error) {
	c := &chain{component: dtype.component()}
	if len(codecs) == 0 {
		return nil, fault.Errorf("zarr", "codecs: expected the codec bytes, found none")
	}
	var err error
	switch first := codecs[0]; first.Name {
	case "bytes":
		err = c.setEndian(first.Configuration["endian"])
	case shardingName:
		c.shard, err = newSharding(first, dtype, shape, fill)
	default:
		err = &UnsupportedError{What: fmt.Sprintf("codec %q before the codec bytes", first.Name)}
	}
	if err != nil {
		return nil, err
	}
	for _, codec := range codecs[1:] {
		b, err := newBytesCodec(codec, dtype.Size())
		if err != nil {
			return nil, err
		}
		c.bytesToBytes = append(c.bytesToBytes, b)
	}
	return c, nil
}

func (c *chain) setEndian(endian any) error {
	switch {
	case endian == "big":
		c.bigEndian = true
	case endian == "little", endian == nil && c.component == 1:
	default:
		return fault.Errorf("zarr", "codec bytes: endian is %v, expected little or big", endian)
	}
	return nil
}

// stageSlack is what a compressor may add to data it cannot compress, beside a sixteenth of its
// size.
const stageSlack = 64 << 10

// decode gives the little-endian elements of a chunk, exactly size bytes.
func (c *chain) decode(stored []byte, size int64) ([]byte, error) {
	data := stored
	for i, codec := range slices.Backward(c.bytesToBytes) {
		limit := c.unframed(size)
		for range i { // what the codecs before this one may have added to the elements
			limit += limit/16 + stageSlack
		}
		var err error
		if data, err = codec.decode(data, limit); err != nil {
			return nil, err
		}
	}
	if c.shard != nil {
		return c.shard.decode(data, size)
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("chunk decodes to %d bytes, expected %d", len(data), size)
	}
	if c.bigEndian && c.component > 1 {
		data = swapped(data, c.component)
	}
	return data, nil
}

// swapped is data with the bytes of every component reversed; data itself stays as it is.
func swapped(data []byte, component int) []byte {
	out := make([]byte, len(data))
	for i := 0; i+component <= len(data); i += component {
		switch component {
		case 2:
			binary.LittleEndian.PutUint16(out[i:], binary.BigEndian.Uint16(data[i:]))
		case 4:
			binary.LittleEndian.PutUint32(out[i:], binary.BigEndian.Uint32(data[i:]))
		case 8:
			binary.LittleEndian.PutUint64(out[i:], binary.BigEndian.Uint64(data[i:]))
		}
	}
	return out
}

// encode makes the stored bytes of the little-endian elements of a chunk. It may return data
// itself, which it does not change.
func (c *chain) encode(data []byte) ([]byte, error) {
	var err error
	switch {
	case c.shard != nil:
		if data, err = c.shard.encode(data); err != nil {
			return nil, err
		}
	case c.bigEndian && c.component > 1:
		data = swapped(data, c.component)
	}
	for _, codec := range c.bytesToBytes {
		if data, err = codec.encode(data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// unframed bounds the bytes of size bytes of elements before bytes-to-bytes codecs: a shard adds
// its index, and what its inner codecs cannot compress.
func (c *chain) unframed(size int64) int64 {
	if c.shard == nil {
		return size
	}
	return c.shard.limit(size)
}
