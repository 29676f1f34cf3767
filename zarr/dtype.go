package zarr

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/half"
)

// DataType is the name of a Zarr data type ("Core data types", and float16).
type DataType string

// The data types this package reads and writes. Raw types ("r16": 16 opaque bits) are understood as
// well.
const (
	Bool       DataType = "bool" // one byte an element, 0 or 1
	Int8       DataType = "int8"
	Int16      DataType = "int16"
	Int32      DataType = "int32"
	Int64      DataType = "int64"
	Uint8      DataType = "uint8"
	Uint16     DataType = "uint16"
	Uint32     DataType = "uint32"
	Uint64     DataType = "uint64"
	Float16    DataType = "float16"
	Float32    DataType = "float32"
	Float64    DataType = "float64"
	Complex64  DataType = "complex64"  // two float32, the real part first
	Complex128 DataType = "complex128" // two float64
)

// Size returns the number of bytes of one element; 0 for a data type this package does not know.
func (d DataType) Size() int {
	switch d {
	case Bool, Int8, Uint8:
		return 1
	case Int16, Uint16, Float16:
		return 2
	case Int32, Uint32, Float32:
		return 4
	case Int64, Uint64, Float64, Complex64:
		return 8
	case Complex128:
		return 16
	}
	return d.rawSize()
}

// rawSize is the number of bytes of a raw type, else 0. Such a type is "r" and a number of bits that is a
// multiple of 8.
func (d DataType) rawSize() int {
	digits, ok := strings.CutPrefix(string(d), "r")
	if !ok || digits == "" || digits[0] == '0' {
		return 0
	}
	bits, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || bits%8 != 0 {
		return 0
	}
	return int(bits / 8)
}

// component is the number of bytes that the codec bytes swaps as one: half an element for complex
// types, 1 where byte order means nothing.
func (d DataType) component() int {
	switch d {
	case Complex64, Complex128:
		return d.Size() / 2
	}
	if d.rawSize() > 0 {
		return 1
	}
	return d.Size()
}

// DefaultFill returns the fill value this package writes for d, typed as the section "Fill value
// list" asks: false for bool, 0 for integers, "NaN" for floats, a pair of "NaN" for complex types.
// It is nil for an unknown type.
func (d DataType) DefaultFill() any {
	switch d {
	case Bool:
		return false
	case Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64:
		return int64(0)
	case Float16, Float32, Float64:
		return "NaN"
	case Complex64, Complex128:
		return []any{"NaN", "NaN"}
	}
	if n := d.rawSize(); n > 0 {
		zeros := make([]any, n)
		for i := range zeros {
			zeros[i] = int64(0)
		}
		return zeros
	}
	return nil
}

// FillBytes returns the little-endian element that the JSON value fill (numbers as json.Number)
// stands for.
func (d DataType) FillBytes(fill any) ([]byte, error) {
	data, err := d.fillBytes(fill)
	if err != nil {
		return nil, fault.Errorf("zarr", "fill value %v of data type %s: %w", fill, d, err)
	}
	return data, nil
}

func (d DataType) fillBytes(fill any) ([]byte, error) {
	switch d {
	case Bool:
		b, ok := fill.(bool)
		switch {
		case !ok:
			return nil, fmt.Errorf("found %T, expected true or false", fill)
		case b:
			return []byte{1}, nil
		}
		return []byte{0}, nil
	case Int8, Int16, Int32, Int64:
		v, err := strconv.ParseInt(numberText(fill), 10, 8*d.Size())
		return littleEndian(uint64(v), d.Size()), err
	case Uint8, Uint16, Uint32, Uint64:
		v, err := strconv.ParseUint(numberText(fill), 10, 8*d.Size())
		return littleEndian(v, d.Size()), err
	case Float16, Float32, Float64:
		return floatBits(fill, d.Size())
	case Complex64, Complex128:
		return d.complexFill(fill)
	}
	return d.rawFill(fill)
}

func (d DataType) complexFill(fill any) ([]byte, error) {
	pair, ok := fill.([]any)
	if !ok || len(pair) != 2 {
		return nil, fmt.Errorf("expected a pair of floats")
	}
	re, err := floatBits(pair[0], d.Size()/2)
	if err != nil {
		return nil, err
	}
	im, err := floatBits(pair[1], d.Size()/2)
	return append(re, im...), err
}

func (d DataType) rawFill(fill any) ([]byte, error) {
	n := d.rawSize()
	if n == 0 {
		return nil, fmt.Errorf("unknown data type")
	}
	list, ok := fill.([]any)
	if !ok || len(list) != n {
		return nil, fmt.Errorf("expected %d integers", n)
	}
	data := make([]byte, n)
	for i, e := range list {
		v, err := strconv.ParseUint(numberText(e), 10, 8)
		if err != nil {
			return nil, err
		}
		data[i] = byte(v)
	}
	return data, nil
}

// numberText is the text of a JSON number, or of an integer of Go.
func numberText(v any) string {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return fmt.Sprintf("%T", v)
}

// floatBits is the little-endian IEEE 754 float of size bytes of a fill value. The value is a JSON number,
// one of the strings "NaN", "Infinity", "-Infinity", or the bits in hexadecimal ("0x7fc00000").
func floatBits(fill any, size int) ([]byte, error) {
	var f float64
	switch v := fill.(type) {
	case string:
		switch v {
		case "NaN":
			f = math.NaN()
		case "Infinity":
			f = math.Inf(1)
		case "-Infinity":
			f = math.Inf(-1)
		default:
			digits, ok := strings.CutPrefix(v, "0x")
			if !ok {
				return nil, fmt.Errorf("expected a number, NaN, Infinity, -Infinity or 0x…")
			}
			bits, err := strconv.ParseUint(digits, 16, 8*size)
			return littleEndian(bits, size), err
		}
	case json.Number:
		var err error
		if f, err = strconv.ParseFloat(v.String(), 64); err != nil {
			return nil, err
		}
	case float64:
		f = v
	case int64:
		f = float64(v)
	default:
		return nil, fmt.Errorf("found %T, expected a number or a string", fill)
	}
	switch {
	case f != f:
		return littleEndian(quietNaN[size], size), nil
	case size == 2:
		return littleEndian(uint64(half.Bits(f)), 2), nil
	case size == 4:
		return littleEndian(uint64(math.Float32bits(float32(f))), 4), nil
	}
	return littleEndian(math.Float64bits(f), 8), nil
}

// quietNaN are the bits of "NaN" ("Fill value list"), by the size of floats. Go's NaN has others.
var quietNaN = map[int]uint64{2: 0x7e00, 4: 0x7fc00000, 8: 0x7ff8 << 48}

// littleEndian is the lowest size bytes of v, lowest first.
func littleEndian(v uint64, size int) []byte {
	return binary.LittleEndian.AppendUint64(nil, v)[:size:size]
}
