package tgm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/fxamacker/cbor/v2"
)

// The CBOR of a message is core deterministic (RFC 8949 section 4.2.1). It has definite lengths,
// shortest integers, the shortest float that keeps the value, and map keys in bytewise order of
// their encoding. Reading is lenient: any well-formed CBOR is accepted.

// maxNesting bounds the depth of CBOR items, as in the reference implementation.
const maxNesting = 256

// cborModes are the encoder and decoder settings; they are immutable.
type cborModes struct {
	encode    cbor.EncMode // for writing
	reencode  cbor.EncMode // for checking canonicity: keeps NaN payloads
	decode    cbor.DecMode // the last of duplicate keys wins
	decodeDup cbor.DecMode // duplicate keys are an error
}

var modes = mustModes()

func mustModes() cborModes {
	enc := cbor.CoreDetEncOptions()
	re := enc
	re.NaNConvert = cbor.NaNConvertPreserveSignal
	dec := cbor.DecOptions{
		MaxNestedLevels:  maxNesting,
		MaxArrayElements: math.MaxInt32,
		MaxMapPairs:      math.MaxInt32,
		TimeTagToAny:     cbor.TimeTagToRFC3339Nano,
		BignumTag:        cbor.BignumTagAllowed,
	}
	dup := dec
	dup.DupMapKey = cbor.DupMapKeyEnforcedAPF
	var m cborModes
	var errs [4]error
	m.encode, errs[0] = enc.EncMode()
	m.reencode, errs[1] = re.EncMode()
	m.decode, errs[2] = dec.DecMode()
	m.decodeDup, errs[3] = dup.DecMode()
	for _, err := range errs {
		if err != nil {
			panic("tgm: CBOR settings contradict each other: " + err.Error())
		}
	}
	return m
}

// decodeMap reads the first CBOR item of b, a map with text keys, and returns the bytes after it.
func decodeMap(mode cbor.DecMode, b []byte) (map[string]any, []byte, error) {
	if v, n, ok := decodePlain(b); ok {
		if m, ok := v.(map[string]any); ok {
			return m, b[n:], nil
		}
	}
	var v any
	rest, err := mode.UnmarshalFirst(b, &v)
	if err != nil {
		return nil, nil, err
	}
	m, ok := v.(map[any]any)
	if !ok {
		return nil, nil, fmt.Errorf("found %s, expected a map", cborKind(v))
	}
	out, err := textKeys(m)
	return out, rest, err
}

// decodeValue decodes an item.
func decodeValue(b []byte) (any, error) {
	if v, n, ok := decodePlain(b); ok && n == len(b) {
		return v, nil
	}
	return decodeAny(b)
}

// decodeAny decodes any item.
func decodeAny(b []byte) (any, error) {
	var v any
	if err := modes.decode.Unmarshal(b, &v); err != nil {
		return nil, err
	}
	return fromCBOR(v)
}

// fromCBOR turns a value of the CBOR library into the value types that Metadata documents.
func fromCBOR(v any) (any, error) {
	switch v := v.(type) {
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v), nil
		}
		return v, nil
	case []any:
		for i := range v {
			item, err := fromCBOR(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = item
		}
		return v, nil
	case map[any]any:
		return anyKeys(v)
	case cbor.Tag:
		content, err := fromCBOR(v.Content)
		if err != nil || v.Number == selfDescribedTag {
			return content, err
		}
		return Tag{v.Number, content}, nil
	case big.Int:
		return fromBignum(&v), nil
	case cbor.SimpleValue:
		return nil, fmt.Errorf("simple value %d has no meaning", v)
	case cbor.ByteString:
		return []byte(v), nil
	}
	return v, nil
}

// maxBignum bounds the bits of integers that are shown as numbers; larger integers take
// long to convert.
const maxBignum = 4096

// fromBignum returns an integer as int64 or uint64 if it fits, as a float64 if exact, else as
// decimal text. Integers of more than maxBignum bits stay a tag.
func fromBignum(v *big.Int) any {
	switch {
	case v.IsInt64():
		return v.Int64()
	case v.IsUint64():
		return v.Uint64()
	case v.BitLen() > maxBignum && v.Sign() > 0:
		return Tag{bignumTag, v.Bytes()}
	case v.BitLen() > maxBignum:
		return Tag{negativeBignumTag, new(big.Int).Not(v).Bytes()}
	}
	f, _ := new(big.Float).SetInt(v).Float64()
	if back, acc := big.NewFloat(f).Int(nil); !math.IsInf(f, 0) && acc == big.Exact && back.Cmp(v) == 0 {
		return f
	}
	return v.String()
}

