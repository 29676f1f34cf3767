package hdf5

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// ObjectKind is the kind of an object.
type ObjectKind int

// The kinds of objects.
const (
	GroupObject ObjectKind = iota + 1
	DatasetObject
	DatatypeObject
)

func (k ObjectKind) String() string {
	switch k {
	case GroupObject:
		return "group"
	case DatasetObject:
		return "dataset"
	case DatatypeObject:
		return "datatype"
	}
	return fmt.Sprintf("object kind %d", int(k))
}

// Object is a group, a dataset or a named datatype.
type Object struct {
	Addr uint64 // of its header: the value of object references
	Kind ObjectKind

	f *File
	h *header
}

// Object reads the object whose header is at addr.
func (f *File) Object(addr uint64) (*Object, error) {
	h, err := f.readHeader(addr)
	if err != nil {
		return nil, err
	}
	o := &Object{Addr: addr, f: f, h: h}
	switch {
	case h.find(msgDataspace) != nil && h.find(msgDatatype) != nil:
		o.Kind = DatasetObject
	case h.find(msgSymbolTable) != nil || h.find(msgLinkInfo) != nil:
		o.Kind = GroupObject
	case h.find(msgDatatype) != nil:
		o.Kind = DatatypeObject
	default:
		return nil, wire.Errorf(objectName(addr), f.src.Base+int64(addr),
			"neither a group nor a dataset nor a datatype: %d messages", len(h.messages))
	}
	return o, nil
}

// File returns the file that holds the object.
func (o *Object) File() *File { return o.f }

// Datatype returns the type of a dataset or of a named datatype.
func (o *Object) Datatype() (*Datatype, error) {
	m := o.h.find(msgDatatype)
	if m == nil {
		return nil, o.f.errorf(objectName(o.Addr), o.Addr, "no datatype in a %s", o.Kind)
	}
	return o.f.datatypeMessage(m, o.Addr)
}

// datatypeMessage decodes a datatype message, which may point to a named datatype, of the object at
// addr.
func (f *File) datatypeMessage(m *message, addr uint64) (*Datatype, error) {
	const what = "datatype"
	committed := undefined
	if m.flags&flagShared != 0 {
		s, err := f.parseShared(m)
		if err != nil {
			return nil, err
		}
		committed = s.addr
		if m, err = f.fetchShared(msgDatatype, s); err != nil {
			return nil, err
		}
	}
	t, err := parseDatatype(f.cursor(fmt.Sprintf("%s of %s", what, objectName(addr)), m), 0)
	if err != nil {
		return nil, err
	}
	t.Committed = committed
	return t, nil
}

// message returns the first message of a kind, resolved when it is shared, or nil when there is
// none.
func (o *Object) message(kind int) (*message, error) {
	m := o.h.find(kind)
	if m == nil {
		return nil, nil
	}
	return o.f.resolve(m)
}
