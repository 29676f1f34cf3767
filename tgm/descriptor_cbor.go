package tgm

import (
	"fmt"
	"maps"
	"math"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// The keys of a descriptor that are not parameters. On the wire they are in canonical order: ndim,
// type, dtype, masks, shape, filter, strides, encoding, byte_order, compression.
const (
	keyNDim        = "ndim"
	keyType        = "type"
	keyDType       = "dtype"
	keyMasks       = "masks"
	keyShape       = "shape"
	keyFilter      = "filter"
	keyStrides     = "strides"
	keyEncoding    = "encoding"
	keyByteOrder   = "byte_order"
	keyCompression = "compression"
)

// marshal returns the CBOR of the descriptor.
func (d *Descriptor) marshal() ([]byte, error) {
	m := make(map[string]any, len(d.Params)+10)
	maps.Copy(m, d.Params)
	if d.Encoding == nameSimplePacking {
		addOldPackingKeys(m)
	}
	m[keyNDim] = len(d.Shape)
	m[keyType] = d.Type
	m[keyDType] = d.DType.String()
	m[keyShape] = nonNil(d.Shape)
	m[keyFilter] = d.Filter
	m[keyStrides] = nonNil(d.Strides)
	m[keyEncoding] = d.Encoding
	m[keyByteOrder] = d.ByteOrder.String()
	m[keyCompression] = d.Compression
	delete(m, keyMasks)
	if d.Masks.Any() {
		masks := make(map[string]any, 3)
		for _, kind := range maskKinds {
			if info := *kind.of(&d.Masks); info != nil {
				masks[kind.name] = info.toMap()
			}
		}
		m[keyMasks] = masks
	}
	if coded, ok := plaincbor.Marshal(m); ok {
		return coded, nil
	}
	return modes.encode.Marshal(m)
}

// nonNil makes a scalar's shape an empty array rather than null.
func nonNil(s []uint64) []uint64 {
	if s == nil {
		return []uint64{}
	}
	return s
}

// toMap returns the entry as it is written; params only when there are any.
func (i *MaskInfo) toMap() map[string]any {
	m := map[string]any{"method": i.Method, "offset": i.Offset, "length": i.Length}
	if len(i.Params) > 0 {
		m["params"] = i.Params
	}
	return m
}

// parseDescriptor reads a descriptor from the front of b and returns the bytes it took. It does not
// check whether its fields agree with each other; check does.
func parseDescriptor(b []byte, at Location) (d *Descriptor, ndim uint64, size int, err error) {
	if d, ndim, size, ok := parsePlainDescriptor(b); ok {
		return d, ndim, size, nil
	}
	return parseAnyDescriptor(b, at)
}

// parseAnyDescriptor is parseDescriptor for any CBOR.
func parseAnyDescriptor(b []byte, at Location) (d *Descriptor, ndim uint64, size int, err error) {
	m, rest, err := decodeMap(modes.decodeDup, b)
	if err != nil {
		return nil, 0, 0, metadataError("descriptor_cbor_parse_failed", at, err, "descriptor")
	}
	f := fields{m: m}
	d = &Descriptor{
		Type:        f.text(keyType),
		Shape:       f.uints(keyShape),
		Strides:     f.uints(keyStrides),
		Encoding:    f.text(keyEncoding),
		Filter:      f.text(keyFilter),
		Compression: f.text(keyCompression),
	}
	ndim = f.uint(keyNDim)
	d.DType = f.dtype()
	d.ByteOrder = f.byteOrder()
	d.Masks = f.masks()
	if f.err != nil {
		return nil, 0, 0, metadataError("descriptor_cbor_parse_failed", at, f.err, "descriptor")
	}
	if d.Encoding == nameSimplePacking {
		dropOldPackingKeys(m)
	}
	d.Params = m
	return d, ndim, len(b) - len(rest), nil
}

// check reports fields that contradict each other. payload is the length of the payload region.
func (d *Descriptor) check(ndim uint64, payload int64, at Location) error {
	switch {
	case ndim != uint64(len(d.Shape)):
		return metadataError("ndim_shape_mismatch", at, nil, "ndim is %d, shape has %d axes", ndim, len(d.Shape))
	case len(d.Strides) != len(d.Shape):
		return metadataError("strides_shape_mismatch", at, nil, "%d strides, shape has %d axes", len(d.Strides), len(d.Shape))
	case d.Type == "":
		return metadataError("empty_obj_type", at, nil, "type is empty")
	}
	if _, ok := d.DecodedSize(); !ok {
		return metadataError("shape_overflow", at, nil, "shape %v of %s is more than can be counted", d.Shape, d.DType)
	}
	for _, kind := range maskKinds {
		info := *kind.of(&d.Masks)
		if info != nil && (info.Offset > uint64(payload) || info.Length > uint64(payload)-info.Offset) {
			return metadataError("descriptor_cbor_parse_failed", at, nil,
				"mask %s is bytes %d to %d of a payload of %d", kind.name, info.Offset, info.Offset+info.Length, payload)
		}
	}
	return nil
}

// fields takes typed values out of a decoded map, removing them, and keeps the first error.
type fields struct {
	m   map[string]any
	err error
}

func (f *fields) take(key string) (any, bool) {
	v, ok := f.m[key]
	delete(f.m, key)
	return v, ok
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

func (f *fields) text(key string) string {
	v, ok := f.take(key)
	s, isText := v.(string)
	switch {
	case !ok:
		f.fail("key %s is missing", key)
	case !isText:
		f.fail("key %s is %s, expected text", key, cborKind(v))
	}
	return s
}

func (f *fields) uint(key string) uint64 {
	v, ok := f.take(key)
	if !ok {
		f.fail("key %s is missing", key)
		return 0
	}
	n, err := asUint(v)
	if err != nil {
		f.fail("key %s: %w", key, err)
	}
	return n
}

func (f *fields) uints(key string) []uint64 {
	v, ok := f.take(key)
	if !ok {
		f.fail("key %s is missing", key)
		return nil
	}
	list, err := asUints(v)
	if err != nil {
		f.fail("key %s: %w", key, err)
	}
	return list
}

func (f *fields) dtype() DType {
	d, err := ParseDType(f.text(keyDType))
	if err != nil {
		f.fail("key %s: %w", keyDType, err)
	}
	return d
}

// byteOrder accepts a descriptor without the key. That means the writer's own order, which
// is little-endian in every known file.
func (f *fields) byteOrder() ByteOrder {
	v, ok := f.take(keyByteOrder)
	switch {
	case !ok, v == "little":
	case v == "big":
		return BigEndian
	default:
		f.fail("key %s is %v, expected little or big", keyByteOrder, v)
	}
	return LittleEndian
}

func (f *fields) masks() (m Masks) {
	v, ok := f.take(keyMasks)
	if !ok {
		return m
	}
	entries, ok := v.(map[string]any)
	if !ok {
		f.fail("key %s is %s, expected a map", keyMasks, cborKind(v))
		return m
	}
	for name, v := range entries {
		kind, known := maskKindNamed(name)
		entry, isMap := v.(map[string]any)
		if !known || !isMap {
			f.fail("mask %q is unknown or not a map", name)
			continue
		}
		sub := fields{m: entry}
		info := &MaskInfo{Method: sub.text("method"), Offset: sub.uint("offset"), Length: sub.uint("length")}
		if params, ok := sub.take("params"); ok {
			if info.Params, ok = params.(map[string]any); !ok {
				sub.fail("params is %s, expected a map", cborKind(params))
			}
		}
		if sub.err != nil {
			f.fail("mask %s: %w", name, sub.err)
		}
		*kind.of(&m) = info
	}
	return m
}

func asUint(v any) (uint64, error) {
	switch v := v.(type) {
	case int64:
		if v >= 0 {
			return uint64(v), nil
		}
	case uint64:
		return v, nil
	}
	return 0, fmt.Errorf("found %v, expected an unsigned integer", v)
}

func asUints(v any) ([]uint64, error) {
	switch list := v.(type) {
	case []uint64:
		return list, nil
	case []any:
		out := make([]uint64, len(list))
		for i, item := range list {
			n, err := asUint(item)
			if err != nil {
				return nil, fmt.Errorf("[%d]: %w", i, err)
			}
			out[i] = n
		}
		return out, nil
	}
	return nil, fmt.Errorf("found %s, expected an array of unsigned integers", cborKind(v))
}

// intParam returns an integer parameter; ok is false if the descriptor has none of that name.
func (d *Descriptor) intParam(key string) (n int64, ok bool, err error) {
	switch v := d.Params[key].(type) {
	case nil:
		_, present := d.Params[key]
		if present {
			return 0, true, fmt.Errorf("%s is null, expected an integer", key)
		}
		return 0, false, nil
	case int64:
		return v, true, nil
	case int:
		return int64(v), true, nil
	case uint64:
		return 0, true, fmt.Errorf("%s is %d, which is out of range", key, v)
	default:
		return 0, true, fmt.Errorf("%s is %s, expected an integer", key, cborKind(v))
	}
}

// floatParam returns a parameter that is a float, or an integer a float64 holds exactly.
func (d *Descriptor) floatParam(key string) (x float64, ok bool, err error) {
	switch v := d.Params[key].(type) {
	case float64:
		return v, true, nil
	case int64:
		if v >= -1<<53 && v <= 1<<53 {
			return float64(v), true, nil
		}
		return 0, true, fmt.Errorf("%s is %d, which no float64 holds", key, v)
	case nil:
		return 0, false, nil
	default:
		return 0, true, fmt.Errorf("%s is %s, expected a number", key, cborKind(v))
	}
}

// number returns a required parameter that is a float or an integer.
func (d *Descriptor) number(key string) (float64, error) {
	x, ok, err := d.floatParam(key)
	if err == nil && !ok {
		err = missingParam(key)
	}
	return x, err
}

// intRange returns a required integer parameter in [lo, hi].
func (d *Descriptor) intRange(key string, lo, hi int64) (int, error) {
	n, ok, err := d.intParam(key)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 0, fmt.Errorf("%s is missing", key)
	case n < lo || n > hi || n > math.MaxInt:
		return 0, fmt.Errorf("%s is %d, expected %d to %d", key, n, lo, hi)
	}
	return int(n), nil
}
