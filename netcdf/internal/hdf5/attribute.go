package hdf5

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Attribute is a small named value of an object.
type Attribute struct {
	Name  string
	UTF8  bool // character set of the name
	Type  *Datatype
	Space *Dataspace

	f    *File
	data []byte
	err  error // why type or value could not be read
}

// Attributes returns the attributes of an object. They are in creation order when the object tracks
// it, else in the order of the file. An attribute that cannot be read is listed; its methods give
// the error.
func (o *Object) Attributes() ([]Attribute, error) {
	var list []ordered
	for i := range o.h.messages {
		m := &o.h.messages[i]
		if m.kind != msgAttribute {
			continue
		}
		order := m.order
		m, err := o.f.resolve(m)
		if err != nil {
			return nil, err
		}
		a := o.f.parseAttribute(o.f.cursor("attribute of "+objectName(o.Addr), m))
		list = append(list, ordered{a, order})
	}
	dense, err := o.denseAttributes()
	if err != nil {
		return nil, err
	}
	list = append(list, dense...)
	slices.SortStableFunc(list, func(a, b ordered) int { return cmp.Compare(a.order, b.order) })
	attrs := make([]Attribute, len(list))
	for i := range list {
		attrs[i] = list[i].Attribute
	}
	return attrs, nil
}

type ordered struct {
	Attribute
	order int
}

// denseAttributes reads the attributes of the heap that the attribute info message names. The
// message is version, flags, [highest order 2], heap, name tree, [order tree]. Records of the name
// tree: heap ID 8, flags, order 4, hash 4.
func (o *Object) denseAttributes() ([]ordered, error) {
	m := o.h.find(msgAttrInfo)
	if m == nil {
		return nil, nil
	}
	c := o.f.cursor("attribute info message of "+objectName(o.Addr), m)
	c.version(0, 0)
	if c.u8()&1 != 0 {
		c.skip(2)
	}
	heapAddr, tree := c.addr(), c.addr()
	if c.err != nil || heapAddr == undefined {
		return nil, c.err
	}
	heap, err := o.f.openHeap(heapAddr)
	if err != nil {
		return nil, err
	}
	var list []ordered
	err = o.f.walkTree2(tree, []uint8{treeAttrName}, func(r *cursor) error {
		id := r.take(8)
		flags := r.u8()
		order := r.u32()
		if r.err != nil {
			return r.err
		}
		m := &message{kind: msgAttribute, at: -1}
		if flags&flagShared != 0 {
			m, err = o.f.fetchSharedFromHeap(msgAttribute, id)
		} else {
			m.body, err = heap.object(id[:min(len(id), heap.idLen)])
		}
		if err != nil {
			return err
		}
		a := o.f.parseAttribute(o.f.cursor("attribute in the heap of "+objectName(o.Addr), m))
		list = append(list, ordered{a, int(order)})
		return nil
	})
	return list, err
}

// parseAttribute reads an attribute message (section IV.A.2.m):
//
//	v1: version, 0, sizes of name, type and space 2 each, name, type and space
//	    padded to 8 each, data
//	v2: version, flags, sizes, name, type, space, data
//	v3: version, flags, sizes, character set, name, type, space, data
//
// Flags say that type or space are shared messages.
func (f *File) parseAttribute(c *cursor) Attribute {
	const sharedType, sharedSpace = 1, 2
	a := Attribute{f: f}
	version := c.version(1, 3)
	flags := c.u8()
	if version == 1 {
		flags = 0
	}
	nameLen, typeLen, spaceLen := int(c.u16()), int(c.u16()), int(c.u16())
	if version == 3 {
		a.UTF8 = c.u8() == 1
	}
	pad := func(n int) int {
		if version == 1 {
			return (n + 7) &^ 7
		}
		return n
	}
	name := cursor{b: c.take(pad(nameLen))}
	a.Name = name.text(1)
	if name.err != nil {
		a.Name = string(name.b)
	}
	t := c.sub("datatype of attribute "+a.Name, pad(typeLen))
	s := c.sub("dataspace of attribute "+a.Name, pad(spaceLen))
	if c.err != nil {
		if a.err = c.err; a.Name == "" {
			a.Name = "without a readable name"
		}
		return a
	}
	a.data = c.b[c.i:]
	a.Type, a.err = f.embeddedType(t, flags&sharedType != 0)
	if a.err == nil {
		a.Space, a.err = f.embeddedSpace(s, flags&sharedSpace != 0)
	}
	return a
}

