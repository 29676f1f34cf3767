package tgm

import "github.com/tgmconv/tgmconv/array"

// DType is the type of one array element.
type DType = array.DType

// The element types of wire version 3. A Bitmask packs eight elements into a byte, most significant
// bit first; all others take Size bytes each.
const (
	InvalidDType = array.InvalidDType
	Float16      = array.Float16
	BFloat16     = array.BFloat16
	Float32      = array.Float32
	Float64      = array.Float64
	Complex64    = array.Complex64
	Complex128   = array.Complex128
	Int8         = array.Int8
	Int16        = array.Int16
	Int32        = array.Int32
	Int64        = array.Int64
	Uint8        = array.Uint8
	Uint16       = array.Uint16
	Uint32       = array.Uint32
	Uint64       = array.Uint64
	Bitmask      = array.Bitmask
)

// ParseDType returns the type of that name; names are lower case.
func ParseDType(name string) (DType, error) { return array.ParseDType(name) }

// ByteOrder is the order of the bytes of one component.
type ByteOrder uint8

// The zero value is little-endian.
const (
	LittleEndian ByteOrder = iota
	BigEndian
)

// String returns the name used on the wire: "little" or "big".
func (o ByteOrder) String() string {
	if o == BigEndian {
		return "big"
	}
	return "little"
}
