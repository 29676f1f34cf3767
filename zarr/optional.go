package zarr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/zarr/internal/numpy"
)

// optionalName is the name of a data type and of the codec that stores it.
const optionalName = "optional"

// maxOptional bounds optional types in optional types, as maxNesting does structs.
const maxOptional = maxNesting

// optionalElement is a number that may be missing. It is read as a number of a type with room for one
// more, which stands for missing ones: floats have NaN for it, times have "not a time".
//
//	bool → uint8: 255    int8, uint8 → int16, and so on up to int64: the lowest
//	int64: the lowest    uint64: the highest
func optionalElement(config map[string]any, depth int) (*Element, error) {
	t, inner, err := typeOf(config)
	if err != nil {
		return nil, err
	}
	if depth >= maxOptional {
		return nil, &UnsupportedError{What: fmt.Sprintf("data type %q in %d others", optionalName, depth)}
	}
	of, err := newElement(t, inner, depth+1)
	if err != nil {
		return nil, err
	}
	e := *of
	e.optional = of
	switch {
	case of.optional != nil || of.Kind == KindTime || of.Kind == KindTimeDelta:
		e.Missing = littleEndian(1<<63, of.Size)
		if of.optional != nil {
			e.Missing = of.Missing
		}
		return &e, nil
	case of.Kind != KindNumber:
		return nil, &UnsupportedError{What: fmt.Sprintf("data type %q of %.80q", optionalName, string(t))}
	}
	switch of.Number {
	case Float16, Float32, Float64:
		e.Missing, err = of.Number.FillBytes("NaN")
		return &e, err
	case Complex64, Complex128:
		e.Missing, err = of.Number.FillBytes([]any{"NaN", "NaN"})
		return &e, err
	case Bool:
		e.Number, e.Missing = Uint8, []byte{math.MaxUint8}
		return &e, nil
	case Uint64:
		e.Missing = littleEndian(math.MaxUint64, of.Size)
		return &e, nil
	case Int8, Uint8:
		e.Number = Int16
	case Int16, Uint16:
		e.Number = Int32
	default:
		e.Number = Int64
	}
	e.Size = e.Number.Size()
	e.Missing = littleEndian(1<<(8*e.Size-1), e.Size)
	return &e, nil
}

// widened gives numbers of the type in an optional type as numbers of e.
func (e *Element) widened(data []byte) ([]byte, error) {
	if e.optional.Number == Bool || e.optional.Number == e.Number {
		return data, nil
	}
	from, err := numpy.Parse(string(e.optional.Number))
	if err != nil {
		return nil, err
	}
	to, err := numpy.Parse(string(e.Number))
	if err != nil {
		return nil, err
	}
	return numpy.Convert(to, from, data)
}

// optionalFill is the element of a fill value: null, or a list of one value.
func (e *Element) optionalFill(v any) ([]byte, error) {
	if v == nil {
		return e.Missing, nil
	}
	list, ok := v.([]any)
	if !ok || len(list) != 1 {
		return nil, fmt.Errorf("expected null, or a list of one value")
	}
	fill, err := e.optional.fill(list[0], false)
	if err != nil {
		return nil, err
	}
	return e.widened(fill)
}

// optional is the codec of optional numbers: which elements are there, and those alone.
//
//	uint64  bytes of the mask
//	uint64  bytes of the data
//	mask, of bool, through mask_codecs
//	data, elements that are there, one after the other, through data_codecs
type optional struct {
	readOnly
	in   spec
	mask *chain
	data []Codec
}

// optionalHeader is the number of bytes before the mask.
const optionalHeader = 16

func newOptional(c Codec, in spec) (stage, spec, error) {
	if in.element.optional == nil {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: the data type %s, expected optional", c.Name, in.element.Number)
	}
	o := &optional{readOnly: readOnly(c.Name), in: in}
	masks, err := configCodecs(c.Configuration["mask_codecs"])
	if err == nil {
		o.data, err = configCodecs(c.Configuration["data_codecs"])
	}
	if err != nil {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: %w", c.Name, err)
	}
	mask, err := spec{depth: in.depth}.array(number(Bool), in.shape)
	if err != nil {
		return nil, spec{}, err
	}
	if o.mask, err = newChain(masks, mask); err != nil {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: mask_codecs: %w", c.Name, err)
	}
	data, err := o.dataChain(in.size / int64(in.element.Size))
	if err != nil {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: data_codecs: %w", c.Name, err)
	}
	size := o.mask.stored()
	if more := data.stored(); more > math.MaxInt64/2-size {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: chunk shape %v: the size does not fit 63 bits", c.Name, in.shape)
	}
	return o, in.serial(optionalHeader + size + data.stored()), nil
}

// dataChain makes the chain of n elements that are there.
func (o *optional) dataChain(n int64) (*chain, error) {
	in, err := spec{own: o.in.element.optional, depth: o.in.depth}.array(o.in.element.optional, []uint64{uint64(n)})
	if err != nil {
		return nil, err
	}
	return newChain(o.data, in)
}

// decode implements stage. The mask is decoded before memory is taken for the elements.
func (o *optional) decode(dst, src []byte, limit int64) ([]byte, error) {
	out, err := o.decoded(dst, src, limit)
	if err != nil {
		return nil, fmt.Errorf("codec %s: %w", o.readOnly, err)
	}
	return out, nil
}

func (o *optional) decoded(dst, src []byte, limit int64) ([]byte, error) {
	e := o.in.element
	if limit != o.in.size || limit > math.MaxInt {
		return nil, &UnsupportedError{What: "a part of a chunk of optional elements"}
	}
	if len(src) < optionalHeader {
		return nil, fmt.Errorf("%d bytes, expected %d before the mask", len(src), optionalHeader)
	}
	maskBytes, dataBytes := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
	if rest := uint64(len(src) - optionalHeader); maskBytes > rest || dataBytes != rest-maskBytes {
		return nil, fmt.Errorf("a mask of %d bytes and data of %d, found %d bytes of both", maskBytes, dataBytes, rest)
	}
	stored, data := src[optionalHeader:optionalHeader+maskBytes], src[optionalHeader+maskBytes:]
	mask, _, err := o.mask.decode(nil, stored, o.mask.specs[0].size)
	if err != nil {
		return nil, fmt.Errorf("mask: %w", err)
	}
	n := int64(len(mask) - bytes.Count(mask, []byte{0}))
	if n > 0 {
		chain, err := o.dataChain(n)
		if err != nil {
			return nil, fmt.Errorf("data_codecs: %w", err)
		}
		if data, _, err = chain.decode(nil, data, chain.specs[0].size); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
		if data, err = e.widened(data); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
	}
	out := roomFor(dst, int(limit))
	for i, there := range mask {
		element := e.Missing
		if there != 0 {
			element, data = data[:e.Size], data[e.Size:]
			if e.noRoom() && bytes.Equal(element, e.Missing) {
				return nil, &UnsupportedError{What: fmt.Sprintf("element %d, the number of %s that stands for missing elements", i, e.Number)}
			}
		}
		copy(out[i*e.Size:], element)
	}
	return out, nil
}

// noRoom reports whether the element for missing ones is also a number that may be stored.
func (e *Element) noRoom() bool {
	of := e.optional
	return e.Kind == KindNumber && of.optional == nil && (of.Number == Int64 || of.Number == Uint64)
}
