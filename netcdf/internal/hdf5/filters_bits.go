package hdf5

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// bitReader takes numbers of any width from bytes, most significant bit first.
type bitReader struct {
	b   []byte
	bit int
	err error
}

func (r *bitReader) take(n int) uint64 {
	if r.err != nil || n > 8*len(r.b)-r.bit {
		r.err = io.ErrUnexpectedEOF
		return 0
	}
	var u uint64
	for n > 0 {
		left := 8 - r.bit&7
		k := min(left, n)
		part := uint64(r.b[r.bit>>3]) >> (left - k) & (1<<k - 1)
		u = u<<k | part
		r.bit += k
		n -= k
	}
	return u
}

// Kinds of types in the parameters of the n-bit filter.
const (
	nbitAtomic   = 1
	nbitArray    = 2
	nbitCompound = 3
	nbitPlain    = 4
)

// nbitType is a type in the parameters of the n-bit filter: of numbers only the significant bits
// are stored.
type nbitType struct {
	kind, size, precision, offset int
	bigEndian                     bool
	base                          *nbitType
	fields                        []nbitField
}

type nbitField struct {
	offset int
	t      *nbitType
}

// unnbit undoes the n-bit filter. Parameters: their number, whether to leave the data alone,
// elements, type.
func unnbit(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	if len(f.Params) < 3 {
		return nil, fmt.Errorf("%d parameters", len(f.Params))
	}
	if f.Params[1] != 0 {
		return src, nil
	}
	params := f.Params[3:]
	t, err := parseNbit(&params, 0)
	if err != nil {
		return nil, err
	}
	n := uint64(f.Params[2])
	if want, err = wholeElements(n, t.size, want, exact); err != nil {
		return nil, err
	}
	if uint64(t.stored())*n/8 > uint64(len(src)) {
		return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(src), want)
	}
	out := room(dst, want)
	clear(out)
	r := &bitReader{b: src}
	for i := range int(n) {
		t.element(out[i*t.size:(i+1)*t.size], r)
	}
	return out, r.err
}

// wholeElements returns the bytes of n elements. They must be want bytes, or no more than that if
// it is not exact, as after another filter.
func wholeElements(n uint64, size, want int, exact bool) (int, error) {
	bytes, ok := wire.Mul(n, uint64(size))
	if !ok || bytes > uint64(want) || exact && bytes != uint64(want) {
		return 0, fmt.Errorf("%d elements of %d bytes, expected %d bytes", n, size, want)
	}
	return int(bytes), nil
}

func parseNbit(params *[]uint32, depth int) (*nbitType, error) {
	take := func() int {
		if len(*params) == 0 {
			return -1
		}
		v := (*params)[0]
		*params = (*params)[1:]
		return int(v)
	}
	t := &nbitType{kind: take(), size: take()}
	if t.size < 1 || t.size > 1<<30 || depth > maxTypeDepth {
		return nil, fmt.Errorf("type of %d bytes in the parameters", t.size)
	}
	var err error
	switch t.kind {
	case nbitAtomic:
		t.bigEndian = take() == 1
		t.precision, t.offset = take(), take()
		if t.precision < 1 || t.offset < 0 || t.precision > 64 || t.offset+t.precision > 8*t.size {
			return nil, fmt.Errorf("%d bits from bit %d of %d bytes", t.precision, t.offset, t.size)
		}
	case nbitArray:
		if t.base, err = parseNbit(params, depth+1); err == nil && t.size%t.base.size != 0 {
			err = fmt.Errorf("array of %d bytes with elements of %d", t.size, t.base.size)
		}
	case nbitCompound:
		for range take() {
			field := nbitField{offset: take()}
			if field.t, err = parseNbit(params, depth+1); err != nil {
				return nil, err
			}
			if field.offset < 0 || field.offset > t.size-field.t.size {
				return nil, fmt.Errorf("field of %d bytes at %d of %d", field.t.size, field.offset, t.size)
			}
			t.fields = append(t.fields, field)
		}
	case nbitPlain:
	default:
		err = fmt.Errorf("type of kind %d in the parameters", t.kind)
	}
	return t, err
}

