// Package numpy reads the names that NumPy gives to data types, and computes with arrays of numbers
// as NumPy does.
//
// Documents of Zarr format 2 and the configurations of the codecs of numcodecs name types in this way:
//
//	<f4      byte order (<, >, or | where there is none), kind, bytes of an element
//	<M8[10s] times have a unit
package numpy

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the character of a kind of type.
type Kind byte

// The kinds of types.
const (
	Bool      Kind = 'b'
	Int       Kind = 'i'
	Uint      Kind = 'u'
	Float     Kind = 'f'
	Complex   Kind = 'c'
	Bytes     Kind = 'S' // filled with NULs
	Unicode   Kind = 'U' // characters of four bytes
	Void      Kind = 'V'
	Object    Kind = 'O'
	DateTime  Kind = 'M'
	TimeDelta Kind = 'm'
)

// A Type is the type of the elements of an array.
type Type struct {
	Kind  Kind
	Size  int // bytes of an element; 0 for objects
	Big   bool
	Unit  string // of times: "ns", or "generic"
	Scale int64  // of times, in units
}

// most bounds the bytes of an element.
const most = 1 << 24

// Parse reads the name of a type. Names without a byte order, such as float32, are known as well.
func Parse(name string) (Type, error) {
	if t, ok := words[name]; ok {
		return t, nil
	}
	rest, t := name, Type{}
	if rest != "" && strings.IndexByte("<>|=", rest[0]) >= 0 {
		t.Big = rest[0] == '>'
		rest = rest[1:]
	}
	if rest == "" {
		return Type{}, unknown(name)
	}
	t.Kind, rest = Kind(rest[0]), rest[1:]
	if t.Kind == DateTime || t.Kind == TimeDelta {
		digits, unit, hasUnit := strings.Cut(rest, "[")
		if digits != "8" {
			return Type{}, unknown(name)
		}
		t.Size = 8
		return t, t.setUnit(name, unit, hasUnit)
	}
	if t.Kind == Object && (rest == "" || rest == "8") {
		return t, nil
	}
	n, err := strconv.ParseUint(rest, 10, 31)
	if err != nil || n > most {
		return Type{}, unknown(name)
	}
	t.Size = int(n)
	if t.Kind == Unicode {
		t.Size *= 4
	}
	if !t.possible() {
		return Type{}, unknown(name)
	}
	return t, nil
}

var words = map[string]Type{
	"bool": {Kind: Bool, Size: 1}, "object": {Kind: Object},
	"int8": {Kind: Int, Size: 1}, "int16": {Kind: Int, Size: 2}, "int32": {Kind: Int, Size: 4}, "int64": {Kind: Int, Size: 8},
	"uint8": {Kind: Uint, Size: 1}, "uint16": {Kind: Uint, Size: 2}, "uint32": {Kind: Uint, Size: 4}, "uint64": {Kind: Uint, Size: 8},
	"float16": {Kind: Float, Size: 2}, "float32": {Kind: Float, Size: 4}, "float64": {Kind: Float, Size: 8},
	"complex64": {Kind: Complex, Size: 8}, "complex128": {Kind: Complex, Size: 16},
}

func unknown(name string) error {
	return fmt.Errorf("NumPy type %.80q is not known", name)
}

// possible reports whether there is such a type.
func (t Type) possible() bool {
	switch t.Kind {
	case Bool:
		return t.Size == 1
	case Int, Uint:
		return t.Size == 1 || t.Size == 2 || t.Size == 4 || t.Size == 8
	case Float:
		return t.Size == 2 || t.Size == 4 || t.Size == 8
	case Complex:
		return t.Size == 8 || t.Size == 16
	case Bytes, Unicode, Void:
		return t.Size > 0 && t.Size <= most
	}
	return false
}

// setUnit reads the text after the opening bracket: "10s]".
func (t *Type) setUnit(name, text string, found bool) error {
	t.Unit, t.Scale = "generic", 1
	if !found {
		return nil
	}
	text, closed := strings.CutSuffix(text, "]")
	unit := strings.TrimLeft(text, "0123456789")
	if digits := text[:len(text)-len(unit)]; digits != "" {
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 1 {
			return unknown(name)
		}
		t.Scale = n
	}
	if !closed || unit == "" {
		return unknown(name)
	}
	t.Unit = unit
	return nil
}

// Number reports whether elements are numbers of one part.
func (t Type) Number() bool {
	switch t.Kind {
	case Bool, Int, Uint, Float:
		return true
	}
	return false
}

// DataType returns the name that Zarr format 3 gives to a type of numbers, complex ones too.
func (t Type) DataType() string {
	switch t.Kind {
	case Bool:
		return "bool"
	case Int, Uint, Float, Complex:
		kinds := map[Kind]string{Int: "int", Uint: "uint", Float: "float", Complex: "complex"}
		return kinds[t.Kind] + strconv.Itoa(8*t.Size)
	}
	return ""
}

// Types of numbers, little-endian.
var (
	Uint8 = Type{Kind: Uint, Size: 1}
	Int64 = Type{Kind: Int, Size: 8}
)
