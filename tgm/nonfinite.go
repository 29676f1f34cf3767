package tgm

import (
	"encoding/binary"
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// floatLayout is how to find the exponent in elements of one component size.
type floatLayout struct {
	component int
	exponent  uint64 // exponent bits of each component in a word of eight bytes
	carry     uint64 // added to a full exponent, this reaches the sign bit
	sign      uint64
	fraction  uint64 // of one component
}

func layoutOf(d DType) (floatLayout, bool) {
	switch d {
	case Float16:
		return floatLayout{2, 0x7C00 * lanes16, 0x0400 * lanes16, 0x8000 * lanes16, 0x03FF}, true
	case BFloat16:
		return floatLayout{2, 0x7F80 * lanes16, 0x0080 * lanes16, 0x8000 * lanes16, 0x007F}, true
	case Float32, Complex64:
		return floatLayout{4, 0x7F800000 * lanes32, 0x00800000 * lanes32, 0x80000000 * lanes32, 0x007FFFFF}, true
	case Float64, Complex128:
		return floatLayout{8, 0x7FF << 52, 1 << 52, 1 << 63, 1<<52 - 1}, true
	}
	return floatLayout{}, false
}

const (
	lanes16 = 0x0001000100010001
	lanes32 = 0x0000000100000001
)

// word returns the eight bytes at b[i:], missing bytes as zero, with each component in natural
// significance. The order of components in it does not matter to callers who only ask whether any
// is special.
func word(b []byte, order ByteOrder) uint64 {
	if len(b) < 8 {
		var last [8]byte
		copy(last[:], b)
		b = last[:]
	}
	if order == BigEndian {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// anyNonFinite reports whether some component is NaN or infinite.
func (l floatLayout) anyNonFinite(data []byte, order ByteOrder) bool {
	const chunk = 4096
	for len(data) >= chunk {
		var found uint64
		if order == LittleEndian {
			for b := data[:chunk]; len(b) >= 16; b = b[16:] {
				found |= binary.LittleEndian.Uint64(b)&l.exponent + l.carry
				found |= binary.LittleEndian.Uint64(b[8:])&l.exponent + l.carry
			}
		} else {
			for b := data[:chunk]; len(b) >= 8; b = b[8:] {
				found |= binary.BigEndian.Uint64(b)&l.exponent + l.carry
			}
		}
		if found&l.sign != 0 {
			return true
		}
		data = data[chunk:]
	}
	for len(data) > 0 {
		if (word(data, order)&l.exponent+l.carry)&l.sign != 0 {
			return true
		}
		data = data[min(8, len(data)):]
	}
	return false
}

// component classes, in the order of maskKinds; finite is none of them.
const finite = -1

// classify returns the kind of one component's bits.
func (l floatLayout) classify(v uint64) int {
	switch {
	case v&l.exponent&l.componentMask() != l.exponent&l.componentMask():
		return finite
	case v&l.fraction != 0:
		return kindNaN
	case v&(1<<(8*l.component-1)) != 0:
		return kindNegInf
	}
	return kindPosInf
}

func (l floatLayout) componentMask() uint64 { return ^uint64(0) >> (64 - 8*l.component) }

// component returns the bits of one component.
func (l floatLayout) at(b []byte, order ByteOrder) uint64 {
	switch l.component {
	case 2:
		v := binary.LittleEndian.Uint16(b)
		if order == BigEndian {
			v = bits.ReverseBytes16(v)
		}
		return uint64(v)
	case 4:
		v := binary.LittleEndian.Uint32(b)
		if order == BigEndian {
			v = bits.ReverseBytes32(v)
		}
		return uint64(v)
	}
	v := binary.LittleEndian.Uint64(b)
	if order == BigEndian {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// classifyElement returns the kind of an element and the component that decides. For complex
// numbers NaN in either part goes before an infinity, and a positive infinity before a
// negative.
func (l floatLayout) classifyElement(e []byte, order ByteOrder) (kind, part int) {
	kind = l.classify(l.at(e, order))
	if len(e) > l.component {
		second := l.classify(l.at(e[l.component:], order))
		if second != finite && (kind == finite || second < kind) {
			return second, 1
		}
	}
	return kind, 0
}

// nonFinite are the masks of an array, by kind; nil where there is no such element.
type nonFinite [len(maskKinds)]*Mask

func (m *nonFinite) mark(kind, n, i int) {
	if m[kind] == nil {
		m[kind] = bitmask.New(n)
	}
	m[kind].Set(i)
}

func (m *nonFinite) any() bool { return m[0] != nil || m[1] != nil || m[2] != nil }

// splitNonFinite returns the array's data with zeros where it has no finite value, and masks of
// these points. Data that are not disposable are copied, but only when there are any, to memory
// from the pool. Errors number the elements from first on.
func splitNonFinite(a *Array, n int, p *Pipeline, first int) (s stored, masks nonFinite, err error) {
	s = stored{form: formOf(a.DType, n), data: a.Data, disposable: a.Disposable}
	if a.Missing != nil && a.Missing.N != n {
		return s, masks, encodingError(nil, "missing points of %d elements given for %d", a.Missing.N, n)
	}
	l, isFloat := layoutOf(a.DType)
	missing := a.Missing.Any()
	if missing && !isFloat {
		return s, masks, encodingError(nil, "%s has no value for missing points", a.DType)
	}
	if missing {
		masks[kindNaN] = &Mask{N: n, Bits: append([]byte(nil), a.Missing.Bits...)}
		s.makeWritable()
		s.clear(a.Missing)
	}
	if !isFloat || !l.anyNonFinite(s.data, a.ByteOrder) {
		return s, masks, nil
	}
	for i := range n {
		kind, part := l.classifyElement(s.data[i*s.element:(i+1)*s.element], a.ByteOrder)
		if kind == finite {
			continue
		}
		if err := p.allow(kind, first+i, part, a.DType); err != nil {
			s.release()
			return s, masks, err
		}
		masks.mark(kind, n, i)
	}
	s.makeWritable()
	for _, m := range masks {
		s.clear(m)
	}
	return s, masks, nil
}

// makeWritable replaces data that must not be changed by a copy.
func (s *stored) makeWritable() {
	if s.owned != nil || s.disposable {
		return
	}
	s.owned = getBuffer(len(s.data))
	copy(*s.owned, s.data)
	s.data = *s.owned
}

// clear zeroes the elements a mask marks.
func (s *stored) clear(m *Mask) {
	for i := range m.Indices() {
		clear(s.data[i*s.element : (i+1)*s.element])
	}
}

// allow returns an error for a non-finite element that the pipeline does not accept.
func (p *Pipeline) allow(kind, index, part int, d DType) error {
	if kind == kindNaN && p.AllowNaN || kind != kindNaN && p.AllowInf {
		return nil
	}
	check, component := "strict-Inf check", ""
	if kind == kindNaN {
		check = "strict-NaN check"
	}
	if d.IsComplex() {
		component = [2]string{", real part", ", imaginary part"}[part]
	}
	return encodingError(nil, "%s: element %d of %s%s is %s", check, index, d, component, maskKinds[kind].name)
}

// restore writes the value of a kind at the points of a mask, in both parts of complex elements.
func restore(data []byte, m *Mask, kind *maskKind, d DType, order ByteOrder) {
	size, component := d.Size(), d.Component()
	var pattern [8]byte
	switch component {
	case 2:
		v := kind.bits16
		if d == BFloat16 {
			v = kind.bfloat16
		}
		putUint16(pattern[:], v, order)
	case 4:
		putUint32(pattern[:], kind.bits32, order)
	case 8:
		putUint64(pattern[:], kind.bits64, order)
	}
	for i := range m.Indices() {
		for e := data[i*size : (i+1)*size]; len(e) > 0; e = e[component:] {
			copy(e, pattern[:component])
		}
	}
}

func putUint16(b []byte, v uint16, order ByteOrder) {
	if order == BigEndian {
		binary.BigEndian.PutUint16(b, v)
		return
	}
	binary.LittleEndian.PutUint16(b, v)
}

func putUint32(b []byte, v uint32, order ByteOrder) {
	if order == BigEndian {
		binary.BigEndian.PutUint32(b, v)
		return
	}
	binary.LittleEndian.PutUint32(b, v)
}

func putUint64(b []byte, v uint64, order ByteOrder) {
	if order == BigEndian {
		binary.BigEndian.PutUint64(b, v)
		return
	}
	binary.LittleEndian.PutUint64(b, v)
}
