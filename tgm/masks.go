package tgm

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
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

// defaultSmallMask is the size in bytes of raw bits up to which methods are not worth their
// overhead.
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
	st, err := findMaskMethod(method)
	if err != nil {
		return dst, nil, encodingError(err, "mask %s", maskKinds[kind].name)
	}
	info := &MaskInfo{Method: method}
	start := len(dst)
	if dst, info.Params, err = st.encode(dst, m, o.Level); err != nil {
		return dst, nil, encodingError(err, "mask %s", maskKinds[kind].name)
	}
	info.Length = uint64(len(dst) - start)
	return dst, info, nil
}

// maskMethod is a way to store the bits of a mask.
type maskMethod struct {
	// encode appends the blob to dst, and returns the parameters that its entry names.
	encode func(dst []byte, m *Mask, level int) ([]byte, map[string]any, error)
	// decode reads the blob of a mask of n elements.
	decode func(blob []byte, n int) (*Mask, error)
}

func findMaskMethod(name string) (*maskMethod, error) {
	for i := range stages {
		if s := &stages[i]; s.name == name && s.mask != nil {
			return s.mask, nil
		}
	}
	return nil, fmt.Errorf("method %q is unknown", name)
}

// decodeMask reads a blob of a mask of n elements.
func decodeMask(blob []byte, info *MaskInfo, n int) (*Mask, error) {
	m, err := findMaskMethod(info.Method)
	if err != nil {
		return nil, err
	}
	return m.decode(blob, n)
}