func (f *File) embeddedType(c *cursor, shared bool) (*Datatype, error) {
	m := &message{kind: msgDatatype, body: c.b, at: c.at}
	if shared {
		m.flags = flagShared
	}
	return f.datatypeMessage(m, uint64(max(c.at, 0)))
}

func (f *File) embeddedSpace(c *cursor, shared bool) (*Dataspace, error) {
	if !shared {
		return parseDataspace(c)
	}
	s, err := parseSharedAt(c)
	if err != nil {
		return nil, err
	}
	m, err := f.fetchShared(msgDataspace, s)
	if err != nil {
		return nil, err
	}
	return parseDataspace(f.cursor(c.what, m))
}

// Stored returns the bytes of name and value in the file.
func (a *Attribute) Stored() int { return len(a.Name) + len(a.data) }

// Err returns why the attribute's type could not be read, nil when it could.
func (a *Attribute) Err() error { return a.err }

// elements returns the elements as they are in the file.
func (a *Attribute) elements() ([]byte, error) {
	if a.err != nil {
		return nil, a.err
	}
	n, ok := wire.Mul(a.Space.Len(), uint64(a.Type.Size))
	if !ok || n > uint64(len(a.data)) {
		return nil, wire.Errorf("attribute "+a.Name, -1, "%d elements of %d bytes in %d bytes", a.Space.Len(), a.Type.Size, len(a.data))
	}
	return a.data[:n], nil
}

// Read returns all elements as native ones, see [Datatype.Native].
func (a *Attribute) Read() ([]byte, error) {
	raw, err := a.elements()
	if err != nil {
		return nil, err
	}
	conv, err := conversionOf(a.Type)
	if err != nil {
		return nil, fmt.Errorf("attribute %s: %w", a.Name, err)
	}
	dst := make([]byte, len(raw)/conv.in*conv.out)
	conv.apply(dst, raw)
	return dst, nil
}

// ReadVlen returns the elements of variable length, see [Dataset.ReadVlen].
func (a *Attribute) ReadVlen() ([][]byte, error) {
	raw, err := a.elements()
	if err != nil {
		return nil, err
	}
	if a.Type.Class != Vlen {
		return nil, wire.Unsupported("attribute "+a.Name, -1, "reading a %s as elements of variable length", a.Type.Class)
	}
	return a.f.vlens("attribute "+a.Name, a.Type, raw)
}

// Nulls returns which elements are strings that are null pointers.
func (a *Attribute) Nulls() ([]int, error) {
	if a.err != nil || a.Type.Class != Vlen || !a.Type.VarString {
		return nil, a.err
	}
	raw, err := a.elements()
	if err != nil {
		return nil, err
	}
	var nulls []int
	for i := 0; len(raw) > 0; i, raw = i+1, raw[a.Type.Size:] {
		_, addr, _, err := a.f.reference("attribute "+a.Name, raw[:a.Type.Size])
		if err != nil {
			return nil, err
		}
		if addr == 0 || addr == undefined {
			nulls = append(nulls, i)
		}
	}
	return nulls, nil
}

// Values returns the elements as a []T, see [FieldValue] for the types of elements.
func (a *Attribute) Values() (any, error) {
	raw, err := a.elements()
	if err != nil {
		return nil, err
	}
	return a.f.valueReader("attribute "+a.Name).list(a.Type, int(a.Space.Len()), raw)
}
