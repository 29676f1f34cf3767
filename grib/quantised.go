package grib

import (
	"github.com/tgmconv/tgmconv/codec/aec"
)

// Quantised is a field as the integers its producer stored. Point i has the value
//
//	(q[i]·2^BinaryScale + Reference) · 10^-DecimalScale
//
// The integers are in exactly one of Packed, AEC and Samples; all three are nil for a constant
// field, whose Bits is 0 and whose q is 0 everywhere. Packed and AEC are set only when no point is
// missing, and refer to the bytes of the message: they must not be changed.
type Quantised struct {
	N            int     // number of points, missing points included
	Reference    float64 // R, exact
	BinaryScale  int     // E
	DecimalScale int     // D
	Bits         int     // width that holds every q, 0 to 32

	Packed  []byte      // N samples of Bits bits, most significant bit first, without gaps
	AEC     *aec.Stream // N samples of Bits bits as a CCSDS 121.0-B stream
	Samples []uint32    // N samples, 0 where missing

	Missing *Mask // nil when no point is missing
}
