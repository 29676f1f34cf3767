package ncwrite

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/netcdf"
)

// encoder turns Go values into elements as they are in the file, numbers being little-endian.
type encoder struct {
	// put stores text or a sequence in a heap and returns the heapRefBytes that stand for it. Its
	// length in elements is n. It is nil where there is no heap.
	put func(n int, data []byte) ([heapRefBytes]byte, error)
}

// count returns the number of elements in a value as netcdf.Attr holds it; text is a single
// element.
func count(t *netcdf.Type, value any) (int, error) {
	switch v := value.(type) {
	case []int64:
		return len(v), nil
	case []uint64:
		return len(v), nil
	case []float64:
		return len(v), nil
	case []string:
		return len(v), nil
	case []netcdf.Record:
		return len(v), nil
	case []any:
		return len(v), nil
	case string:
		return 1, nil
	case []byte:
		if size := fileSize(t); size > 0 && len(v)%size == 0 {
			return len(v) / size, nil
		}
		return 0, fmt.Errorf("%d bytes for elements of %d", len(v), fileSize(t))
	}
	return 0, fmt.Errorf("value of Go type %T for type %s", value, describe(t))
}

// list appends the elements of a value as netcdf.Attr holds it.
func (e *encoder) list(dst []byte, t *netcdf.Type, value any) ([]byte, error) {
	switch v := value.(type) {
	case []int64:
		return numbers(dst, t, v)
	case []uint64:
		return numbers(dst, t, v)
	case []float64:
		return numbers(dst, t, v)
	case []string:
		return each(dst, v, func(dst []byte, s string) ([]byte, error) { return e.text(dst, t, s) })
	case []netcdf.Record:
		return each(dst, v, func(dst []byte, r netcdf.Record) ([]byte, error) { return e.record(dst, t, r) })
	case []any:
		return each(dst, v, func(dst []byte, one any) ([]byte, error) { return e.element(dst, t, one) })
	case []byte:
		return e.bytes(dst, t, v)
	case string:
		return e.chars(dst, t, v)
	}
	return nil, fmt.Errorf("value of Go type %T for type %s", value, describe(t))
}

