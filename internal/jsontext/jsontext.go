// Package jsontext writes metadata as JSON text, the same bytes for the same value.
//
// Documents of Zarr, references, and the command's --json are made of it. It differs from encoding/json in
// the order of keys, in floats that stay floats, and in numbers that JSON cannot represent.
package jsontext

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Append appends the JSON text of v to dst, the same bytes for the same value every time:
// compact, object keys sorted bytewise, integers in full, floats in the shortest form that reads
// back to the same value and with a point or an exponent so that they stay floats. Numbers that
// JSON cannot represent are written as the Zarr specification and the reference do: "NaN",
// "Infinity" and "-Infinity" as strings. Byte strings become base64 text.
//
// v is made of nil, bool, string, []byte, Go's integer and float types, json.Number,
// json.RawMessage, *big.Int, and slices and string-keyed maps of these, as CBOR metadata decodes
// to; another type is an error.
func Append(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendString(dst, v), nil
	case []byte:
		return appendString(dst, base64.StdEncoding.EncodeToString(v)), nil
	case float64:
		return appendFloat(dst, v, 64), nil
	case float32:
		return appendFloat(dst, float64(v), 32), nil
	case json.Number:
		return append(dst, v...), nil
	case json.RawMessage:
		return append(dst, v...), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case json.Marshaler: // a tagged value of CBOR
		data, err := v.MarshalJSON()
		return append(dst, data...), err
	case map[string]any:
		return appendObject(dst, v)
	case []any:
		return appendArray(dst, v, Append)
	}
	return appendTyped(dst, v)
}

// appendTyped appends integers and slices of one element type.
func appendTyped(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int8:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int16:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int32:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint8:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint16:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint32:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case []string:
		return appendArray(dst, v, func(dst []byte, s string) ([]byte, error) { return appendString(dst, s), nil })
	case []int:
		return appendArray(dst, v, appendAny)
	case []int64:
		return appendArray(dst, v, appendAny)
	case []uint64:
		return appendArray(dst, v, appendAny)
	case []float64:
		return appendArray(dst, v, appendAny)
	case []bool:
		return appendArray(dst, v, appendAny)
	case []map[string]any:
		return appendArray(dst, v, appendObject)
	}
	return dst, fmt.Errorf("no JSON form for a value of type %T", v)
}

func appendAny[T any](dst []byte, v T) ([]byte, error) { return Append(dst, v) }

func appendArray[T any](dst []byte, elements []T, appendElement func([]byte, T) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendElement(dst, e); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, object map[string]any) ([]byte, error) {
	dst = append(dst, '{')
	for i, key := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, key), ':')
		var err error
		if dst, err = Append(dst, object[key]); err != nil {
			return dst, fmt.Errorf("%q: %w", key, err)
		}
	}
	return append(dst, '}'), nil
}

// appendFloat appends f as a JSON number that is recognisably a float.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if format == 'f' && !slices.Contains(dst[start:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string; bytes that are not UTF-8 become the replacement
// character.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		plain := i
		for plain < len(s) && isPlain(s[plain]) {
			plain++
		}
		dst = append(dst, s[i:plain]...)
		if i = plain; i == len(s) {
			break
		}
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendEscaped(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return append(dst, '"')
}

// isPlain reports whether an octet stands for itself in a JSON string.
func isPlain(c byte) bool { return ' ' <= c && c < 0x7f && c != '"' && c != '\\' }

// appendEscaped appends an ASCII character that is not plain.
func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
