package netcdf

import (
	"fmt"
	"math"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// namedType adds a committed datatype to a group.
func (b *builder) namedType(gb *groupBuilder, c child) error {
	dt, err := c.obj.Datatype()
	if err != nil {
		return err
	}
	t, _ := b.typeOf(dt, 0)
	if !userDefined(t) {
		return nil // a name for an atomic type, which netCDF does not have
	}
	named := *t
	named.Name = c.name
	gb.g.Types = append(gb.g.Types, &named)
	if key := structure(dt); b.types[key] == nil {
		b.types[key] = &named
	}
	return nil
}

func userDefined(t *Type) bool {
	return t.Class == Compound || t.Class == Enum || t.Class == Opaque || t.Class == Vlen
}

// varType returns the type of a variable. Types without a name get the library's name, which this
// repeats.
func (b *builder) varType(ds *hdf5.Dataset) (*Type, error) {
	t, err := b.typeOf(ds.Type, 0)
	if userDefined(t) && t.Name == "" {
		b.anonymous++
		class := t.Class.String()
		t.Name = fmt.Sprintf("_Anonymous%s%d", strings.ToUpper(class[:1])+class[1:], b.anonymous)
		b.types[structure(ds.Type)] = t
	}
	return t, err
}

// typeOf translates a datatype. The error is why its elements cannot be read as bytes; the type is
// returned with it.
func (b *builder) typeOf(dt *hdf5.Datatype, depth int) (*Type, error) {
	if known := b.types[structure(dt)]; known != nil {
		return known, nativeError(dt)
	}
	t := &Type{Class: Other, Name: dt.Class.String()}
	var err error
	switch dt.Class {
	case hdf5.Integer:
		var c Class
		if c, err = integerClass(dt); err == nil {
			t = atomic(c)
		}
	case hdf5.Float:
		var n *hdf5.Datatype
		if n, err = dt.Native(); err == nil {
			t = atomic(map[int]Class{2: Half, 4: Float, 8: Double}[n.Size])
		}
	case hdf5.String:
		t = atomic(String)
		t.TextBytes = dt.Size
		if dt.Size == 1 {
			t = atomic(Char)
		}
		t.UTF8, t.Padding = dt.UTF8, paddings[dt.Padding]
	case hdf5.Vlen:
		if dt.VarString {
			t = atomic(String)
			t.UTF8 = dt.UTF8
			return t, nil
		}
		t = &Type{Class: Vlen}
		t.Base, err = b.typeOf(dt.Base, depth+1)
	case hdf5.Opaque:
		t = &Type{Class: Opaque, Size: dt.Size, Tag: dt.Tag}
	case hdf5.Enum:
		t = &Type{Class: Enum}
		if t.Base, err = b.typeOf(dt.Base, depth+1); err == nil {
			t.Size = t.Base.Size
			t.Members = members(dt, t.Base.Class)
		}
	case hdf5.Bitfield:
		t = &Type{Class: Bitfield, Name: "bitfield"}
	case hdf5.Reference:
		t = &Type{Class: Reference, Name: "reference", Region: dt.Region}
	case hdf5.Array:
		t = &Type{Class: Array, Shape: dt.Dims}
		t.Base, err = b.typeOf(dt.Base, depth+1)
	case hdf5.Compound, hdf5.Complex:
		t = b.compound(dt, depth)
	}
	if err == nil {
		err = nativeError(dt)
	}
	if n, nerr := dt.Native(); nerr == nil && t.Class != String {
		t.Size = n.Size
	}
	return t, err
}

// nativeError returns the reason why elements cannot be read as bytes. Elements of variable length
// can be read so, unless they are parts of other elements.
func nativeError(dt *hdf5.Datatype) error {
	if dt.Class == hdf5.Vlen {
		dt = dt.Base
	}
	_, err := dt.Native()
	return err
}

// compound translates the fields; a complex number has the fields r and i.
func (b *builder) compound(dt *hdf5.Datatype, depth int) *Type {
	t := &Type{Class: Compound}
	n, err := dt.Native()
	if dt.Class == hdf5.Complex {
		t.Name = "complex"
		base, _ := b.typeOf(dt.Base, depth+1)
		t.Fields = []Field{{"r", 0, base}, {"i", base.Size, base}}
		return t
	}
	for i, f := range dt.Fields {
		ft, _ := b.typeOf(f.Type, depth+1)
		offset := f.Offset
		if err == nil {
			offset = n.Fields[i].Offset
		}
		t.Fields = append(t.Fields, Field{f.Name, offset, ft})
	}
	return t
}

// paddings are the names of HDF5's paddings.
var paddings = map[hdf5.Padding]Padding{
	hdf5.NullTerminated: NullTerminated, hdf5.NullPadded: NullPadded, hdf5.SpacePadded: SpacePadded,
}

func integerClass(dt *hdf5.Datatype) (Class, error) {
	n, err := dt.Native()
	if err != nil {
		return Other, err
	}
	classes := map[int]Class{1: UByte, 2: UShort, 4: UInt, 8: UInt64}
	if dt.Signed {
		classes = map[int]Class{1: Byte, 2: Short, 4: Int, 8: Int64}
	}
	return classes[n.Size], nil
}

func members(dt *hdf5.Datatype, base Class) []EnumMember {
	list := make([]EnumMember, len(dt.Members))
	for i, m := range dt.Members {
		list[i].Name = m.Name
		raw := append([]byte(nil), m.Value...)
		if dt.Base.BigEndian {
			wire.Swap(raw, len(raw))
		}
		if len(raw) == atomicSizes[base] {
			list[i].Value = enumValue(raw, base)
		}
	}
	return list
}

// enumValue returns the value of an enum's member; an unsigned value comes as the int64 of the same
// bits.
func enumValue(raw []byte, base Class) int64 {
	if base.Unsigned() {
		return int64(wire.Uints(raw, len(raw))[0])
	}
	return wire.Ints(raw, len(raw))[0]
}

// structure is a text that is equal for datatypes whose elements look the same in memory.
func structure(dt *hdf5.Datatype) string {
	var s strings.Builder
	writeStructure(&s, dt)
	return s.String()
}

func writeStructure(s *strings.Builder, dt *hdf5.Datatype) {
	fmt.Fprintf(s, "%d:%d:%t:%d:%t%q", dt.Class, dt.Size, dt.Signed, dt.Precision, dt.VarString, dt.Tag)
	if dt.Base != nil {
		s.WriteByte('<')
		writeStructure(s, dt.Base)
		s.WriteByte('>')
	}
	for _, f := range dt.Fields {
		fmt.Fprintf(s, "{%q@%d", f.Name, f.Offset)
		writeStructure(s, f.Type)
		s.WriteByte('}')
	}
	for _, m := range dt.Members {
		fmt.Fprintf(s, "{%q=%x}", m.Name, m.Value)
	}
	fmt.Fprint(s, dt.Dims)
}

// attributes translates attributes and leaves out the reserved ones.
func (b *builder) attributes(list []hdf5.Attribute) []Attr {
	var out []Attr
	for i := range list {
		if !reserved[list[i].Name] {
			out = append(out, b.attribute(&list[i]))
		}
	}
	return out
}

func (b *builder) attribute(h *hdf5.Attribute) Attr {
	a := Attr{Name: h.Name, Type: &Type{Class: Other, Name: "other"}}
	if a.Err = h.Err(); a.Err != nil {
		return a
	}
	a.Type, _ = b.typeOf(h.Type, 0) // a type without a native form may still have a value
	a.Err = b.setAttr(h, &a)
	if a.Err != nil {
		return a
	}
	a.BigEndian = h.Type.BigEndian && a.Type.Numeric() && a.Type.Size > 1
	a.Scalar = a.Type.Class != Char && len(h.Space.Dims) == 0 && !h.Space.Null
	if dims := h.Space.Dims; len(dims) > 1 || len(dims) == 1 && dims[0] == 0 {
		a.Shape = dims
	}
	return a
}

// setAttr reads the value of an attribute.
func (b *builder) setAttr(h *hdf5.Attribute, a *Attr) (err error) {
	switch h.Type.Class {
	case hdf5.String:
		return setTextAttr(h, a)
	case hdf5.Vlen, hdf5.Compound, hdf5.Complex, hdf5.Array, hdf5.Reference, hdf5.Bitfield:
		if a.Value, err = h.Values(); err == nil {
			a.Null, err = h.Nulls()
		}
		return err
	}
	raw, err := h.Read()
	if err != nil {
		return err
	}
	c := a.Type.Class
	if c == Enum {
		c = a.Type.Base.Class
	}
	a.setValue(c, raw)
	return nil
}

// setTextAttr reads text of fixed length: a scalar is of type char, an array of type string.
func setTextAttr(h *hdf5.Attribute, a *Attr) error {
	raw, err := h.Read()
	if err != nil {
		return err
	}
	if len(h.Space.Dims) == 0 {
		a.Type = atomic(Char)
		a.Type.UTF8, a.Type.Padding = h.Type.UTF8, paddings[h.Type.Padding]
		a.setChars(raw)
		return nil
	}
	a.Type = atomic(String)
	a.Type.UTF8, a.Type.TextBytes, a.Type.Padding = h.Type.UTF8, h.Type.Size, paddings[h.Type.Padding]
	text := make([]string, len(raw)/h.Type.Size)
	for i := range text {
		text[i] = cutNull(raw[i*h.Type.Size:][:h.Type.Size])
	}
	a.Value = text
	return nil
}

// fillElement returns the element that stands beyond the end of a variable that is shorter than its
// unlimited dimension.
func fillElement(ds *hdf5.Dataset, t *Type) []byte {
	if fill := ds.NativeFill(); fill != nil {
		return fill
	}
	c := t.Class
	if c == Enum {
		c = t.Base.Class
	}
	out := make([]byte, t.Size)
	var bits uint64
	switch v, _ := DefaultFill(c); v := v.(type) {
	case int64:
		bits = uint64(v)
	case uint64:
		bits = v
	case float64:
		if bits = math.Float64bits(v); c == Float {
			bits = uint64(math.Float32bits(float32(v)))
		}
	}
	for i := range min(len(out), 8) {
		out[i] = byte(bits >> (8 * i))
	}
	return out
}
