package tgm

import (
	"encoding/binary"
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

const (
	nameRLE     = "rle"
	nameRoaring = "roaring"
)

// bitmaskStage is a compression of bitmasks: run lengths or a roaring bitmap.
func bitmaskStage(name string) stage {
	return stage{
		kind:  CompressionStage,
		name:  name,
		takes: func(in form) error { return expectType(in, Bitmask) },
		encode: func(_ *encoder, s stored) (stored, error) {
			return s.compressed(name, func(dst []byte, s *stored) ([]byte, error) {
				return encodeBitmaskPayload(dst, s.data, bitmask.Method(name))
			})
		},
		open: func(_ *Descriptor, in form) (layer, error) {
			if in.dtype != Bitmask || in.packed {
				return layer{}, encodingError(nil, "compression %s of %s, expected bare %s", name, in.dtype, Bitmask)
			}
			return layer{in: in, decode: func(dst, src []byte) error {
				return wrapCompression(decodeBitmaskPayload(dst, src, bitmask.Method(name)), name)
			}}, nil
		},
		mask: bitsMethod(name),
	}
}

// bitsMethod is a mask method of the package bitmask.
func bitsMethod(name string) *maskMethod {
	return &maskMethod{
		encode: func(dst []byte, m *Mask, _ int) ([]byte, map[string]any, error) {
			dst, err := bitmask.Encode(dst, m, bitmask.Method(name))
			return dst, nil, err
		},
		decode: func(blob []byte, n int) (*Mask, error) { return bitmask.Decode(blob, n, bitmask.Method(name)) },
	}
}

// encodeBitmaskPayload compresses packed bits: their number, rounded up to whole bytes, as a
// big-endian uint32, and the serialised mask.
func encodeBitmaskPayload(dst, bitsData []byte, method bitmask.Method) ([]byte, error) {
	n := 8 * len(bitsData)
	if uint64(n) > 1<<32-1 {
		return dst, encodingError(nil, "%d bits, expected less than 2^32", n)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(n))
	return bitmask.Encode(dst, &Mask{N: n, Bits: bitsData}, method)
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
