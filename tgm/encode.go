package tgm

import (
	"io"

	"github.com/tgmconv/tgmconv/codec/packing"
)

// Array is a decoded array, or one to encode.
type Array struct {
	Shape     []uint64 // C order; empty for a scalar
	DType     DType
	ByteOrder ByteOrder // of Data
	Data      []byte    // elements in C order; ceil(N/8) bytes for Bitmask
	// Missing marks points without a value. Encoding stores them as the NaN mask and ignores what Data
	// holds there; it must be nil for types that have no NaN. Decoding sets it to the NaN mask, if any.
	Missing *Mask
}

// Packed is an array of quantised values: integers and the parameters that make numbers of them. Exactly one of
// Bits, Samples and AEC holds the integers; none of them when Params.Bits is 0. At missing points they are 0.
type Packed struct {
	Shape   []uint64
	Params  packing.Params
	Bits    []byte     // MSB first, without gaps
	Samples []uint32   // one per element
	AEC     *AECStream // CCSDS 121.0-B-3, samples of Params.Bits bits
	Missing *Mask
}

// AECStream is a compressed series of samples as libaec writes and szip stores it.
type AECStream struct {
	Data      []byte
	BlockSize int      // samples
	RSI       int      // blocks
	Flags     uint8    // libaec's values
	Offsets   []uint64 // bit offset of each RSI; found by scanning when nil
}

// EncodedObject is a data frame ready to be written.
type EncodedObject struct {
	desc    Descriptor
	payload []byte
	masks   []byte
	cbor    []byte
	hash    uint64
}

// Descriptor returns the descriptor; it must not be changed.
func (o *EncodedObject) Descriptor() *Descriptor { return &o.desc }

// EncodeArray encodes an array. It is pure and safe to call from several goroutines. Without encoding,
// filter and compression the result refers to a.Data, which must not change until it is written.
func EncodeArray(a Array, p Pipeline) (*EncodedObject, error) {
	return nil, &UnsupportedError{Feature: "encoding"}
}

// EncodePacked stores quantised values as they are, as simple_packing.
func EncodePacked(q Packed, p Pipeline) (*EncodedObject, error) {
	return nil, &UnsupportedError{Feature: "encoding"}
}

var _ io.Writer
