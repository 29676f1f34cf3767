// Package plaincbor encodes plain metadata as core deterministic CBOR (RFC 8949 section 4.2.1). The bytes are the same as the
// CBOR library gives with its options for it, in a fraction of the time. All else is left to that library.
package plaincbor

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/half"
)

// Marshal returns the CBOR of a value. The result ok is false for a value that is not plain, or has parts that are not. Plain
// are booleans, signed integers, uint64 below 2^63, float64, UTF-8 text, byte strings, lists of these, and maps of them with
// UTF-8 keys.
func Marshal(v any) (coded []byte, ok bool) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.b = e.b[:0]
	if !e.value(v, 0) {
		return nil, false
	}
	return bytes.Clone(e.b), true
}

// MarshalUnion is Marshal for the union of two maps that have no key in common.
func MarshalUnion(m, n map[string]any) (coded []byte, ok bool) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.b = e.b[:0]
	if !e.dict(m, n, 0) {
		return nil, false
	}
	return bytes.Clone(e.b), true
}

// An encoder has memory for the next value.
type encoder struct {
	b     []byte
	pairs []pair // of maps that are being encoded, an outer map before an inner one
}

type pair struct {
	key   string
	value any
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// maxDepth bounds the nesting of plain values.
const maxDepth = 64

// Major types of CBOR items.
const (
	majorUint = iota
	majorNegative
	majorBytes
	majorText
	majorArray
	majorMap
	_ // tags
	majorSimple
)

const (
	simpleFalse = majorSimple<<5 | 20
	simpleTrue  = majorSimple<<5 | 21
	simpleNull  = majorSimple<<5 | 22
	float16     = majorSimple<<5 | 25
	float32Head = majorSimple<<5 | 26
	float64Head = majorSimple<<5 | 27
)

// value appends a value and reports whether it is plain.
func (e *encoder) value(v any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := v.(type) {
	case nil:
		e.b = append(e.b, simpleNull)
	case bool:
		if v {
			e.b = append(e.b, simpleTrue)
		} else {
			e.b = append(e.b, simpleFalse)
		}
	case int:
		e.int(int64(v))
	case int64:
		e.int(v)
	case uint64:
		return e.uint(v)
	case float64:
		e.float(v)
	case string:
		return e.text(v)
	case []byte:
		e.head(majorBytes, uint64(len(v)))
		e.b = append(e.b, v...)
		return v != nil
	case map[string]any:
		return v != nil && e.dict(v, nil, depth)
	case []any:
		return list(e, v, func(item any) bool { return e.value(item, depth+1) })
	case []string:
		return list(e, v, e.text)
	case []uint64:
		return list(e, v, e.uint)
	case []int64:
		return list(e, v, func(n int64) bool { e.int(n); return true })
	case []int:
		return list(e, v, func(n int) bool { e.int(int64(n)); return true })
	case []float64:
		return list(e, v, func(f float64) bool { e.float(f); return true })
	default:
		return false
	}
	return true
}

func (e *encoder) head(major byte, n uint64) { e.b = AppendHead(e.b, major, n) }

// AppendHead appends the shortest head of an item of a major type, 0 to 7.
func AppendHead(dst []byte, major byte, n uint64) []byte {
	major <<= 5
	switch {
	case n < 24:
		return append(dst, major|byte(n))
	case n <= math.MaxUint8:
		return append(dst, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(dst, major|27), n)
}

func (e *encoder) int(n int64) {
	if n < 0 {
		e.head(majorNegative, uint64(-1-n))
	} else {
		e.head(majorUint, uint64(n))
	}
}

func (e *encoder) uint(n uint64) bool {
	e.head(majorUint, n)
	return n <= math.MaxInt64
}

// float appends the shortest float that is the same number.
func (e *encoder) float(f float64) {
	single := float32(f)
	switch short := half.Bits(f); {
	case math.IsNaN(f):
		e.b = append(e.b, float16, 0x7E, 0)
	case half.Float64(short) == f:
		e.b = binary.BigEndian.AppendUint16(append(e.b, float16), short)
	case float64(single) == f:
		e.b = binary.BigEndian.AppendUint32(append(e.b, float32Head), math.Float32bits(single))
	default:
		e.b = binary.BigEndian.AppendUint64(append(e.b, float64Head), math.Float64bits(f))
	}
}

func (e *encoder) text(s string) bool {
	e.head(majorText, uint64(len(s)))
	e.b = append(e.b, s...)
	return utf8.ValidString(s)
}

func list[T any](e *encoder, items []T, add func(T) bool) bool {
	if items == nil {
		return false // the library has null there
	}
	e.head(majorArray, uint64(len(items)))
	for _, item := range items {
		if !add(item) {
			return false
		}
	}
	return true
}

// dict appends a map, the union of two. Its keys are in the order of their encodings: the shorter first.
func (e *encoder) dict(m, n map[string]any, depth int) bool {
	first := len(e.pairs)
	defer func() { e.pairs = slices.Delete(e.pairs, first, len(e.pairs)) }()
	for _, part := range []map[string]any{m, n} {
		for key, value := range part {
			e.pairs = append(e.pairs, pair{key, value})
		}
	}
	slices.SortFunc(e.pairs[first:], func(a, b pair) int {
		return cmp.Or(cmp.Compare(len(a.key), len(b.key)), strings.Compare(a.key, b.key))
	})
	end := len(e.pairs)
	e.head(majorMap, uint64(end-first))
	for i := first; i < end; i++ {
		p := e.pairs[i]
		if !e.text(p.key) || !e.value(p.value, depth+1) {
			return false
		}
	}
	return true
}
