package dataset

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/tgm"
)

// ReadField reads a region of a field's values in a form, with missing points as NaN. The bytes are
// little-endian, in C order. They are in buffer, which may be nil, if it is large enough, else in new
// memory; scratch does not use it again.
func ReadField(ctx context.Context, f *importers.Field, form importers.Form, r array.Region, scratch *importers.Scratch, buffer []byte) ([]byte, error) {
	before := scratch.Swap(buffer)
	elements, err := f.Values.Read(ctx, form, r, scratch)
	given := scratch.Swap(before)
	if err != nil {
		return nil, &fault.Error{Place: f.Where, Err: err}
	}
	data := elements.Data
	if !reuse.Shares(given, data) {
		data = append(given[:0], data...)
	}
	return data, setMissing(data, f.Values.Info(form).DType, elements.Missing)
}

// setMissing makes NaN of the elements of a type that a mask marks.
func setMissing(data []byte, t tgm.DType, mask *tgm.Mask) error {
	if mask == nil {
		return nil
	}
	component := t.Component()
	if !t.IsFloat() && !t.IsComplex() || component < 4 && t != tgm.Float16 {
		return fmt.Errorf("dataset: missing elements of type %s have no value", t)
	}
	size := t.Size()
	for i := range mask.Indices() {
		for at := i * size; at < (i+1)*size; at += component {
			if component == 2 {
				binary.LittleEndian.PutUint16(data[at:], half.Bits(math.NaN()))
			} else if component == 4 {
				binary.LittleEndian.PutUint32(data[at:], math.Float32bits(float32(math.NaN())))
			} else {
				binary.LittleEndian.PutUint64(data[at:], math.Float64bits(math.NaN()))
			}
		}
	}
	return nil
}

// ReadCoord computes the values of a coordinate of a source: little-endian, in C order.
func ReadCoord(c *importers.Coord) ([]byte, error) {
	values, err := c.Values()
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data, nil
}
