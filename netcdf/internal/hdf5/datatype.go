package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Class is the class of a datatype, numbered as in the file.
type Class uint8

// The classes.
const (
	Integer   Class = 0
	Float     Class = 1
	Time      Class = 2
	String    Class = 3 // of fixed length; see Datatype.VarString
	Bitfield  Class = 4
	Opaque    Class = 5
	Compound  Class = 6
	Reference Class = 7
	Enum      Class = 8
	Vlen      Class = 9
	Array     Class = 10
	Complex   Class = 11 // real and imaginary part, each of Base
)

var classNames = [...]string{"integer", "float", "time", "string", "bitfield", "opaque", "compound", "reference",
	"enum", "variable-length", "array", "complex"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// Padding says how the bytes of a string of fixed length end.
type Padding uint8

// The paddings.
const (
	NullTerminated Padding = 0
	NullPadded     Padding = 1
	SpacePadded    Padding = 2
)

// Datatype describes one element.
type Datatype struct {
	Class     Class
	Size      int // bytes in the file
	BigEndian bool

	// Of Integer, Bitfield and Float: which bits of the element count.
	Signed    bool
	BitOffset int
	Precision int
	Layout    FloatLayout // of Float

	Padding   Padding // of String
	UTF8      bool    // of String and VarString; else ASCII
	VarString bool    // of Vlen: text instead of a sequence
	Tag       string  // of Opaque
	Region    bool    // of Reference: to a region of a dataset, not to an object
	Kind      uint8   // of Reference: as in the file, 0 object, 1 region, 2 to 4 the kinds of HDF5 1.12

	Base    *Datatype // of Enum, Vlen, Array, Complex
	Fields  []Field   // of Compound
	Members []Member  // of Enum
	Dims    []int     // of Array

	Committed uint64 // address of the named datatype this is, else all ones
}

// FloatLayout says where the parts of a floating-point number are.
type FloatLayout struct {
	Sign                   int // bit
	ExpBit, ExpBits        int
	MantBit, MantBits      int
	Bias                   uint32
	ImpliedOne, VAX, NoOne bool // leading mantissa bit: implied, or not normalised; VAX byte order
}

// Field is one field of a compound.
type Field struct {
	Name   string
	Offset int // in the file
	Type   *Datatype
}

// Member is one name of an enum.
type Member struct {
	Name  string
	Value []byte // as in the file, of Base
}

// maxTypeDepth bounds the nesting of datatypes.
const maxTypeDepth = 32

// parseDatatype reads a datatype message (section IV.A.2.d): class and version, bits 3, size 4,
// properties by class.
func parseDatatype(c *cursor, depth int) (*Datatype, error) {
	if depth > maxTypeDepth {
		c.fail("more than %d nested types", maxTypeDepth)
	}
	first := c.u8()
	version := int(first >> 4)
	bits := uint32(c.uint(3))
	size := c.u32()
	if c.err == nil && (version < 1 || version > 5) {
		c.err = wire.Unsupported(c.what, c.at+int64(c.i-8), "version %d", version)
	}
	if c.err == nil && size > 1<<30 {
		c.fail("element of %d bytes", size)
	}
	if c.err != nil {
		return nil, c.err
	}
	t := &Datatype{Class: Class(first & 15), Size: int(size), Committed: undefined}
	t.BigEndian = bits&1 != 0
	p := typeParser{c, t, version, bits, depth}
	p.properties()
	if c.err == nil && t.Size == 0 {
		c.fail("%s of no bytes", t.Class)
	}
	return t, c.err
}

type typeParser struct {
	*cursor
	t       *Datatype
	version int
	bits    uint32
	depth   int
}

func (p *typeParser) properties() {
	t := p.t
	switch t.Class {
	case Integer, Bitfield:
		t.Signed = t.Class == Integer && p.bits&8 != 0
		t.BitOffset, t.Precision = int(p.u16()), int(p.u16())
		p.checkBits()
	case Float:
		p.float()
	case Time:
		t.Precision = int(p.u16())
	case String:
		t.BigEndian = false
		t.Padding = Padding(p.bits & 15)
		t.UTF8 = p.bits>>4&15 == 1
	case Opaque:
		t.BigEndian = false
		p.opaque()
	case Compound:
		p.compound()
	case Reference:
		t.BigEndian = false
		t.Kind = uint8(p.bits & 15)
		t.Region = t.Kind == 1
	case Enum:
		p.enum()
	case Vlen:
		t.VarString = p.bits&15 == 1
		t.Padding = Padding(p.bits >> 4 & 15)
		t.UTF8 = p.bits>>8&15 == 1
		if p.base(); p.err == nil && t.Size != 4+p.offset+4 {
			p.fail("element of variable length of %d bytes, expected %d", t.Size, 4+p.offset+4)
		}
	case Array:
		p.array()
	case Complex:
		p.base()
		if p.err == nil && t.Size != 2*t.Base.Size {
			p.fail("complex number of %d bytes with parts of %d", t.Size, t.Base.Size)
		}
	default:
		p.err = wire.Unsupported(p.what, p.at+int64(p.i-8), "datatype class %d", uint8(t.Class))
	}
}

func (p *typeParser) checkBits() {
	if t := p.t; p.err == nil && (t.Precision == 0 || t.BitOffset+t.Precision > 8*t.Size) {
		p.fail("%d bits from bit %d of %d bytes", t.Precision, t.BitOffset, t.Size)
	}
}

func (p *typeParser) float() {
	t := p.t
	l := &t.Layout
	t.BitOffset, t.Precision = int(p.u16()), int(p.u16())
	l.ExpBit, l.ExpBits = int(p.u8()), int(p.u8())
	l.MantBit, l.MantBits = int(p.u8()), int(p.u8())
	l.Bias = p.u32()
	l.Sign = int(p.bits >> 8 & 255)
	l.VAX = p.bits&0x41 == 0x41
	l.ImpliedOne = p.bits>>4&3 == 2
	l.NoOne = p.bits>>4&3 == 0
	p.checkBits()
	if n := 8 * t.Size; p.err == nil && (l.ExpBit+l.ExpBits > n || l.MantBit+l.MantBits > n || l.Sign >= n) {
		p.fail("exponent, mantissa or sign beyond %d bytes", t.Size)
	}
}

// opaque reads the tag, padded to a multiple of eight bytes.
func (p *typeParser) opaque() {
	tag := p.take(int(p.bits & 255))
	for len(tag) > 0 && tag[len(tag)-1] == 0 {
		tag = tag[:len(tag)-1]
	}
	p.t.Tag = string(tag)
}

func (p *typeParser) base() {
	if p.err != nil {
		return
	}
	p.t.Base, p.err = parseDatatype(p.cursor, p.depth+1)
}

// compound reads the fields:
//
//	v1: name padded to 8, offset 4, rank, 0 3, permutation 4, 0 4, lengths 4×4, type
//	v2: name padded to 8, offset 4, type
//	v3: name, offset as wide as the size needs, type
func (p *typeParser) compound() {
	t := p.t
	t.BigEndian = false
	n := int(p.bits & 0xffff)
	for range n {
		var f Field
		var dims []int
		f.Name = p.text(p.align())
		if p.version < 3 {
			f.Offset = int(p.u32())
		} else {
			f.Offset = int(p.uint(bytesFor(uint64(t.Size))))
		}
		if p.version == 1 {
			rank := int(p.u8())
			p.skip(3 + 4 + 4)
			for i := range 4 {
				if d := int(p.u32()); i < rank {
					dims = append(dims, d)
				}
			}
		}
		if p.err != nil {
			return
		}
		if f.Type, p.err = parseDatatype(p.cursor, p.depth+1); p.err != nil {
			return
		}
		if len(dims) > 0 {
			f.Type = p.arrayOf(f.Type, dims)
		}
		if p.err == nil && (f.Offset > t.Size || f.Type.Size > t.Size-f.Offset) {
			p.fail("field %q of %d bytes at byte %d of %d", f.Name, f.Type.Size, f.Offset, t.Size)
		}
		t.Fields = append(t.Fields, f)
	}
}

// align is how names of fields and members are padded.
func (p *typeParser) align() int {
	if p.version < 3 {
		return 8
	}
	return 1
}

// enum reads the base type, then all names, then all values.
func (p *typeParser) enum() {
	t := p.t
	if p.base(); p.err != nil {
		return
	}
	if t.Base.Class != Integer || t.Base.Size != t.Size {
		p.fail("enum of %d bytes on %s of %d", t.Size, t.Base.Class, t.Base.Size)
		return
	}
	t.BigEndian = t.Base.BigEndian
	n := int(p.bits & 0xffff)
	for range n {
		if p.err != nil {
			return
		}
		t.Members = append(t.Members, Member{Name: p.text(p.align())})
	}
	for i := range t.Members {
		t.Members[i].Value = p.take(t.Base.Size)
	}
}

// array reads rank, [0 3], lengths 4 each, [permutation 4 each], type.
func (p *typeParser) array() {
	t := p.t
	rank := int(p.u8())
	if p.version < 3 {
		p.skip(3)
	}
	var dims []int
	for range rank {
		dims = append(dims, int(p.u32()))
	}
	if p.version < 3 {
		p.skip(4 * rank)
	}
	if p.base(); p.err != nil {
		return
	}
	if a := p.arrayOf(t.Base, dims); p.err == nil {
		t.Dims = dims
		if a.Size != t.Size {
			p.fail("array of %d bytes, its elements have %d", t.Size, a.Size)
		}
	}
}

func (p *typeParser) arrayOf(base *Datatype, dims []int) *Datatype {
	size := uint64(base.Size)
	for _, d := range dims {
		if size *= uint64(d); size > 1<<30 {
			p.fail("array of %v elements of %d bytes", dims, base.Size)
			return base
		}
	}
	return &Datatype{Class: Array, Size: int(size), Base: base, Dims: dims, Committed: undefined}
}
