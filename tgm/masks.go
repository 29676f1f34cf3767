package tgm

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/bitmask"
	"github.com/tgmconv/tgmconv/codec/compress"
)

// maskKind is one of the three classes of values that a payload cannot hold.
type maskKind struct {
	name string
	of   func(*Masks) **MaskInfo
	// patterns are the bits that stand for the value, by component size; bfloat16 has its own.
	bits16, bfloat16 uint16
	bits32           uint32
	bits64           uint64
}

// maskKinds are in the order of their blobs in the payload region.
var maskKinds = [3]maskKind{
	{"nan", func(m *Masks) **MaskInfo { return &m.NaN }, 0x7E00, 0x7FC0, 0x7FC00000, 0x7FF8000000000000},
	{"inf+", func(m *Masks) **MaskInfo { return &m.PosInf }, 0x7C00, 0x7F80, 0x7F800000, 0x7FF0000000000000},
	{"inf-", func(m *Masks) **MaskInfo { return &m.NegInf }, 0xFC00, 0xFF80, 0xFF800000, 0xFFF0000000000000},
}

// The positions of the kinds in maskKinds.
const (
	kindNaN = iota
	kindPosInf
	kindNegInf
)

func maskKindNamed(name string) (*maskKind, bool) {
	for i := range maskKinds {
		if maskKinds[i].name == name {
			return &maskKinds[i], true
		}
	}
	return nil, false
}

// Names of stages and methods on the wire.
const (
	nameNone          = "none"
	nameSimplePacking = "simple_packing"
	nameShuffle       = "shuffle"
	nameZstd          = "zstd"
	nameLZ4           = "lz4"
	nameSzip          = "szip"
	nameRLE           = "rle"
	nameRoaring       = "roaring"
	nameBlosc2        = "blosc2"
	nameZFP           = "zfp"
	nameSZ3           = "sz3"
)

// defaultSmallMask is the size in bytes of raw bits up to which no method is worth its overhead.
const defaultSmallMask = 128

func (o MaskOptions) method(kind int) string {
	m := [3]string{o.NaN, o.PosInf, o.NegInf}[kind]
	if m == "" {
		return nameRoaring
	}
	return m
}

// encodeMask appends the blob of one mask to dst and describes it.
func (o MaskOptions) encodeMask(dst []byte, m *Mask, kind int) ([]byte, *MaskInfo, error) {
	method := o.method(kind)
	small := o.SmallThreshold
	if small == 0 {
		small = defaultSmallMask
	}
	if bitmask.Size(m.N) <= small {
		method = nameNone
	}
	info := &MaskInfo{Method: method}
	start := len(dst)
	var err error
	switch method {
	case nameNone, nameRLE, nameRoaring:
		dst, err = bitmask.Encode(dst, m, bitmask.Method(method))
	case nameZstd:
		if o.Level != 0 {
			info.Params = map[string]any{"level": o.Level}
		}
		dst, err = compress.EncodeZstd(dst, m.Bits, o.Level)
	case nameLZ4:
		dst, err = compress.EncodeLZ4(dst, m.Bits)
	case nameBlosc2:
		return dst, nil, unsupported("mask method " + method)
	default:
		return dst, nil, encodingError(nil, "mask method %q is unknown", method)
	}
	if err != nil {
		return dst, nil, encodingError(err, "mask %s", maskKinds[kind].name)
	}
	info.Length = uint64(len(dst) - start)
	return dst, info, nil
}

// decodeMask reads a blob of a mask of n elements.
func decodeMask(blob []byte, info *MaskInfo, n int) (*Mask, error) {
	switch info.Method {
	case nameNone, nameRLE, nameRoaring:
		return bitmask.Decode(blob, n, bitmask.Method(info.Method))
	case nameZstd:
		raw, err := compress.DecodeZstd(nil, blob, bitmask.Size(n))
		if err != nil {
			return nil, err
		}
		return bitmask.FromBits(raw, n)
	case nameLZ4:
		raw, err := compress.DecodeLZ4(nil, blob, bitmask.Size(n))
		if err != nil {
			return nil, err
		}
		return bitmask.FromBits(raw, n)
	case nameBlosc2:
		return nil, unsupported("mask method " + info.Method)
	}
	return nil, fmt.Errorf("method %q is unknown", info.Method)
}
