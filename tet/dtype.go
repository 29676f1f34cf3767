package tet

import "fmt"

// A DType is the type of the elements of a dataset, numbered as in the file. Elements are
// little-endian.
type DType uint32

// The element types of layout version 1.
const (
	Float32 DType = 1 + iota
	Float64
	Int32
	Int64
	Uint8
	Uint16
	Int16
	Uint32
	Float16
	Uint64
)

var dtypes = [...]struct {
	name string
	size int64
}{
	Float32: {"f32", 4}, Float64: {"f64", 8}, Int32: {"i32", 4}, Int64: {"i64", 8}, Uint8: {"u8", 1},
	Uint16: {"u16", 2}, Int16: {"i16", 2}, Uint32: {"u32", 4}, Float16: {"f16", 2}, Uint64: {"u64", 8},
}

// Valid reports whether the layout has the type.
func (t DType) Valid() bool { return t >= Float32 && t <= Uint64 }

// Size returns the bytes an element takes, 0 for a type that is not valid.
func (t DType) Size() int64 {
	if !t.Valid() {
		return 0
	}
	return dtypes[t].size
}

// IsFloat reports whether elements are floating point numbers.
func (t DType) IsFloat() bool { return t == Float16 || t == Float32 || t == Float64 }

// String returns the name that Tetration uses, such as "f32".
func (t DType) String() string {
	if !t.Valid() {
		return fmt.Sprintf("dtype(%d)", uint32(t))
	}
	return dtypes[t].name
}

// A Codec says how a chunk is stored.
type Codec uint32

// The codecs of layout version 1.
const (
	Raw  Codec = 0
	Zstd Codec = 1
)

// String returns "raw", "zstd" or "?".
func (c Codec) String() string {
	switch c {
	case Raw:
		return "raw"
	case Zstd:
		return "zstd"
	}
	return "?"
}

// ParseCodec returns the codec named "raw" or "zstd".
func ParseCodec(name string) (Codec, error) {
	switch name {
	case "raw":
		return Raw, nil
	case "zstd":
		return Zstd, nil
	}
	return 0, &UnsupportedError{fmt.Sprintf("codec %q is not supported, expected raw or zstd", name)}
}