// stored returns the number of stored bits of an element, less than 2^40.
func (t *nbitType) stored() int {
	switch t.kind {
	case nbitAtomic:
		return t.precision
	case nbitArray:
		return t.size / t.base.size * t.base.stored()
	case nbitCompound:
		n := 0
		for _, f := range t.fields {
			n += f.t.stored()
		}
		return n
	}
	return 8 * t.size
}

func (t *nbitType) element(dst []byte, r *bitReader) {
	if r.err != nil {
		return
	}
	switch t.kind {
	case nbitAtomic:
		v := r.take(t.precision)
		for i := range t.precision {
			bit := t.offset + i
			dst[bit/8] |= byte(v>>i&1) << (bit % 8)
		}
		if t.bigEndian {
			wire.Swap(dst, t.size)
		}
	case nbitArray:
		for ; len(dst) > 0; dst = dst[t.base.size:] {
			t.base.element(dst[:t.base.size], r)
		}
	case nbitCompound:
		for _, f := range t.fields {
			f.t.element(dst[f.offset:f.offset+f.t.size], r)
		}
	default:
		for i := range dst {
			dst[i] = byte(r.take(8))
		}
	}
}

// scaleOffset is the parameters of the filter of that name.
type scaleOffset struct {
	float     bool
	decimals  int // of floating-point numbers
	size      int
	bigEndian bool
	fill      uint64
	hasFill   bool
}

// unscaleOffset undoes the scale-offset filter. The data is bits of a number 4, bytes of the
// minimum 1, minimum, and from byte 21 on the differences to the minimum. All ones stand for the
// fill value. Values: kind, factor, elements, class, size, sign, order, whether there is a fill
// value, fill value.
func unscaleOffset(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	const header = 21
	if len(f.Params) < 8 || len(src) < header {
		return nil, fmt.Errorf("%d parameters and %d bytes", len(f.Params), len(src))
	}
	p := scaleOffset{float: f.Params[3] == 1, decimals: int(int32(f.Params[1])), size: int(f.Params[4]),
		bigEndian: f.Params[6] == 1, hasFill: f.Params[7] == 1}
	if p.float && f.Params[0] != 0 {
		return nil, fmt.Errorf("scale kind %d of floating-point numbers", f.Params[0])
	}
	if s := p.size; s != 1 && s != 2 && s != 4 && s != 8 || p.float && s < 4 || want%s != 0 {
		return nil, fmt.Errorf("elements of %d bytes", s)
	}
	if !exact {
		var err error
		if want, err = wholeElements(uint64(f.Params[2]), p.size, want, false); err != nil {
			return nil, err
		}
	}
	for i, w := range f.Params[8:] {
		if i < 2 {
			p.fill |= uint64(w) << (32 * i)
		}
	}
	bits := int(binary.LittleEndian.Uint32(src))
	n := want / p.size
	if bits < 0 || bits > 8*p.size || uint64(n)*uint64(bits) > 8*uint64(len(src)-header) {
		return nil, fmt.Errorf("%d numbers of %d bits in %d bytes", n, bits, len(src)-header)
	}
	minimum := (&cursor{b: src, i: 5}).uint(int(min(src[4], 8)))
	out := room(dst, want)
	if bits == 8*p.size {
		copy(out, src[header:])
	} else {
		p.numbers(out, &bitReader{b: src[header:]}, bits, minimum)
	}
	if p.bigEndian {
		wire.Swap(out, p.size)
	}
	return out, nil
}

func (p *scaleOffset) numbers(out []byte, r *bitReader, bits int, minimum uint64) {
	missing := uint64(1)<<bits - 1
	// The library computes with numbers of the element's own size.
	scale, scale32 := math.Pow(10, float64(p.decimals)), float32(math.Pow(10, float64(p.decimals)))
	for ; len(out) > 0; out = out[p.size:] {
		v := r.take(bits)
		switch {
		case p.hasFill && v == missing:
			v = p.fill
		case p.float && p.size == 4:
			v = uint64(math.Float32bits(float32(int32(v))/scale32 + math.Float32frombits(uint32(minimum))))
		case p.float:
			v = math.Float64bits(float64(int64(v))/scale + math.Float64frombits(minimum))
		default:
			v += minimum
		}
		for i := range p.size {
			out[i] = byte(v >> (8 * i))
		}
	}
}