// The tags of integers that take more than eight bytes.
const (
	bignumTag         = 2
	negativeBignumTag = 3
)

// Tag is a metadata value with a CBOR tag that has no meaning here, such as 32 of a URI.
type Tag struct {
	Number  uint64
	Content any
}

// MarshalJSON returns an object with the members tag and value.
func (t Tag) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"tag": t.Number, "value": t.Content})
}

// anyKeys returns a map whose keys may be anything. Keys that are not text become their text in
// the diagnostic notation of RFC 8949.
func anyKeys(m map[any]any) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for k, v := range m {
		name, err := keyText(k)
		if err != nil {
			return nil, err
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("two keys of a map read %q", name)
		}
		if out[name], err = fromCBOR(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func keyText(k any) (string, error) {
	switch k := k.(type) {
	case string:
		return k, nil
	case uint64, int64, bool:
		return fmt.Sprint(k), nil
	case float64:
		return strconv.FormatFloat(k, 'g', -1, 64), nil
	case cbor.ByteString:
		return fmt.Sprintf("h'%x'", string(k)), nil
	case nil:
		return "null", nil
	case big.Int:
		if k.BitLen() <= maxBignum {
			return k.String(), nil
		}
	}
	return "", fmt.Errorf("map key is %s, expected text or a number", cborKind(k))
}

func textKeys(m map[any]any) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for k, v := range m {
		name, ok := k.(string)
		if !ok {
			return nil, fmt.Errorf("map key %v is %s, expected text", k, cborKind(k))
		}
		value, err := fromCBOR(v)
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}

// cborKind names the type of a decoded item for error messages.
func cborKind(v any) string {
	switch v.(type) {
	case string:
		return "text"
	case int64, uint64, big.Int:
		return "an integer"
	case float64, float32:
		return "a float"
	case bool:
		return "a boolean"
	case []byte, cbor.ByteString:
		return "a byte string"
	case []any:
		return "an array"
	case map[any]any, map[string]any:
		return "a map"
	case nil:
		return "null"
	}
	return fmt.Sprintf("%T", v)
}

// toCBOR returns the value in a form that every reader accepts, or an error for types without such
// a form. Integers above 2^63-1 become a float if that is exact and else decimal text, because the
// reference implementation's Python reader rejects a whole message for one such integer. Text that
// is not UTF-8 becomes a byte string.
func toCBOR(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64, []byte, []int64, []float64:
		return v, nil
	case string:
		return textToCBOR(v), nil
	case uint64:
		return uintToCBOR(v), nil
	case int:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int8:
		return int64(v), nil
	case uint:
		return uintToCBOR(uint64(v)), nil
	case uint32:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint8:
		return int64(v), nil
	case float32:
		return float64(v), nil
	case []string:
		return listToCBOR(v)
	case []any:
		return listToCBOR(v)
	case []uint64:
		return listToCBOR(v)
	case []int:
		return listToCBOR(v)
	case []map[string]any:
		return listToCBOR(v)
	case map[string]any:
		return mapToCBOR(v)
	case Tag:
		content, err := toCBOR(v.Content)
		return cbor.Tag{Number: v.Number, Content: content}, err
	}
	return nil, fmt.Errorf("type %T has no place in metadata", v)
}

func textToCBOR(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return []byte(s)
}

func uintToCBOR(v uint64) any {
	if v <= math.MaxInt64 {
		return int64(v)
	}
	// The conversion back is only defined below 2^64.
	if f := float64(v); f < 1<<64 && uint64(f) == v {
		return f
	}
	return strconv.FormatUint(v, 10)
}

func listToCBOR[T any](list []T) (any, error) {
	out := make([]any, len(list))
	for i, item := range list {
		v, err := toCBOR(item)
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		out[i] = v
	}
	return out, nil
}

func mapToCBOR(m map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if !utf8.ValidString(k) {
			return nil, fmt.Errorf("key %q is not UTF-8", k)
		}
		value, err := toCBOR(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
		out[k] = value
	}
	return out, nil
}

// isCanonical reports whether decoding b and encoding the result gives b again.
func isCanonical(b []byte) bool {
	var v any
	if modes.decode.Unmarshal(b, &v) != nil {
		return false
	}
	again, err := modes.reencode.Marshal(v)
	return err == nil && bytes.Equal(b, again)
}
