package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Native returns the type that elements have after reading. It is little-endian, with integers of
// 1, 2, 4 or 8 bytes, IEEE floating-point numbers of 2, 4 or 8 bytes, compounds of these. Types
// that reading leaves as they are (strings, opaque, references) are returned as they are. Elements
// of variable length cannot be read as bytes: they are an [UnsupportedError], as are numbers that
// no native type holds exactly.
func (t *Datatype) Native() (*Datatype, error) {
	n := *t
	n.BigEndian = false
	var err error
	switch t.Class {
	case Integer, Bitfield:
		if n.Size, err = nativeInteger(t); err != nil {
			return nil, err
		}
		n.BitOffset, n.Precision = 0, 8*n.Size
	case Enum:
		if n.Base, err = t.Base.Native(); err != nil {
			return nil, err
		}
		n.Size = n.Base.Size
	case Float:
		return nativeFloat(t)
	case Array, Complex:
		if n.Base, err = t.Base.Native(); err != nil {
			return nil, err
		}
		n.Size = t.Size / t.Base.Size * n.Base.Size
	case Compound:
		return nativeCompound(t)
	case Vlen:
		return nil, wire.Unsupported("datatype", -1, "an element of variable length among others")
	case Time:
		return nil, wire.Unsupported("datatype", -1, "datatype class time")
	}
	return &n, nil
}

// nativeInteger returns the bytes of the smallest native integer that holds t. The HDF5 library
// also chooses by precision.
func nativeInteger(t *Datatype) (int, error) {
	for _, n := range []int{1, 2, 4, 8} {
		if t.Precision <= 8*n {
			return n, nil
		}
	}
	return 0, wire.Unsupported("datatype", -1, "integer of %d bits", t.Precision)
}

// nativeCompound keeps offsets while all fields keep their sizes; otherwise the fields are packed
// one after the other.
func nativeCompound(t *Datatype) (*Datatype, error) {
	n := *t
	n.Fields = make([]Field, len(t.Fields))
	same := true
	packed := 0
	for i, f := range t.Fields {
		ft, err := f.Type.Native()
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", f.Name, err)
		}
		n.Fields[i] = Field{f.Name, f.Offset, ft}
		same = same && ft.Size == f.Type.Size
		packed += ft.Size
	}
	if same {
		return &n, nil
	}
	n.Size = 0
	for i := range n.Fields {
		n.Fields[i].Offset = n.Size
		n.Size += n.Fields[i].Type.Size
	}
	return &n, nil
}

// conversion turns elements of the file into native ones.
type conversion struct {
	in, out int                   // bytes of an element
	swap    int                   // bytes of the runs to reverse in place; 1: nothing to do
	each    func(dst, src []byte) // one element, when swap cannot do it
}

// conversionOf returns the conversion of elements of t to elements of t.Native().
func conversionOf(t *Datatype) (conversion, error) {
	n, err := t.Native()
	if err != nil {
		return conversion{}, err
	}
	c := conversion{in: t.Size, out: n.Size, swap: swapSize(t, n)}
	if c.swap == 0 {
		c.each = converter(t, n)
	}
	return c, nil
}

// swapSize returns the length of the runs of bytes to reverse. It is 1 when elements are native
// already, 0 when they need another conversion.
func swapSize(t, n *Datatype) int {
	switch t.Class {
	case Integer, Bitfield:
		if t.Size != n.Size || t.BitOffset != 0 || t.Precision != 8*t.Size {
			return 0
		}
	case Float:
		if t.Layout != n.Layout || t.Size != n.Size || t.Precision != n.Precision {
			return 0
		}
	case Enum, Array, Complex:
		return swapSize(t.Base, n.Base)
	case Compound:
		size := 0
		for i := range t.Fields {
			s := swapSize(t.Fields[i].Type, n.Fields[i].Type)
			if s != 1 {
				return 0
			}
			size = s
		}
		if size == 0 || t.Size != n.Size {
			return 0
		}
		return 1
	}
	if t.BigEndian {
		return t.Size
	}
	return 1
}

// converter returns the function that turns an element of t into an element of n.
func converter(t, n *Datatype) func(dst, src []byte) {
	if s := swapSize(t, n); s != 0 {
		return func(dst, src []byte) {
			copy(dst[:n.Size], src[:n.Size])
			wire.Swap(dst[:n.Size], s)
		}
	}
	switch t.Class {
	case Enum:
		return converter(t.Base, n.Base)
	case Array, Complex:
		one := converter(t.Base, n.Base)
		count := t.Size / t.Base.Size
		return func(dst, src []byte) {
			for i := range count {
				one(dst[i*n.Base.Size:], src[i*t.Base.Size:])
			}
		}
	case Compound:
		return fieldsConverter(t, n)
	case Float:
		return floatConverter(t, n)
	default:
		return integerConverter(t, n)
	}
}

func fieldsConverter(t, n *Datatype) func(dst, src []byte) {
	each := make([]func(dst, src []byte), len(t.Fields))
	for i := range t.Fields {
		each[i] = converter(t.Fields[i].Type, n.Fields[i].Type)
	}
	return func(dst, src []byte) {
		clear(dst[:n.Size])
		for i, f := range each {
			f(dst[n.Fields[i].Offset:], src[t.Fields[i].Offset:])
		}
	}
}

// apply converts all elements of src into dst, which may be src when the sizes are equal.
func (c *conversion) apply(dst, src []byte) {
	if c.each == nil {
		if len(dst) > 0 && &dst[0] != &src[0] {
			copy(dst, src)
		}
		wire.Swap(dst, c.swap)
		return
	}
	element := make([]byte, c.in)
	for len(src) >= c.in {
		copy(element, src)
		c.each(dst, element)
		dst, src = dst[c.out:], src[c.in:]
	}
}
