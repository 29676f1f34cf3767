package hdf5

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Member returns one member of the compound elements of d as a dataset of its own. It has the same
// shape, and its elements are the fields that the path of names leads to. Arrays on the way stay
// arrays: a field x of an array of three compounds is an array of three x.
func (d *Dataset) Member(path ...string) (*Dataset, error) {
	if d.whole != nil {
		return d.whole.Member(slices.Concat(d.path, path)...)
	}
	t, extract, err := member(d.Type, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.what, err)
	}
	return &Dataset{Space: d.Space, Type: t, Layout: d.Layout, Chunk: d.Chunk, Index: d.Index, Filters: d.Filters,
		Fill: d.Fill, f: d.f, what: d.what + ", member " + strings.Join(path, "/"), layout: d.layout,
		pipeline: d.pipeline, external: d.external, depth: d.depth, whole: d, path: path, extract: extract}, nil
}

// memberConversion is the conversion from whole elements to the native form of the member.
// It takes the conversion of the member alone.
func (d *Dataset) memberConversion(conv conversion) conversion {
	size, extract := d.Type.Size, d.extract
	whole := conversion{in: d.whole.Type.Size, out: conv.out, each: func(dst, src []byte) {
		extract(dst, src)
		wire.Swap(dst[:size], conv.swap)
	}}
	if conv.each != nil {
		whole.each = func(dst, src []byte) {
			element := make([]byte, size)
			extract(element, src)
			conv.each(dst, element)
		}
	}
	return whole
}

// member returns the type that a path within t leads to. The function copies it out of an element.
func member(t *Datatype, path []string) (*Datatype, func(dst, src []byte), error) {
	if len(path) == 0 {
		return t, func(dst, src []byte) { copy(dst[:t.Size], src) }, nil
	}
	if t.Class == Array {
		inner, extract, err := member(t.Base, path)
		if err != nil {
			return nil, nil, err
		}
		n := t.Size / t.Base.Size
		whole := &Datatype{Class: Array, Size: n * inner.Size, Base: inner, Dims: t.Dims, Committed: undefined}
		return whole, func(dst, src []byte) {
			for i := range n {
				extract(dst[i*inner.Size:], src[i*t.Base.Size:])
			}
		}, nil
	}
	for _, f := range t.fields() {
		if f.Name != path[0] {
			continue
		}
		inner, extract, err := member(f.Type, path[1:])
		return inner, func(dst, src []byte) { extract(dst, src[f.Offset:]) }, err
	}
	return nil, nil, wire.Errorf("datatype", -1, "a %s has no member %s", t.Class, path[0])
}
