package tonetcdf

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// attribute makes an attribute of a type of the value that metadata have.
func attribute(name string, t *netcdf.Type, value any) (netcdf.Attr, error) {
	a := netcdf.Attr{Name: name, Type: t}
	var err error
	if a.Value, err = typedValue(t, value); err != nil {
		err = fmt.Errorf("attribute %s: %w", name, err)
	}
	return a, err
}

// typedValue is a value in the Go type that netcdf.Attr has for a type.
func typedValue(t *netcdf.Type, value any) (any, error) {
	class := t.Class
	if class == netcdf.Enum {
		class = t.Base.Class
	}
	switch {
	case class == netcdf.Char:
		switch s := value.(type) {
		case string:
			return s, nil
		case mapping.JSON:
			return string(s), nil
		}
	case class == netcdf.String:
		return each(value, func(v any) (string, bool) { s, ok := v.(string); return s, ok })
	case class.Signed():
		return each(value, mapping.Int)
	case class.Unsigned():
		return each(value, unsignedNumber)
	case class.IsFloat():
		return each(value, mapping.Float)
	case class == netcdf.Compound:
		return each(value, func(v any) (netcdf.Record, bool) { return record(t, v) })
	case class == netcdf.Vlen:
		return sequences(t, value)
	case class == netcdf.Opaque:
		if b, ok := value.([]byte); ok {
			return b, nil
		}
	}
	return nil, fmt.Errorf("value %v is not of type %s", value, t.Describe())
}

// unsignedNumber is a number above 0. Metadata have numbers above 2^63-1 as text.
func unsignedNumber(v any) (uint64, bool) {
	switch v := v.(type) {
	case int64:
		return uint64(v), v >= 0
	case uint64:
		return v, true
	case string:
		n, err := strconv.ParseUint(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

// each makes a list of a list or of one value.
func each[T any](value any, make func(any) (T, bool)) ([]T, error) {
	list := items(value)
	out := []T{}
	for _, v := range list {
		x, ok := make(v)
		if !ok {
			return nil, fmt.Errorf("value %v, expected %T", v, x)
		}
		out = append(out, x)
	}
	return out, nil
}

// items are the elements of a list, or the value alone.
func items(value any) []any {
	switch v := value.(type) {
	case []any:
		return v
	case []string:
		return boxed(v)
	case []int64:
		return boxed(v)
	case []uint64:
		return boxed(v)
	case []float64:
		return boxed(v)
	}
	return []any{value}
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// record is a compound of the map that metadata have.
func record(t *netcdf.Type, v any) (netcdf.Record, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	r := make(netcdf.Record, len(t.Fields))
	for i, f := range t.Fields {
		value, err := fieldValue(f.Type, m[f.Name])
		if err != nil {
			return nil, false
		}
		r[i].Name, r[i].Value = f.Name, value
	}
	return r, true
}

// fieldValue is the value of one field: a number or a text where the type has one element, a list
// where it is an array.
func fieldValue(t *netcdf.Type, value any) (any, error) {
	if t.Class == netcdf.Array && t.Base.Class == netcdf.Char {
		return chars(t, value)
	}
	if t.Class == netcdf.Array || t.Class == netcdf.Vlen { // one sequence; a field has one
		return typedValue(t.Base, value)
	}
	list, err := typedValue(t, value)
	if err != nil {
		return nil, err
	}
	switch v := list.(type) {
	case []int64:
		return only(v)
	case []uint64:
		return only(v)
	case []float64:
		return only(v)
	case []string:
		return only(v)
	case []netcdf.Record:
		return only(v)
	}
	return list, nil
}

// chars is the text of an array of characters, with the zero bytes that follow it. Metadata have it as text
// or as a list of characters.
func chars(t *netcdf.Type, value any) (any, error) {
	list, err := each(value, func(v any) (string, bool) { s, ok := v.(string); return s, ok })
	if err != nil {
		return nil, err
	}
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	if _, isText := value.(string); !isText {
		for i, c := range list {
			if c == "" {
				list[i] = "\x00"
			}
		}
	}
	s := strings.Join(list, "")
	if len(s) > n {
		return nil, fmt.Errorf("text of %d bytes, expected at most %d", len(s), n)
	}
	return s + strings.Repeat("\x00", n-len(s)), nil
}

func only[T any](list []T) (any, error) {
	if len(list) != 1 {
		return nil, fmt.Errorf("%d values, expected 1", len(list))
	}
	return list[0], nil
}

// sequences are the lists of a vlen type. One sequence alone is a list of its elements.
func sequences(t *netcdf.Type, value any) (any, error) {
	list := items(value)
	if t.Base.Class == netcdf.Char { // a text each
		texts, err := each(value, func(v any) (any, bool) { _, ok := v.(string); return v, ok })
		return texts, err
	}
	nested := len(list) > 0
	for _, v := range list {
		switch v.(type) {
		case []any, []int64, []uint64, []float64, []string:
		default:
			nested = false
		}
	}
	if !nested {
		list = []any{value}
	}
	out := make([]any, len(list))
	for i, v := range list {
		var err error
		if out[i], err = typedValue(t.Base, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rawValue is the value of little-endian elements or characters.
func rawValue(class netcdf.Class, raw []byte) (any, error) {
	if class == netcdf.Char {
		return string(raw), nil
	}
	size := ncwrite.Atomic(class).Size
	if size == 0 || len(raw)%size != 0 {
		return nil, fmt.Errorf("%d bytes of type %s", len(raw), class)
	}
	n := len(raw) / size
	ints, uints, floats := make([]int64, n), make([]uint64, n), make([]float64, n)
	for i := range n {
		var b [8]byte
		copy(b[:], raw[i*size:(i+1)*size])
		bits := binary.LittleEndian.Uint64(b[:])
		unused := 64 - 8*size
		uints[i], ints[i] = bits, int64(bits<<unused)>>unused
		if floats[i] = math.Float64frombits(bits); size == 4 {
			floats[i] = float64(math.Float32frombits(uint32(bits)))
		}
	}
	switch {
	case class.Signed():
		return ints, nil
	case class.Unsigned():
		return uints, nil
	}
	return floats, nil
}

// classOf is the class of a name that package netcdf gives to an atomic type.
func classOf(name string) (netcdf.Class, bool) {
	for c := netcdf.Byte; c <= netcdf.String; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// guessedClass is the class of an attribute with a known value.
func guessedClass(value any) (netcdf.Class, bool) {
	switch v := value.(type) {
	case string, mapping.JSON:
		return netcdf.Char, true
	case int64:
		if v != int64(int32(v)) {
			return netcdf.Int64, true
		}
		return netcdf.Int, true
	case uint64:
		return netcdf.UInt64, true
	case float64:
		return netcdf.Double, true
	}
	list := items(value)
	if len(list) == 0 {
		return 0, false
	}
	switch list[0].(type) {
	case []any, map[string]any:
		return 0, false
	}
	found, ok := guessedClass(list[0])
	for _, v := range list[1:] {
		next, fits := guessedClass(v)
		if ok = ok && fits && (next == found || widens(next, found) || widens(found, next)); !ok {
			return 0, false
		}
		if widens(found, next) {
			found = next
		}
	}
	if found == netcdf.Char {
		found = netcdf.String
	}
	return found, ok
}

// widens reports whether class b holds numbers of class a among values of metadata.
func widens(a, b netcdf.Class) bool {
	rank := map[netcdf.Class]int{netcdf.Int: 1, netcdf.Int64: 2, netcdf.UInt64: 3, netcdf.Double: 4}
	return rank[a] > 0 && rank[a] < rank[b]
}
