package hdf5

import (
	"bytes"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Record is the value of a compound: its fields in the order of the file.
type Record []FieldValue

// FieldValue is one field of a [Record]. Value is, by the field's type:
//
//	int64       signed integer, or enum on one
//	uint64      unsigned integer, bitfield, or enum on an unsigned integer
//	float64     floating-point number
//	string      text of fixed or variable length
//	[]byte      opaque
//	Ref         reference
//	Record      compound, or complex number with the fields r and i
//	[]T         array or sequence of these, in C order; []any where T is []byte or a list
type FieldValue struct {
	Name  string
	Value any
}

// Ref is a reference to an object of the file, or to a region of a dataset.
type Ref struct {
	Addr   uint64 // of the object's header, 0 for none
	Region bool
}

// maxValues bounds the values that a call makes, numbers in lists not counted. Compounds of many
// small fields take much more memory than in the file.
const maxValues = 1 << 20

// valueReader turns elements as they are in the file into Go values.
type valueReader struct {
	f    *File
	what string
	heap globalHeap
	left int // values that may still be made
}

func (f *File) valueReader(what string) *valueReader {
	return &valueReader{f: f, what: what, heap: newGlobalHeap(f), left: maxValues}
}

// list returns the values of n elements of t: a []T as FieldValue describes it.
func (r *valueReader) list(t *Datatype, n int, raw []byte) (any, error) {
	if t.Class <= Float || t.Class == Bitfield || t.Class == Enum {
		return numbers(t, raw[:n*t.Size])
	}
	if r.left -= n; r.left < 0 {
		return nil, wire.Unsupported(r.what, -1, "making more than %d values", maxValues)
	}
	switch t.Class {
	case String:
		return collect(t, n, raw, func(b []byte) (string, error) { return text(b), nil })
	case Reference:
		return collect(t, n, raw, func(b []byte) (Ref, error) { return r.ref(t, b) })
	case Compound, Complex:
		return collect(t, n, raw, func(b []byte) (Record, error) { return r.record(t, b) })
	case Vlen:
		if t.VarString {
			return collect(t, n, raw, func(b []byte) (string, error) {
				_, s, err := r.heap.sequence(r.what, t, b)
				return text(s), err
			})
		}
		return collect(t, n, raw, func(b []byte) (any, error) { return r.sequence(t, b) })
	case Array:
		inner := t.Size / t.Base.Size
		return collect(t, n, raw, func(b []byte) (any, error) { return r.list(t.Base, inner, b) })
	case Opaque:
		return collect(t, n, raw, func(b []byte) (any, error) { return b, nil })
	}
	_, err := t.Native()
	return nil, err
}

// collect calls one for each of n elements.
func collect[T any](t *Datatype, n int, raw []byte, one func([]byte) (T, error)) ([]T, error) {
	list := make([]T, n)
	for i := range list {
		var err error
		if list[i], err = one(raw[i*t.Size:][:t.Size]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// numbers returns []int64, []uint64 or []float64.
func numbers(t *Datatype, raw []byte) (any, error) {
	native, err := t.Native()
	if err != nil {
		return nil, err
	}
	conv, err := conversionOf(t)
	if err != nil {
		return nil, err
	}
	b := make([]byte, len(raw)/conv.in*conv.out)
	conv.apply(b, raw)
	if native.Class == Enum {
		native = native.Base
	}
	switch {
	case native.Class == Float:
		return wire.Floats(b, native.Size), nil
	case native.Signed:
		return wire.Ints(b, native.Size), nil
	}
	return wire.Uints(b, native.Size), nil
}

// text ends at the first zero byte, as in C.
func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

func (r *valueReader) sequence(t *Datatype, b []byte) (any, error) {
	n, data, err := r.heap.sequence(r.what, t, b)
	if err != nil {
		return nil, err
	}
	return r.list(t.Base, int(n), data)
}

func (r *valueReader) record(t *Datatype, b []byte) (Record, error) {
	fields := t.fields()
	record := make(Record, len(fields))
	for i, f := range fields {
		v, err := r.value(f.Type, b[f.Offset:])
		if err != nil {
			return nil, err
		}
		record[i] = FieldValue{f.Name, v}
	}
	return record, nil
}

// value returns one element: the first of a list, or the list of an array.
func (r *valueReader) value(t *Datatype, b []byte) (any, error) {
	list, err := r.list(t, 1, b)
	if err != nil {
		return nil, err
	}
	switch v := list.(type) {
	case []int64:
		return v[0], nil
	case []uint64:
		return v[0], nil
	case []float64:
		return v[0], nil
	case []string:
		return v[0], nil
	case []Ref:
		return v[0], nil
	case []Record:
		return v[0], nil
	default:
		return list.([]any)[0], nil
	}
}

// fields returns the members of a compound; a complex number has r and i.
func (t *Datatype) fields() []Field {
	if t.Class == Complex {
		return []Field{{"r", 0, t.Base}, {"i", t.Base.Size, t.Base}}
	}
	return t.Fields
}

// ref reads a reference to an object or to a region. The first is its address. The second is the
// address of a collection of the global heap and the number of an object in it 4, which begins
// with the address of the dataset. References of HDF5 1.12 (kinds 2 to 4) are not decoded.
func (r *valueReader) ref(t *Datatype, b []byte) (Ref, error) {
	c := cursor{sizes: r.f.sizes, b: b, what: r.what}
	switch t.Kind {
	case refObject:
		return Ref{Addr: c.addr()}, c.err
	case refRegion:
		addr, object := c.addr(), c.u32()
		if c.err != nil || addr == 0 || addr == undefined {
			return Ref{Region: true}, c.err
		}
		region, err := r.heap.object(addr, object)
		if err != nil {
			return Ref{}, err
		}
		c = cursor{sizes: r.f.sizes, b: region, what: r.what}
		return Ref{Addr: c.addr(), Region: true}, c.err
	}
	return Ref{}, wire.Unsupported(r.what, -1, "reference of kind %d", t.Kind)
}

// Kinds of references.
const (
	refObject = 0
	refRegion = 1
)
