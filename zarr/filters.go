package zarr

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr/internal/numpy"
)

// transpose is the codec of that name: the axes in another order.
type transpose struct {
	order []int
	from  []uint64 // the shape before, of the elements
	to    []uint64 // the shape that is stored
	size  int      // bytes of an element
}

func newTranspose(c Codec, in spec) (stage, spec, error) {
	rank := len(in.shape)
	t := &transpose{from: in.shape, size: in.element.width()}
	switch order := c.Configuration["order"].(type) {
	case string:
		for i := range rank {
			if t.order = append(t.order, i); order == "F" {
				t.order[i] = rank - 1 - i
			}
		}
		if order != "C" && order != "F" {
			return nil, spec{}, fault.Errorf("zarr", "codec transpose: order is %q, expected the numbers of the axes", order)
		}
	case []any:
		for _, v := range order {
			axis, _ := wholeNumber(v)
			t.order = append(t.order, int(axis))
		}
	case []int:
		t.order = order
	}
	sorted := slices.Sorted(slices.Values(t.order))
	for i, axis := range sorted {
		if axis != i {
			sorted = nil
			break
		}
	}
	if len(sorted) != rank {
		return nil, spec{}, fault.Errorf("zarr", "codec transpose: order is %v, expected the numbers of %d axes", c.Configuration["order"], rank)
	}
	for _, axis := range t.order {
		t.to = append(t.to, in.shape[axis])
	}
	out, err := in.array(in.element, t.to)
	return t, out, err
}

func (t *transpose) decode(dst, src []byte, _ int64) ([]byte, error) {
	out := roomFor(dst, len(src))
	t.move(out, src, false)
	return out, nil
}

func (t *transpose) encode(src []byte) ([]byte, error) {
	out := make([]byte, len(src))
	t.move(out, src, true)
	return out, nil
}

// move copies the elements, in the order they are stored in.
func (t *transpose) move(dst, src []byte, store bool) {
	if len(src) == 0 {
		return
	}
	stored := nd.Strides(t.to, int64(t.size))
	elements := make([]int64, len(t.order)) // strides of the elements along the stored axes
	for i, stride := range nd.Strides(t.from, int64(t.size)) {
		elements[slices.Index(t.order, i)] = stride
	}
	if store {
		nd.CopyStrided(dst, stored, src, elements, t.to, t.size)
		return
	}
	nd.CopyStrided(dst, elements, src, stored, t.to, t.size)
}

// A filter changes numbers when it is decoded.
type filter struct {
	readOnly
	stored   numpy.Type
	elements numpy.Type
	undo     func(to, from numpy.Type, src []byte) ([]byte, error)
}

func (f *filter) decode(_, src []byte, limit int64) ([]byte, error) {
	if n := int64(len(src)) / int64(f.stored.Size); n > limit/int64(f.elements.Size) {
		return nil, fmt.Errorf("codec %s: %d numbers, expected at most %d bytes of them", f.readOnly, n, limit)
	}
	out, err := f.undo(f.elements, f.stored, src)
	if err != nil {
		return nil, fmt.Errorf("codec %s: %w", f.readOnly, err)
	}
	return out, nil
}

// newFilter makes a filter whose types are named by two keys of its configuration.
func newFilter(c Codec, in spec, elements, stored string, undo func(to, from numpy.Type, src []byte) ([]byte, error)) (stage, spec, error) {
	f := &filter{readOnly: readOnly(strings.TrimPrefix(c.Name, numcodecs)), undo: undo}
	own := numpy.Type{}
	if in.element.Kind == KindNumber || in.element.Kind == KindTime || in.element.Kind == KindTimeDelta {
		own, _ = numpy.Parse(string(in.element.Number))
	}
	var err error
	if f.elements, err = configType(c, elements, own, in); err != nil {
		return nil, spec{}, err
	}
	if f.stored, err = configType(c, stored, f.elements, in); err != nil {
		return nil, spec{}, err
	}
	if in.bytes {
		return f, in.serial(in.size/int64(f.elements.Size)*int64(f.stored.Size) + int64(f.stored.Size)), nil
	}
	out, err := in.array(number(DataType(f.stored.DataType())), in.shape)
	return f, out, err
}

// configType is a type of numbers of a configuration. Types of arrays have no byte order.
func configType(c Codec, key string, absent numpy.Type, in spec) (numpy.Type, error) {
	t := absent
	if name, ok := c.Configuration[key].(string); ok {
		var err error
		if t, err = numpy.Parse(name); err != nil {
			return t, fault.Errorf("zarr", "codec %s: %s: %w", c.Name, key, err)
		}
	}
	if t.Kind == numpy.DateTime || t.Kind == numpy.TimeDelta {
		t.Kind = numpy.Int
	}
	if !t.Number() {
		return t, &UnsupportedError{What: fmt.Sprintf("codec %s of elements that are no numbers", strings.TrimPrefix(c.Name, numcodecs))}
	}
	t.Big = t.Big && in.bytes
	return t, nil
}

