package h5enc

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Type is a datatype: its message, or a reference to the committed type.
type Type struct {
	*Block
	Size      int    // bytes of an element
	Committed *Block // the object header of a named datatype, nil of others
}

// Classes of datatypes (section IV.A.2.d).
const (
	classInteger   = 0
	classFloat     = 1
	classString    = 3
	classOpaque    = 5
	classCompound  = 6
	classReference = 7
	classEnum      = 8
	classVlen      = 9
	classArray     = 10
)

// datatype begins a datatype message: class and version, bits 3, size 4.
func datatype(class, version uint8, flags uint32, size int) *Block {
	b := &Block{}
	b.U8(version<<4 | class)
	b.Uint(uint64(flags), 3)
	b.U32(uint32(size))
	return b
}

// Integer returns an integer type of size bytes.
func Integer(size int, signed, bigEndian bool) *Type {
	flags := uint32(0)
	if bigEndian && size > 1 {
		flags |= 1
	}
	if signed {
		flags |= 8
	}
	b := datatype(classInteger, 1, flags, size)
	b.U16(0)
	b.U16(uint16(8 * size))
	return &Type{Block: b, Size: size}
}

// Float returns the IEEE 754 type of 4 or 8 bytes.
func Float(size int, bigEndian bool) *Type {
	const impliedOne = 0x20
	exponent, mantissa, bias := 8, 23, 127
	if size == 8 {
		exponent, mantissa, bias = 11, 52, 1023
	}
	flags := uint32(impliedOne) | uint32(8*size-1)<<8
	if bigEndian {
		flags |= 1
	}
	b := datatype(classFloat, 1, flags, size)
	b.U16(0)
	b.U16(uint16(8 * size))
	b.U8(uint8(mantissa), uint8(exponent), 0, uint8(mantissa))
	b.U32(uint32(bias))
	return &Type{Block: b, Size: size}
}

// Padding says how the bytes of a string of fixed length end.
type Padding uint8

// The paddings.
const (
	NullTerminated Padding = 0
	NullPadded     Padding = 1
	SpacePadded    Padding = 2
)

// String returns the type of text of fixed length.
func String(size int, padding Padding, utf8 bool) *Type {
	flags := uint32(padding)
	if utf8 {
		flags |= 0x10
	}
	return &Type{Block: datatype(classString, 1, flags, size), Size: size}
}

// HeapRefBytes is the size of an element of variable length. It has its length 4, the
// address of a collection of the global heap 8, the object in it 4.
const HeapRefBytes = 16

// VarString returns the type of text of variable length.
func VarString(utf8 bool) *Type {
	flags := uint32(1)
	if utf8 {
		flags |= 0x100
	}
	b := datatype(classVlen, 1, flags, HeapRefBytes)
	b.Append(Integer(1, false, false).Block)
	return &Type{Block: b, Size: HeapRefBytes}
}

// Vlen returns the type of sequences.
func Vlen(base *Type) *Type {
	b := datatype(classVlen, 1, 0, HeapRefBytes)
	b.Append(base.Block)
	return &Type{Block: b, Size: HeapRefBytes}
}

// Reference returns the type of references to objects.
func Reference() *Type { return &Type{Block: datatype(classReference, 1, 0, 8), Size: 8} }

// Opaque returns the type of uninterpreted bytes. The tag is cut to the 248 bytes there is room
// for.
func Opaque(size int, tag string) *Type {
	tag = tag[:min(len(tag), 248)]
	padded := (len(tag) + 7) &^ 7
	b := datatype(classOpaque, 1, uint32(padded), size)
	b.Text(tag)
	b.Zeros(padded - len(tag))
	return &Type{Block: b, Size: size}
}

// Member is a named value of an enum.
type Member struct {
	Name  string
	Value uint64 // its lower bytes are used
}

// Enum returns the type of named values of an integer type.
func Enum(base *Type, members []Member) *Type {
	b := datatype(classEnum, 3, uint32(len(members)), base.Size)
	b.Append(base.Block)
	for _, m := range members {
		b.Text(m.Name + "\x00")
	}
	for _, m := range members {
		b.Uint(m.Value, base.Size)
	}
	return &Type{Block: b, Size: base.Size}
}

// Field is a member of a compound.
type Field struct {
	Name   string
	Offset int
	Type   *Type
}

// Compound returns the type of fields side by side.
func Compound(size int, fields []Field) *Type {
	b := datatype(classCompound, 3, uint32(len(fields)), size)
	width := BytesFor(uint64(size))
	for _, f := range fields {
		b.Text(f.Name + "\x00")
		b.Uint(uint64(f.Offset), width)
		b.Append(f.Type.Block)
	}
	return &Type{Block: b, Size: size}
}

// Array returns the type of arrays of fixed shape.
func Array(base *Type, shape []int) *Type {
	size := base.Size * nd.Volume(shape)
	b := datatype(classArray, 3, 0, size)
	b.U8(uint8(len(shape)))
	for _, n := range shape {
		b.U32(uint32(n))
	}
	b.Append(base.Block)
	return &Type{Block: b, Size: size}
}

// BytesFor returns how many bytes a number up to limit takes in the file.
func BytesFor(limit uint64) int { return max(bits.Len64(limit)-1, 0)/8 + 1 }

// message returns the body of a datatype message and the flags of it.
func (t *Type) message() (*Block, uint8) {
	if t.Committed != nil {
		return shared(t.Committed), FlagShared
	}
	return t.Block, 0
}
