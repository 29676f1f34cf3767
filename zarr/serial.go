package zarr

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/codec/zfp"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// byteOrder is the codec bytes: the elements one after the other.
type byteOrder struct {
	element int    // bytes of one
	swaps   []span // of an element, stored big-endian
	same    int    // bytes of all swaps where these are the whole element, one after the other; else 0
}

func newByteOrder(c Codec, in spec) (stage, spec, error) {
	if in.element.anyLength() {
		return nil, spec{}, fault.Errorf("zarr", "codec bytes: elements of any length, expected a fixed size")
	}
	b := &byteOrder{element: in.element.Size}
	parts := in.element.spans()
	endian := c.Configuration["endian"]
	switch {
	case endian == "big", endian == "little":
	case endian == nil && len(parts) == 0:
	case endian == nil && in.own != nil && (in.own.Kind == KindStruct || len(in.own.spans()) == 0):
		// zarr-python names none for structs, and none where only a filter has made longer numbers.
	default:
		return nil, spec{}, fault.Errorf("zarr", "codec bytes: endian is %v, expected little or big", endian)
	}
	covered := 0
	for _, s := range parts {
		if endian == "big" || s.big {
			b.swaps = append(b.swaps, s)
			covered += s.size
		}
	}
	if covered == b.element && !slices.ContainsFunc(b.swaps, func(s span) bool { return s.size != b.swaps[0].size }) {
		b.same = b.swaps[0].size
	}
	return b, in.serial(in.size), nil
}

func (b *byteOrder) decode(dst, src []byte, limit int64) ([]byte, error) {
	if int64(len(src)) != limit || len(b.swaps) == 0 {
		return src, nil // the length is checked by the chain
	}
	return b.swapped(dst, src), nil
}

func (b *byteOrder) encode(src []byte) ([]byte, error) {
	if len(b.swaps) == 0 {
		return src, nil
	}
	return b.swapped(nil, src), nil
}

func (b *byteOrder) swapped(dst, src []byte) []byte {
	out := roomFor(dst, len(src))
	if b.same > 0 {
		swap(out, src, b.same)
		return out
	}
	copy(out, src)
	for at := 0; at+b.element <= len(out); at += b.element {
		for _, s := range b.swaps {
			reverse(out[at+s.offset : at+s.offset+s.size])
		}
	}
	return out
}

func reverse(b []byte) { slices.Reverse(b) }

// roomFor is memory for n bytes: dst if it has room.
func roomFor(dst []byte, n int) []byte {
	if cap(dst) >= n {
		return dst[:n]
	}
	return make([]byte, n)
}

// swap stores data in out with the bytes of every component reversed.
func swap(out, data []byte, component int) {
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
}

func newZfpy(c Codec, in spec) (stage, spec, error) {
	return zfpBytes{readOnly(c.Name)}, in.serial(2*in.size + stageSlack), nil
}

// zfpBytes is a stream of zfp with a header.
type zfpBytes struct{ readOnly }

func (zfpBytes) decode(_, src []byte, limit int64) ([]byte, error) {
	const headerBytes = 12 // at least
	grid, err := zfp.ParseHeader(src)
	if err != nil {
		return nil, fmt.Errorf("codec zfpy: %w", err)
	}
	n, ok := grid.Len()
	if !ok || int64(n) > limit/int64(grid.Type.Size()) {
		return nil, fmt.Errorf("codec zfpy: %v values, expected at most %d bytes", grid.Dims, limit)
	}
	if err := grid.CheckSize(len(src) - headerBytes); err != nil {
		return nil, fmt.Errorf("codec zfpy: %w", err)
	}
	out := make([]byte, n*grid.Type.Size())
	if err := grid.Decode(out, zfp.Body(src)); err != nil {
		return nil, fmt.Errorf("codec zfpy: %w", err)
	}
	return out, nil
}

// packBits is the codec packbits: a run of bits of each component, lowest first, one component after
// the other.
type packBits struct {
	readOnly
	component, first, count int // bytes of a component, and its bits that are stored
	signed                  bool
	padByte                 int // bytes with the number of bits that fill the last byte
	padFirst                bool
}

func newPackBits(c Codec, in spec) (stage, spec, error) {
	t := in.element.Number
	if in.element.Kind != KindNumber {
		return nil, spec{}, &UnsupportedError{What: "codec packbits of elements that are no numbers"}
	}
	p := &packBits{readOnly: readOnly(c.Name), component: t.component()}
	bits := 8 * p.component
	switch t {
	case Bool:
		bits = 1
	case Int8, Int16, Int32, Int64:
		p.signed = true
	}
	p.first = configInt(c, "first_bit", 0)
	last := configInt(c, "last_bit", bits-1)
	if p.first < 0 || last < p.first || last >= bits {
		return nil, spec{}, fault.Errorf("zarr", "codec packbits: bits %d to %d of %d", p.first, last, bits)
	}
	p.count = last - p.first + 1
	switch padding := c.Configuration["padding_encoding"]; padding {
	case nil, "none":
	case "first_byte", "last_byte":
		p.padByte, p.padFirst = 1, padding == "first_byte"
	default:
		return nil, spec{}, fault.Errorf("zarr", "codec packbits: padding_encoding is %v, expected none, first_byte or last_byte", padding)
	}
	return p, in.serial(p.packed(in.size) + int64(p.padByte)), nil
}

// packed is the number of bytes that size bytes of components take.
func (p *packBits) packed(size int64) int64 {
	n := size / int64(p.component)
	return n/8*int64(p.count) + (n%8*int64(p.count)+7)/8
}

func (p *packBits) decode(_, src []byte, limit int64) ([]byte, error) {
	want := p.packed(limit) + int64(p.padByte)
	if int64(len(src)) != want || limit > math.MaxInt {
		return nil, fmt.Errorf("codec packbits: %d bytes, expected %d", len(src), want)
	}
	if p.padFirst {
		src = src[1:]
	}
	out := make([]byte, limit)
	unused := 64 - p.first - p.count
	bit := 0
	for at := 0; at < len(out); at += p.component {
		var v uint64
		for i := range p.count {
			v |= uint64(src[bit>>3]>>(bit&7)&1) << i
			bit++
		}
		v <<= p.first
		if p.signed {
			v = uint64(int64(v<<unused) >> unused)
		}
		putLittle(out[at:at+p.component], v)
	}
	return out, nil
}

func putLittle(dst []byte, v uint64) {
	for i := range dst {
		dst[i] = byte(v >> (8 * i))
	}
}