func newDelta(c Codec, in spec) (stage, spec, error) {
	return newFilter(c, in, "dtype", "astype", numpy.Sums)
}

func newQuantize(c Codec, in spec) (stage, spec, error) {
	return newFilter(c, in, "dtype", "astype", numpy.Convert)
}

func newAsType(c Codec, in spec) (stage, spec, error) {
	return newFilter(c, in, "decode_dtype", "encode_dtype", numpy.Convert)
}

func newFixedScaleOffset(c Codec, in spec) (stage, spec, error) {
	scale, _, err := configFloat(c, "scale")
	if err != nil {
		return nil, spec{}, err
	}
	offset, _, err := configFloat(c, "offset")
	if err != nil {
		return nil, spec{}, err
	}
	return newFilter(c, in, "dtype", "astype", func(to, from numpy.Type, src []byte) ([]byte, error) {
		return numpy.Unscale(to, from, src, scale, offset)
	})
}

// newScaleOffset is the codec scale_offset: numbers of one type.
func newScaleOffset(c Codec, in spec) (stage, spec, error) {
	c.Configuration = map[string]any{"scale": orDefault(c.Configuration["scale"], 1), "offset": orDefault(c.Configuration["offset"], 0)}
	if in.element.Kind != KindNumber {
		return nil, spec{}, &UnsupportedError{What: "codec scale_offset of elements that are no numbers"}
	}
	switch in.element.Number {
	case Float16, Float32, Float64:
		return newFixedScaleOffset(c, in)
	}
	scale, whole := wholeNumber(c.Configuration["scale"])
	offset, alsoWhole := wholeNumber(c.Configuration["offset"])
	if !whole || !alsoWhole || scale == 0 {
		return nil, spec{}, fault.Errorf("zarr", "codec scale_offset: scale %v and offset %v of %s, expected integers", c.Configuration["scale"], c.Configuration["offset"], in.element.Number)
	}
	return newFilter(c, in, "dtype", "dtype", func(to, _ numpy.Type, src []byte) ([]byte, error) {
		return numpy.UnscaleIntegers(to, src, scale, offset)
	})
}

func orDefault(v any, absent int64) any {
	if v == nil {
		return absent
	}
	return v
}

// newCastValue is the codec cast_value: other numbers of the same value. Changes on writing to
// values without such a number cannot be undone.
func newCastValue(c Codec, in spec) (stage, spec, error) {
	if m, ok := c.Configuration["scalar_map"].(map[string]any); ok {
		if decode, ok := m["decode"].([]any); ok && len(decode) > 0 {
			return nil, spec{}, &UnsupportedError{What: "codec cast_value with a scalar_map for decoding"}
		}
	}
	rounding, _ := c.Configuration["rounding"].(string)
	outOfRange, _ := c.Configuration["out_of_range"].(string)
	undo := numpy.Convert
	if in.element.Kind == KindNumber {
		undo = func(to, from numpy.Type, src []byte) ([]byte, error) {
			return numpy.Cast(to, from, src, rounding, outOfRange)
		}
	}
	name, _ := c.Configuration["data_type"].(string)
	if DataType(name).Size() == 0 {
		return nil, spec{}, &UnsupportedError{What: fmt.Sprintf("codec cast_value to the data type %.80q", fmt.Sprint(c.Configuration["data_type"]))}
	}
	return newFilter(c, in, "", "data_type", undo)
}

// same is a codec that has nothing to undo.
type same struct{ readOnly }

func newSame(c Codec, in spec) (stage, spec, error) { return same{readOnly(c.Name)}, in, nil }

func (same) decode(_, src []byte, _ int64) ([]byte, error) { return src, nil }

// oldPackBits is the codec packbits of numcodecs: truth values as bits, highest first, after a byte with
// the number of bits that fill the last byte.
type oldPackBits struct{}

func newOldPackBits(_ Codec, in spec) (stage, spec, error) {
	n := 1 + (in.size+7)/8
	if in.bytes {
		return oldPackBits{}, in.serial(n), nil
	}
	out, err := in.array(number(Uint8), []uint64{uint64(n)})
	return oldPackBits{}, out, err
}

func (oldPackBits) decode(_, src []byte, limit int64) ([]byte, error) {
	if len(src) == 0 {
		return nil, fmt.Errorf("codec packbits: no bytes")
	}
	n := 8*int64(len(src)-1) - int64(src[0])
	if src[0] > 7 || n < 0 || n > limit {
		return nil, fmt.Errorf("codec packbits: %d bytes with %d bits too many, expected at most %d bits", len(src), src[0], limit)
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = bits.Reverse8(src[1+i/8]) >> (i % 8) & 1
	}
	return out, nil
}

func (oldPackBits) encode(src []byte) ([]byte, error) {
	out := make([]byte, 1+(len(src)+7)/8)
	out[0] = byte(8*(len(out)-1) - len(src))
	for i, v := range src {
		if v != 0 {
			out[1+i/8] |= 0x80 >> (i % 8)
		}
	}
	return out, nil
}
