package show

import (
	"fmt"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/tgm"
)

// Object returns the descriptor of an object as data: one map of its fields and parameters, as on
// the wire.
func Object(o catalog.Object) map[string]any {
	d := o.Descriptor()
	object := make(map[string]any, len(d.Params)+14)
	for key, value := range d.Params {
		object[key] = value
	}
	for key, value := range map[string]any{
		"object": o.Index(), "type": d.Type, "dtype": d.DType.String(), "shape": d.Shape, "strides": d.Strides,
		"byte_order": d.ByteOrder.String(), "encoding": d.Encoding, "filter": d.Filter,
		"compression": d.Compression, "offset": o.Offset(), "length": o.Length(),
	} {
		object[key] = value
	}
	if hash, ok := o.Hash(); ok {
		object["hash"] = fmt.Sprintf("%016x", hash)
	}
	masks := map[string]any{}
	for _, m := range Masks(d) {
		masks[m.Kind] = map[string]any{"method": m.Method, "offset": m.Offset, "length": m.Length, "params": OrEmpty(m.Params)}
	}
	if len(masks) > 0 {
		object["masks"] = masks
	}
	return object
}

// Message returns a message as data: base and objects are [Base] and [Object] of its shown objects.
func Message(m *catalog.Message, base, objects []any) map[string]any {
	return map[string]any{
		"file": m.File, "format": string(importers.FormatTensogram), "message": m.Index(), "offset": m.Offset(), "length": m.Length(),
		"version": catalog.WireVersion, "base": base, "extra": OrEmpty(m.Shared.Extra),
		"reserved": OrEmpty(m.Shared.Reserved), "objects": objects,
	}
}

// A Mask is a mask with the kind of values it marks: nan, inf+ or inf-.
type Mask struct {
	Kind string
	*tgm.MaskInfo
}

// Masks lists the masks of an object.
func Masks(d *tgm.Descriptor) []Mask {
	var list []Mask
	for _, m := range []Mask{{"nan", d.Masks.NaN}, {"inf+", d.Masks.PosInf}, {"inf-", d.Masks.NegInf}} {
		if m.MaskInfo != nil {
			list = append(list, m)
		}
	}
	return list
}

// Params returns the parameters of a descriptor; a long list is replaced by a text with its length.
func Params(d *tgm.Descriptor) map[string]any {
	params := make(map[string]any, len(d.Params))
	for key, value := range d.Params {
		if list, ok := value.([]any); ok && len(list) > 16 {
			value = fmt.Sprintf("%d values", len(list))
		}
		params[key] = value
	}
	return params
}

// Base returns the base entry of an object, or of it only the given keys, if there are any.
func Base(o catalog.Object, keys []string) map[string]any {
	if len(keys) == 0 {
		return o.Base()
	}
	return Values(o.Value, keys)
}

// Values returns the values of the keys that a look-up has.
func Values(lookup func(key string) (any, bool), keys []string) map[string]any {
	values := make(map[string]any, len(keys))
	for _, key := range keys {
		if value, ok := lookup(key); ok {
			values[key] = value
		}
	}
	return values
}

// OrEmpty is the map, never nil, so that JSON has {}.
func OrEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
