package array

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Memory is an array of elements in memory, little-endian and in C order.
func Memory(shape []uint64, t DType, data []byte) Array {
	return Computed(shape, t, func(start, count []uint64) ([]byte, error) {
		if want := (Region{Count: shape}).Elements() * uint64(t.Size()); uint64(len(data)) != want {
			return nil, fmt.Errorf("%d bytes of elements of %s, expected %d for shape %v", len(data), t, want, shape)
		}
		return nd.Cut(nd.At(data, shape, start), count, t.Size()), nil
	})
}

// Computed is an array whose elements region makes: count of them from start on, along each axis. The
// array does not change the bytes that region returns.
func Computed(shape []uint64, t DType, region func(start, count []uint64) ([]byte, error)) Array {
	return &computed{info: single(shape, t), region: region}
}

// single describes an array whose elements are each read alone.
func single(shape []uint64, t DType) Info {
	return Info{Shape: shape, DType: t, Block: slices.Repeat([]uint64{1}, len(shape))}
}

type computed struct {
	Plain
	info   Info
	region func(start, count []uint64) ([]byte, error)
}

func (a *computed) Info() *Info { return &a.info }

func (a *computed) Read(_ context.Context, r Region, dst []byte) error {
	data, err := a.region(r.Start, r.Count)
	if err == nil && len(data) != len(dst) {
		err = fmt.Errorf("%d bytes of elements of %s, expected %d for shape %v", len(data), a.info.DType, len(dst), r.Count)
	}
	copy(dst, data)
	return err
}

// Const is an array of one element everywhere, given little-endian.
func Const(shape []uint64, t DType, element []byte) Array {
	return &constant{info: single(shape, t), element: element}
}

type constant struct {
	Plain
	info    Info
	element []byte
}

func (a *constant) Info() *Info { return &a.info }

func (a *constant) Read(_ context.Context, _ Region, dst []byte) error {
	nd.Repeat(dst, a.element)
	return nil
}

// Pad is an array that is longer at the end of each axis, filled with an element.
func Pad(a Array, shape []uint64, element []byte) Array {
	p := &padded{of: a, info: *a.Info(), element: element}
	p.info.Shape = shape
	return p
}

type padded struct {
	Plain
	of      Array
	info    Info
	element []byte
}

func (a *padded) Info() *Info { return &a.info }

func (a *padded) Read(ctx context.Context, r Region, dst []byte) error {
	inner := Region{r.Start, slices.Clone(r.Count)}
	for i, n := range a.of.Info().Shape {
		inner.Count[i] = min(r.Count[i], max(n, r.Start[i])-r.Start[i])
	}
	if !slices.Equal(inner.Count, r.Count) {
		nd.Repeat(dst, a.element)
	}
	return Into(ctx, a.of, inner, dst, r.Count, make([]uint64, len(r.Count)))
}

// Unpack is an array of the values, of type Float32 or Float64, that the function value makes of
// packed numbers. CF has such packed numbers. It reports false for numbers that mean a missing
// point.
func Unpack(a Array, t DType, value func(float64) (float64, bool)) (Array, error) {
	if from := a.Info().DType; from.Number() == nil || from.IsComplex() || t != Float32 && t != Float64 {
		return nil, fmt.Errorf("array: elements of type %s unpacked to %s", from, t)
	}
	u := &unpacked{of: a, info: *a.Info(), value: value}
	u.info.DType = t
	return u, nil
}

type unpacked struct {
	Plain
	of    Array
	info  Info
	value func(float64) (float64, bool)
}

func (a *unpacked) Info() *Info { return &a.info }

func (a *unpacked) Read(ctx context.Context, r Region, dst []byte) error {
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	data, err := Read(ctx, a.of, r, *buffer)
	if err != nil {
		return err
	}
	*buffer = data
	a.convert(dst, data)
	return nil
}

// convert fills dst with the values of packed numbers.
func (a *unpacked) convert(dst, data []byte) {
	from, size := a.of.Info().DType, a.info.DType.Size()
	number := from.Number()
	for i := range len(dst) / size {
		v, ok := a.value(number(data[i*from.Size():]))
		if !ok {
			v = math.NaN()
		}
		if size == 4 {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		} else {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(v))
		}
	}
}