func each[T any](dst []byte, list []T, one func([]byte, T) ([]byte, error)) ([]byte, error) {
	for i := range list {
		var err error
		if dst, err = one(dst, list[i]); err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return dst, nil
}

// element appends one element, as netcdf.Record holds the value of a field.
func (e *encoder) element(dst []byte, t *netcdf.Type, value any) ([]byte, error) {
	switch v := value.(type) {
	case int64:
		return number(dst, t, v)
	case uint64:
		return number(dst, t, v)
	case float64:
		return number(dst, t, v)
	case netcdf.Record:
		return e.record(dst, t, v)
	case string:
		switch t.Class {
		case netcdf.String:
			return e.text(dst, t, v)
		case netcdf.Vlen: // its characters
		default:
			return e.chars(dst, t, v)
		}
	case []byte:
		if t.Class == netcdf.Opaque {
			return e.bytes(dst, t, v)
		}
	}
	switch t.Class {
	case netcdf.Vlen:
		return e.sequence(dst, t, value)
	case netcdf.Array:
		return e.array(dst, t, value)
	}
	return nil, fmt.Errorf("value of Go type %T for type %s", value, describe(t))
}

// bytes appends opaque elements, and characters.
func (e *encoder) bytes(dst []byte, t *netcdf.Type, v []byte) ([]byte, error) {
	if t.Class != netcdf.Opaque && t.Class != netcdf.Char {
		return nil, fmt.Errorf("bytes for type %s", describe(t))
	}
	if size := fileSize(t); len(v)%size != 0 {
		return nil, fmt.Errorf("%d bytes for elements of %d", len(v), size)
	}
	return append(dst, v...), nil
}

// chars appends the characters of text. For a String or an array of characters, the text is a
// single element.
func (e *encoder) chars(dst []byte, t *netcdf.Type, s string) ([]byte, error) {
	switch {
	case t.Class == netcdf.Char, t.Class == netcdf.Array && t.Base.Class == netcdf.Char:
		return append(dst, s...), nil
	case t.Class == netcdf.String:
		return e.text(dst, t, s)
	}
	return nil, fmt.Errorf("text for type %s", describe(t))
}

// text appends an element of type String.
func (e *encoder) text(dst []byte, t *netcdf.Type, s string) ([]byte, error) {
	switch {
	case t.Class != netcdf.String:
		return nil, fmt.Errorf("text for type %s", describe(t))
	case t.TextBytes > 0 && len(s) > t.TextBytes:
		return nil, fmt.Errorf("text of %d bytes, expected at most %d", len(s), t.TextBytes)
	case t.TextBytes > 0:
		dst = append(dst, s...)
		return append(dst, make([]byte, t.TextBytes-len(s))...), nil
	case s == Null && e.put != nil:
		return append(dst, make([]byte, heapRefBytes)...), nil
	}
	return e.heap(dst, len(s), []byte(s))
}

func (e *encoder) heap(dst []byte, n int, data []byte) ([]byte, error) {
	if e.put == nil {
		return nil, fmt.Errorf("text or sequence where there is no heap")
	}
	ref, err := e.put(n, data)
	return append(dst, ref[:]...), err
}

// sequence appends an element of type Vlen.
func (e *encoder) sequence(dst []byte, t *netcdf.Type, value any) ([]byte, error) {
	n, err := count(t.Base, value)
	if err != nil {
		return nil, err
	}
	if s, ok := value.(string); ok && t.Base.Class == netcdf.Char {
		n = len(s)
	}
	data, err := e.list(nil, t.Base, value)
	if err != nil {
		return nil, err
	}
	return e.heap(dst, n, data)
}

// array appends an element of type Array.
func (e *encoder) array(dst []byte, t *netcdf.Type, value any) ([]byte, error) {
	from := len(dst)
	dst, err := e.list(dst, t.Base, value)
	if err == nil && len(dst)-from != fileSize(t) {
		err = fmt.Errorf("array of %d bytes, expected %d", len(dst)-from, fileSize(t))
	}
	return dst, err
}

// record appends an element of type Compound; fields that are missing are zero.
func (e *encoder) record(dst []byte, t *netcdf.Type, r netcdf.Record) ([]byte, error) {
	if t.Class != netcdf.Compound {
		return nil, fmt.Errorf("record for type %s", describe(t))
	}
	element := make([]byte, fileSize(t))
	for _, value := range r {
		i := fieldIndex(t, value.Name)
		if i < 0 {
			return nil, fmt.Errorf("type %s has no field %s", describe(t), value.Name)
		}
		ft := t.Fields[i].Type
		b, err := e.element(nil, ft, value.Value)
		if len(b) == 0 && ft.Class == netcdf.Char {
			b = []byte{0} // the element of a text that ends at the first zero byte
		}
		if err == nil && len(b) != fileSize(ft) {
			err = fmt.Errorf("%d bytes, expected %d", len(b), fileSize(ft))
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", value.Name, err)
		}
		copy(element[fieldOffset(t, i):], b)
	}
	return append(dst, element...), nil
}

func fieldIndex(t *netcdf.Type, name string) int {
	for i, f := range t.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

func numbers[T int64 | uint64 | float64](dst []byte, t *netcdf.Type, list []T) ([]byte, error) {
	return each(dst, list, func(dst []byte, x T) ([]byte, error) { return number(dst, t, x) })
}

// number appends a number, which must be one of the type's.
func number[T int64 | uint64 | float64](dst []byte, t *netcdf.Type, x T) ([]byte, error) {
	c := t.Class
	if c == netcdf.Enum {
		c = t.Base.Class
	}
	switch c {
	case netcdf.Float:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x))), nil
	case netcdf.Double:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(x))), nil
	}
	if !c.Signed() && !c.Unsigned() {
		return nil, fmt.Errorf("number for type %s", describe(t))
	}
	bits, ok := integer(c, x)
	if !ok {
		return nil, fmt.Errorf("%v is not a number of type %s", x, describe(t))
	}
	for range atomicSize(c) {
		dst = append(dst, byte(bits))
		bits >>= 8
	}
	return dst, nil
}

// integer returns the bits of an integer of class c. Enum members above the largest int64 may
// come as the negative number of the same bits.
func integer[T int64 | uint64 | float64](c netcdf.Class, x T) (uint64, bool) {
	width := 8 * atomicSize(c)
	if c.Signed() {
		n := int64(x)
		return uint64(n), T(n) == x && (n < 0) == (x < 0) && n>>(width-1) == n>>63
	}
	n := uint64(x)
	if x < 0 {
		n = uint64(int64(x))
		return n, width == 64 && T(int64(n)) == x
	}
	return n, T(n) == x && (width == 64 || n>>width == 0)
}
