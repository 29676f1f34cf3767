package dataset

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/tgm"
)

// ReadField reads the values of a field of a source, with missing points as NaN: little-endian, in
// C order. The result uses the memory of buffer, which may be nil, if that is large enough.
func ReadField(ctx context.Context, f *importers.Field, scratch *importers.Scratch, buffer []byte) (*tgm.Array, error) {
	return fieldArray(f, f.DType, fieldShape(f), scratch, buffer, func() (importers.Elements, error) { return f.Values.Elements(ctx, scratch) })
}

// ReadSingle is [ReadField] for a field of float64 whose values are wanted as float32. The result
// is float32, or float64 if there is nothing to gain; DType says which.
func ReadSingle(ctx context.Context, f *importers.Field, scratch *importers.Scratch, buffer []byte) (*tgm.Array, error) {
	values, ok := f.Values.(importers.Singles)
	if !ok || f.DType != tgm.Float64 {
		return ReadField(ctx, f, scratch, buffer)
	}
	return fieldArray(f, tgm.Float32, fieldShape(f), scratch, buffer, func() (importers.Elements, error) { return values.Singles(ctx, scratch) })
}

func fieldShape(f *importers.Field) []uint64 {
	shape := make([]uint64, len(f.Shape))
	for i, n := range f.Shape {
		shape[i] = uint64(n)
	}
	return shape
}

// fieldArray makes an array of elements of a type that read reads of a field, in memory that
// scratch does not use again.
func fieldArray(f *importers.Field, dtype tgm.DType, shape []uint64, scratch *importers.Scratch, buffer []byte, read func() (importers.Elements, error)) (*tgm.Array, error) {
	before := scratch.Swap(buffer)
	elements, err := read()
	given := scratch.Swap(before)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Where, err)
	}
	a := &tgm.Array{Shape: shape, DType: dtype, Data: elements.Data}
	if !reuse.Shares(given, a.Data) {
		a.Data = append(given[:0], a.Data...)
	}
	return a, setMissing(a, elements.Missing)
}

// setMissing makes NaN of the elements that a mask marks.
func setMissing(a *tgm.Array, mask *tgm.Mask) error {
	if mask == nil {
		return nil
	}
	component := a.DType.Component()
	if !a.DType.IsFloat() && !a.DType.IsComplex() || component < 4 {
		return fmt.Errorf("dataset: missing elements of type %s have no value", a.DType)
	}
	size := a.DType.Size()
	for i := range mask.Indices() {
		for at := i * size; at < (i+1)*size; at += component {
			if component == 4 {
				binary.LittleEndian.PutUint32(a.Data[at:], math.Float32bits(float32(math.NaN())))
			} else {
				binary.LittleEndian.PutUint64(a.Data[at:], math.Float64bits(math.NaN()))
			}
		}
	}
	return nil
}

// ReadCoord computes the values of a coordinate of a source: little-endian, in C order.
func ReadCoord(c *importers.Coord) (*tgm.Array, error) {
	values, err := c.Values()
	if err != nil {
		return nil, err
	}
	a := &tgm.Array{DType: tgm.Float64, Data: make([]byte, 0, 8*len(values))}
	for _, n := range c.Shape {
		a.Shape = append(a.Shape, uint64(n))
	}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, math.Float64bits(v))
	}
	return a, nil
}
