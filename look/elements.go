package look

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/tgm"
)

// Elements are the values of a field without a loss: in the type of the file, or unpacked where the
// file keeps packed integers.
type Elements struct {
	Shape []uint64
	array *tgm.Array
	at    func([]byte) float64
	size  int
	float int // bits of floating-point numbers, 0 of integers
}

// Elements reads the values of the field.
func (f *Field) Elements(ctx context.Context) (*Elements, error) {
	a, err := f.Array(ctx)
	if err != nil {
		return nil, err
	}
	if f.scaling != nil && a.DType.IsInteger() || a.DType == tgm.Bitmask {
		values, err := Floats(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Where, err)
		}
		bits := 64
		if f.scaling != nil && a.DType != tgm.Bitmask {
			unpack(values, f.scaling)
			if f.scaling.Single {
				bits = 32
			}
		}
		doubles := tgm.ArrayOf(values)
		return &Elements{Shape: f.Shape, array: &doubles, at: elementAt(tgm.Float64), size: 8, float: bits}, nil
	}
	e := &Elements{Shape: f.Shape, array: a, at: elementAt(a.DType), size: a.DType.Size()}
	if e.at == nil || a.DType.IsComplex() {
		return nil, fmt.Errorf("%s: values of type %s are no single numbers", f.Where, a.DType)
	}
	switch a.DType {
	case tgm.Float64:
		e.float = 64
	case tgm.Float16, tgm.BFloat16, tgm.Float32:
		e.float = 32
	}
	return e, nil
}

// Len returns the number of elements.
func (e *Elements) Len() int { return len(e.array.Data) / e.size }

// Float returns element i as float64.
func (e *Elements) Float(i int) float64 { return e.at(e.array.Data[i*e.size:]) }

// Missing reports whether element i is missing.
func (e *Elements) Missing(i int) bool { return e.float > 0 && math.IsNaN(e.Float(i)) }

// AppendText appends element i as the shortest decimal number that reads back as the same value.
func (e *Elements) AppendText(dst []byte, i int) []byte {
	b := e.array.Data[i*e.size:]
	switch {
	case e.float > 0:
		return strconv.AppendFloat(dst, e.at(b), 'g', -1, e.float)
	case e.array.DType == tgm.Int64:
		return strconv.AppendInt(dst, int64(binary.LittleEndian.Uint64(b)), 10)
	case e.array.DType == tgm.Uint64:
		return strconv.AppendUint(dst, binary.LittleEndian.Uint64(b), 10)
	}
	return strconv.AppendFloat(dst, e.at(b), 'f', -1, 64) // integers of up to 32 bits
}

// Bytes returns the elements as they are in memory, little-endian, and numpy's name of their type:
// "<f4". Types that numpy does not have become "<f4".
func (e *Elements) Bytes() (data []byte, typ string) {
	switch t := e.array.DType; t {
	case tgm.BFloat16:
		for i := range e.Len() {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(e.Float(i))))
		}
		return data, "<f4"
	default:
		return e.array.Data, numpyType(t)
	}
}

func numpyType(t tgm.DType) string {
	switch t {
	case tgm.Int8:
		return "|i1"
	case tgm.Uint8:
		return "|u1"
	case tgm.Int16, tgm.Int32, tgm.Int64:
		return "<i" + strconv.Itoa(t.Size())
	case tgm.Uint16, tgm.Uint32, tgm.Uint64:
		return "<u" + strconv.Itoa(t.Size())
	}
	return "<f" + strconv.Itoa(t.Size())
}
