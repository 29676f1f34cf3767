package array

import "fmt"

// A DType is the type of the elements of an array.
type DType uint8

// The types of elements. A Bitmask packs eight elements into a byte, most significant bit first, and
// is only how a format stores them: an [Array] shows Uint8 of 0 and 1 in its place. All others take
// Size bytes each.
const (
	InvalidDType DType = iota
	Float16
	BFloat16
	Float32
	Float64
	Complex64
	Complex128
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Bitmask
)

// dtypes holds, per DType, its name on the wire, its bytes per element and per real component.
var dtypes = [...]struct {
	name            string
	size, component int
}{
	InvalidDType: {"invalid", 0, 0},
	Float16:      {"float16", 2, 2},
	BFloat16:     {"bfloat16", 2, 2},
	Float32:      {"float32", 4, 4},
	Float64:      {"float64", 8, 8},
	Complex64:    {"complex64", 8, 4},
	Complex128:   {"complex128", 16, 8},
	Int8:         {"int8", 1, 1},
	Int16:        {"int16", 2, 2},
	Int32:        {"int32", 4, 4},
	Int64:        {"int64", 8, 8},
	Uint8:        {"uint8", 1, 1},
	Uint16:       {"uint16", 2, 2},
	Uint32:       {"uint32", 4, 4},
	Uint64:       {"uint64", 8, 8},
	Bitmask:      {"bitmask", 0, 0},
}

// ParseDType returns the type of that name; names are lower case.
func ParseDType(name string) (DType, error) {
	for d := Float16; d <= Bitmask; d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return InvalidDType, fmt.Errorf("unknown dtype %q", name)
}

// String returns the name of the type in Tensogram and numpy.
func (d DType) String() string {
	if int(d) >= len(dtypes) {
		return dtypes[InvalidDType].name
	}
	return dtypes[d].name
}

// Size returns the bytes per element, 0 for Bitmask and invalid types.
func (d DType) Size() int {
	if int(d) >= len(dtypes) {
		return 0
	}
	return dtypes[d].size
}

// Component returns the bytes of one real number: half of Size for complex types, else Size. Byte
// order is a matter of components.
func (d DType) Component() int {
	if int(d) >= len(dtypes) {
		return 0
	}
	return dtypes[d].component
}

// IsFloat reports whether the elements are real floating point numbers.
func (d DType) IsFloat() bool { return d >= Float16 && d <= Float64 }

// IsComplex reports whether the elements are pairs of floating point numbers.
func (d DType) IsComplex() bool { return d == Complex64 || d == Complex128 }

// IsInteger reports whether the elements are integers.
func (d DType) IsInteger() bool { return d >= Int8 && d <= Uint64 }
