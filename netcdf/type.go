package netcdf

import "strconv"

// Class is the kind of a [Type]. Values 1 to 16 are the values of nc_type in netcdf.h.
type Class uint8

// The classes. The atomic classes are Byte to String.
const (
	Byte     Class = 1  // signed, 1 byte
	Char     Class = 2  // text, 1 byte
	Short    Class = 3  // signed, 2 bytes
	Int      Class = 4  // signed, 4 bytes
	Float    Class = 5  // IEEE 754, 4 bytes
	Double   Class = 6  // IEEE 754, 8 bytes
	UByte    Class = 7  // unsigned, 1 byte
	UShort   Class = 8  // unsigned, 2 bytes
	UInt     Class = 9  // unsigned, 4 bytes
	Int64    Class = 10 // signed, 8 bytes
	UInt64   Class = 11 // unsigned, 8 bytes
	String   Class = 12 // variable-length text; also fixed-length text of HDF5
	Vlen     Class = 13 // variable-length sequence of Base
	Opaque   Class = 14 // Size uninterpreted bytes
	Enum     Class = 15 // integers of Base with named Members
	Compound Class = 16 // Fields side by side

	// Classes that only HDF5 has.

	Half      Class = 32 // IEEE 754, 2 bytes
	Array     Class = 33 // Shape elements of Base
	Reference Class = 34 // pointer to an object or a region of the file
	Bitfield  Class = 35 // Size bytes of bits
	Other     Class = 36 // no type of ours: see Var.Err
)

var classNames = [...]string{
	Byte: "byte", Char: "char", Short: "short", Int: "int", Float: "float", Double: "double",
	UByte: "ubyte", UShort: "ushort", UInt: "uint", Int64: "int64", UInt64: "uint64", String: "string",
	Vlen: "vlen", Opaque: "opaque", Enum: "enum", Compound: "compound",
	Half: "half", Array: "array", Reference: "reference", Bitfield: "bitfield", Other: "other",
}

// String returns the name in CDL: "byte", "ubyte", "int64", "string", "compound" …
func (c Class) String() string {
	if int(c) < len(classNames) && classNames[c] != "" {
		return classNames[c]
	}
	return "class " + strconv.Itoa(int(c))
}

// Signed reports whether c is a signed integer.
func (c Class) Signed() bool { return c == Byte || c == Short || c == Int || c == Int64 }

// Unsigned reports whether c is an unsigned integer.
func (c Class) Unsigned() bool { return c == UByte || c == UShort || c == UInt || c == UInt64 }

// IsFloat reports whether c is a floating-point number.
func (c Class) IsFloat() bool { return c == Float || c == Double || c == Half }

// Numeric reports whether c is an integer or a floating-point number.
func (c Class) Numeric() bool { return c.Signed() || c.Unsigned() || c.IsFloat() }

// Type describes one element of a variable or attribute.
type Type struct {
	Class Class
	Name  string // as ncdump shows it: "int", or the name of a user-defined type ("" when HDF5 has no name)
	Size  int    // bytes of one element as Var.Read stores it; 0 for String, Vlen and types that hold them

	TextBytes int     // of String: bytes of each when all have the same length in the file, else 0
	UTF8      bool    // of String, and of Char in HDF5: the file calls it UTF-8, else ASCII
	Tag       string  // of Opaque: the file's text about the bytes
	Region    bool    // of Reference: to a region of a dataset, not to an object
	Padding   Padding // of text of fixed length in HDF5

	Base    *Type        // of Enum, Vlen, Array
	Members []EnumMember // of Enum, in the order of the file
	Fields  []Field      // of Compound, in the order of the file
	Shape   []int        // of Array
}

// Padding says how text of fixed length ends in an HDF5 file. It is empty where the file does not
// say it.
type Padding string

// The paddings. The netCDF library writes text that is ended by a zero byte, or has no room for one.
const (
	NullTerminated Padding = "null-terminated"
	NullPadded     Padding = "null-padded"
	SpacePadded    Padding = "space-padded"
)

// EnumMember is one named value of an enum.
type EnumMember struct {
	Name  string
	Value int64 // for an unsigned 64-bit base: the same bits
}

// Field is one member of a compound.
type Field struct {
	Name   string
	Offset int // within the element
	Type   *Type
}

// Numeric reports whether an element is one number that stands on its own.
func (t *Type) Numeric() bool { return t.Class.Numeric() }

var atomicSizes = [...]int{
	Byte: 1, Char: 1, Short: 2, Int: 4, Float: 4, Double: 8,
	UByte: 1, UShort: 2, UInt: 4, Int64: 8, UInt64: 8, String: 0, Half: 2,
}

// atomic returns the Type of an atomic class.
func atomic(c Class) *Type { return &Type{Class: c, Name: c.String(), Size: atomicSizes[c]} }
