package mapping

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// signed has the integer types that widen to int64, unsigned the types that widen to uint64.
type signed interface{ ~int8 | ~int16 | ~int32 | ~int }
type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint
}

// widen brings a value to one of the types the package comment lists.
func widen(value any) (any, error) {
	switch v := value.(type) {
	case nil, string, bool, int64, uint64, float64, []byte, []string, []int64, []uint64, []float64, map[string]any, []any:
		return v, nil
	case int:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case uint8:
		return uint64(v), nil
	case uint16:
		return uint64(v), nil
	case uint32:
		return uint64(v), nil
	case uint:
		return uint64(v), nil
	case float32:
		return float64(v), nil
	case []int8:
		return widenSigned(v), nil
	case []int16:
		return widenSigned(v), nil
	case []int32:
		return widenSigned(v), nil
	case []int:
		return widenSigned(v), nil
	case []uint16:
		return widenUnsigned(v), nil
	case []uint32:
		return widenUnsigned(v), nil
	case []float32:
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = float64(x)
		}
		return out, nil
	}
	return nil, fmt.Errorf("value of type %T cannot be metadata", value)
}

func widenSigned[T signed](v []T) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

func widenUnsigned[T unsigned](v []T) []uint64 {
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = uint64(x)
	}
	return out
}

// Int returns v as an integer if int64 can hold it.
func Int(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case uint64:
		return int64(x), x <= math.MaxInt64
	}
	return 0, false
}

// Float returns v as a float64 if it is a number.
func Float(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	case uint64:
		return float64(x), true
	}
	return 0, false
}

// Decoded returns a value in the types that a message gives when it is read. Lists are []any,
// integers are int64 where they fit. Maps and lists are copied.
func Decoded(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = Decoded(item)
		}
		return out
	case []any:
		return list(v, Decoded)
	case []string:
		return list(v, func(s string) any { return s })
	case []int64:
		return list(v, func(n int64) any { return n })
	case []uint64:
		return list(v, func(n uint64) any { return Decoded(n) })
	case []float64:
		return list(v, func(x float64) any { return x })
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v)
		}
	case []byte:
		return slices.Clone(v)
	}
	return v
}

func list[T any](in []T, one func(T) any) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = one(v)
	}
	return out
}

// cborMode encodes as in messages: core deterministic (RFC 8949 section 4.2.1).
var cborMode = sync.OnceValues(func() (cbor.EncMode, error) { return cbor.CoreDetEncOptions().EncMode() })

// MarshalCBOR returns the CBOR of a value as messages have it.
func MarshalCBOR(v any) ([]byte, error) {
	if coded, ok := plaincbor.Marshal(v); ok {
		return coded, nil
	}
	mode, err := cborMode()
	if err != nil {
		return nil, err
	}
	return mode.Marshal(v)
}
