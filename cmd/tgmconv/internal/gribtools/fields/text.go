package fields

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// A Key is a key as a user asks for it: with the type of its value.
type Key struct {
	Name string
	Type Type
}

// A Type is the type that the value of a key is asked for in.
type Type byte

// The types of values. Native is the key's own type.
const (
	Native  Type = 0
	Text    Type = 's'
	Real    Type = 'd'
	Integer Type = 'i'
)

// ParseKey reads NAME, NAME:s, NAME:d, NAME:i or NAME:l.
func ParseKey(text string) Key {
	if n := len(text) - 2; n > 0 && text[n] == ':' {
		switch text[n+1] {
		case 's', 'd', 'i':
			return Key{text[:n], Type(text[n+1])}
		case 'l':
			return Key{text[:n], Integer}
		}
	}
	return Key{Name: text}
}

// ParseKeys reads a list of keys.
func ParseKeys(texts []string) []Key {
	list := make([]Key, len(texts))
	for i, text := range texts {
		list[i] = ParseKey(text)
	}
	return list
}

// NotFound is the text of ecCodes' tools for a key that a message does not have.
const NotFound = "not_found"

// String returns a key as text. It knows file and the additional keys of [Field.Int].
func (f Field) String(key string) (string, error) {
	if n, ok := f.place(key); ok {
		return strconv.FormatInt(n, 10), nil
	}
	if key == "file" {
		return f.File, nil
	}
	return f.Handle.String(key)
}

// Int returns a key as an integer. In addition to the keys of the field it knows count, countTotal
// and offset, which say where the field is.
func (f Field) Int(key string) (int64, error) {
	if n, ok := f.place(key); ok {
		return n, nil
	}
	return f.Handle.Int(key)
}

// Float returns a key as a real number. It knows the additional keys of [Field.Int].
func (f Field) Float(key string) (float64, error) {
	if n, ok := f.place(key); ok {
		return float64(n), nil
	}
	return f.Handle.Float(key)
}

// NativeType returns the native type of a key. It knows the additional keys of [Field.Int].
func (f Field) NativeType(key string) (keys.Type, error) {
	if _, ok := f.place(key); ok {
		return keys.Long, nil
	}
	if key == "file" {
		return keys.String, nil
	}
	return f.Handle.NativeType(key)
}

func (f Field) place(key string) (n int64, ok bool) {
	switch key {
	case "count":
		return int64(f.Count), true
	case "countTotal":
		return int64(f.Total), true
	case "offset":
		return f.Offset(), true
	}
	return 0, false
}

// Text returns the value of a key as ecCodes' tools show it: MISSING for values coded as missing, reals in
// the given format. For an array it is the first element, followed by dots. The error wraps keys.ErrNotFound
// if the field does not have the key.
func (f Field) Text(key Key, format string) (string, error) {
	native, err := f.NativeType(key.Name)
	if err != nil {
		return "", err
	}
	if missing, err := f.IsMissing(key.Name); err == nil && missing {
		return "MISSING", nil
	}
	typ := key.Type
	if typ == Native {
		typ = typeOf(native)
	}
	if n, err := f.Size(key.Name); err == nil && n > 1 && native != keys.String && native != keys.Bytes {
		return f.first(key.Name, native)
	}
	switch typ {
	case Integer:
		n, err := f.Int(key.Name)
		return strconv.FormatInt(n, 10), err
	case Real:
		v, err := f.Float(key.Name)
		return FormatReal(format, v), err
	}
	return f.String(key.Name)
}

func typeOf(native keys.Type) Type {
	switch native {
	case keys.Long:
		return Integer
	case keys.Double:
		return Real
	}
	return Text
}

// first is the first element of an array.
func (f Field) first(key string, native keys.Type) (string, error) {
	if native == keys.Double {
		v, err := f.Floats(key)
		if err != nil || len(v) == 0 {
			return NotFound, err
		}
		return FormatReal("%.6g", v[0]) + "...", nil
	}
	v, err := f.Ints(key)
	if err != nil || len(v) == 0 {
		return NotFound, err
	}
	return strconv.FormatInt(v[0], 10) + "...", nil
}

// FormatReal formats a number as C does: with infinities and NaN in its spelling.
func FormatReal(format string, v float64) string {
	text := fmt.Sprintf(format, v)
	if v-v == 0 { // finite
		return text
	}
	return strings.NewReplacer("+Inf", "inf", "Inf", "inf", "NaN", "nan").Replace(text)
}

// IsNotFound reports whether an error says that a field does not have a key.
func IsNotFound(err error) bool { return errors.Is(err, keys.ErrNotFound) }

// Lookup gives the values of a field to the clauses of mapping.Clauses. The second result of
// its methods is false if the field has no such key, or not in this type.
type Lookup struct{ Field }

// Text returns a key as text.
func (l Lookup) Text(key string) (string, bool) {
	v, err := l.String(key)
	return v, err == nil
}

// Int returns a key as an integer.
func (l Lookup) Int(key string) (int64, bool) {
	v, err := l.Field.Int(key)
	return v, err == nil
}

// Real returns a key as a real number.
func (l Lookup) Real(key string) (float64, bool) {
	v, err := l.Float(key)
	return v, err == nil
}

// Value returns a key in its own type.
func (l Lookup) Value(key string) (any, bool) {
	v, err := l.Get(key)
	return v, err == nil
}

// Expand puts the values of keys in place of their names in brackets:
// out_[shortName]_[level:i].grib. A key that the field does not have is undef.
func (f Field) Expand(pattern string) (string, error) {
	var b strings.Builder
	for pattern != "" {
		text, rest, found := strings.Cut(pattern, "[")
		b.WriteString(text)
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "]")
		if !closed {
			return "", fmt.Errorf("%q has no ] after its [", pattern)
		}
		value, err := f.Text(ParseKey(name), "%.6g")
		switch {
		case IsNotFound(err):
			value = "undef"
		case err != nil:
			return "", err
		}
		b.WriteString(value)
		pattern = after
	}
	return b.String(), nil
}
