package tgm

import (
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// Mask marks elements of an array.
type Mask = bitmask.Mask

// Descriptor is the CBOR map of a data frame: the type of the array and the stages of its
// payload.
type Descriptor struct {
	Type        string   // by convention "ntensor"
	Shape       []uint64 // C order, slowest axis first; empty for a scalar
	Strides     []uint64 // one per axis; opaque, this package writes row-major element strides
	DType       DType
	ByteOrder   ByteOrder
	Encoding    string // none, simple_packing
	Filter      string // none, shuffle
	Compression string // none, zstd, lz4, szip, blosc2, zfp, sz3, rle, roaring
	// Params holds every other key of the map: the parameters of the three stages above. Values
	// are int64, uint64, float64, string, bool, []byte, []any or map[string]any. Unknown keys are
	// kept.
	Params map[string]any
	Masks  Masks
}

// Masks are the non-finite elements of an object that were replaced by zeros in its payload. Each
// may be nil.
type Masks struct {
	NaN, PosInf, NegInf *MaskInfo
}

// Any reports whether at least one mask is present.
func (m *Masks) Any() bool { return m.NaN != nil || m.PosInf != nil || m.NegInf != nil }

// MaskInfo says where a mask is and how it is stored.
type MaskInfo struct {
	Method string // none, rle, roaring, zstd, lz4, blosc2
	Offset uint64 // bytes from the start of the payload region
	Length uint64 // bytes
	Params map[string]any
}

// Elements returns the number of elements of the shape, and false if that overflows.
func (d *Descriptor) Elements() (uint64, bool) { return elements(d.Shape) }

// DecodedSize returns the bytes of the decoded array. It returns false if the number overflows or
// exceeds the largest int.
func (d *Descriptor) DecodedSize() (uint64, bool) {
	n, ok := d.Elements()
	if !ok {
		return 0, false
	}
	if d.DType == Bitmask {
		return n/8 + (n%8+7)/8, true
	}
	hi, size := bits.Mul64(n, uint64(d.DType.Size()))
	return size, hi == 0 && size <= math.MaxInt
}

func elements(shape []uint64) (uint64, bool) {
	n := uint64(1)
	overflow := false
	for _, d := range shape {
		if d == 0 {
			return 0, true
		}
		hi, lo := bits.Mul64(n, d)
		overflow = overflow || hi != 0
		n = lo
	}
	return n, !overflow
}
