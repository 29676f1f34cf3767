package tgm

import (
	"unsafe"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Element is the Go type of an array's elements. Float16, BFloat16 and Bitmask have none.
type Element interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128
}

// DTypeOf returns the type of arrays of T.
func DTypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	}
	return Complex128
}

// ArrayOf returns an array of values in C order, for EncodeArray. Without a shape it has one
// dimension. The array shares the memory of values where it can.
func ArrayOf[T Element](values []T, shape ...int) Array {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	a := Array{Shape: make([]uint64, len(shape)), DType: DTypeOf[T](), ByteOrder: hostOrder}
	for i, n := range shape {
		a.Shape[i] = uint64(n)
	}
	a.Data = memoryOf(values)
	return a
}

// memoryOf returns the bytes of values. Any bits are valid for bytes, and the view is exactly as
// long as the values.
func memoryOf[T Element](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}

// Values returns the elements of a decoded array in C order, which must be of type T. They share
// the memory of a.Data where the byte order and the address allow that.
func Values[T Element](a *Array) ([]T, error) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if d := DTypeOf[T](); a.DType != d || len(a.Data)%size != 0 {
		return nil, encodingError(nil, "%d bytes of %s, expected %s", len(a.Data), a.DType, d)
	}
	n := len(a.Data) / size
	if n == 0 {
		return []T{}, nil
	}
	if p := unsafe.Pointer(&a.Data[0]); a.ByteOrder == hostOrder && uintptr(p)%unsafe.Alignof(zero) == 0 {
		return unsafe.Slice((*T)(p), n), nil
	}
	values := make([]T, n)
	b := memoryOf(values)
	copy(b, a.Data)
	if a.ByteOrder != hostOrder {
		swapBytes(b, a.DType.Component())
	}
	return values, nil
}

// DecodeValues decodes the whole object and returns its elements in C order. The object must have
// elements of type T. Missing points of floating point types are NaN.
func DecodeValues[T Element](o *Object) ([]T, error) {
	if d := DTypeOf[T](); o.desc.DType != d {
		return nil, locate(encodingError(nil, "elements are %s, expected %s", o.desc.DType, d), o.where())
	}
	a, err := o.Decode(DecodeOptions{ByteOrder: hostOrder})
	if err != nil {
		return nil, err
	}
	values, err := Values[T](a)
	if err != nil {
		return nil, fault.Errorf("tgm", "%w", err)
	}
	return values, nil
}
