package fromtet

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// dtypes are the element types of messages, by the types of the file.
var dtypes = map[tet.DType]tgm.DType{
	tet.Float16: tgm.Float16, tet.Float32: tgm.Float32, tet.Float64: tgm.Float64,
	tet.Int16: tgm.Int16, tet.Int32: tgm.Int32, tet.Int64: tgm.Int64,
	tet.Uint8: tgm.Uint8, tet.Uint16: tgm.Uint16, tet.Uint32: tgm.Uint32, tet.Uint64: tgm.Uint64,
}

// field describes a dataset, or one chunk of it.
func (s *Source) field(f *tet.File, d *tet.Dataset, c *tet.Chunk, p *importers.Part) (*importers.Field, error) {
	start, shape := make([]int64, len(d.Shape)), make([]int64, len(d.Shape))
	for axis, n := range d.Shape {
		shape[axis] = int64(n)
	}
	if c != nil {
		start, shape = c.Start, c.Shape
	}
	ints := make([]int, len(shape))
	for axis, n := range shape {
		if n > math.MaxInt/64 {
			return nil, fmt.Errorf("axis %d has %d positions, more than memory can address", axis, n)
		}
		ints[axis] = int(n)
	}
	field := &importers.Field{
		Name: d.Name, Group: p.Group, Where: p.Where(), Dims: d.DimNames(), Shape: ints, DType: dtypes[d.DType],
		Attrs: new(mapping.Attributes), Compressed: compressed(d), Source: s.sourceOf(p.Input),
		Values: &values{source: s, part: *p, shape: ints, dtype: d.DType, chunk: d.ChunkShape, fills: fills(d)},
	}
	described := describe(f, d, c)
	field.Namespaces = []mapping.Namespace{{Key: mapping.KeyTet, Vocabulary: func(*mapping.Attributes) (map[string]any, error) {
		return described.Map(), nil
	}}}
	for axis, name := range d.DimNames() {
		if labels := labelsOf(d, axis, start[axis], shape[axis]); labels != nil {
			if coord := coordinate(name, labels); coord != nil && !isDataset(f, name) {
				field.Coords = append(field.Coords, coord)
			}
		}
	}
	return field, nil
}

// isDataset reports whether an axis has a dataset of its name, which is its coordinate.
func isDataset(f *tet.File, name string) bool {
	_, ok := f.Dataset(name)
	return ok
}

// compressed reports whether most of the chunks are.
func compressed(d *tet.Dataset) bool {
	n := int64(0)
	for c := range d.Chunks() {
		if c.Codec == tet.Zstd {
			n++
		}
	}
	return 2*n > d.NumChunks()
}

// describe makes base[i].tet.
func describe(f *tet.File, d *tet.Dataset, c *tet.Chunk) *mapping.Tet {
	meta := d.Metadata()
	t := &mapping.Tet{Attributes: meta.Attrs, Chunks: d.ChunkShape, Codec: tet.Raw.String(), Coords: map[string][]string{}}
	if compressed(d) {
		t.Codec = tet.Zstd.String()
	}
	for axis, coord := range meta.Coords {
		t.Coords[axis] = coord.Labels
	}
	if file := f.Metadata().File; file != nil {
		t.File = map[string]string{}
		for key, value := range map[string]string{"tool": file.Tool, "library_version": file.LibraryVersion, "created_at": file.CreatedAt} {
			if value != "" {
				t.File[key] = value
			}
		}
	}
	for _, e := range f.History() {
		t.History = append(t.History, mapping.TetEvent{
			Op: e.Op, Source: e.Source, At: e.At, Parents: e.Parents, Params: e.Params,
			Agent: some(e.Agent), Activity: some(e.Activity), Entity: some(e.Entity),
		})
	}
	if c != nil {
		t.Shape = d.Shape
		for _, n := range c.Start {
			t.Start = append(t.Start, uint64(n))
		}
	}
	return t
}

func some(text *string) mapping.Opt[string] {
	if text == nil {
		return mapping.Opt[string]{}
	}
	return mapping.Some(*text)
}

// labelsOf are the labels of n positions of an axis, nil unless each has one.
func labelsOf(d *tet.Dataset, axis int, start, n int64) []string {
	labels := d.Labels(axis)
	if int64(len(labels)) < start+n {
		return nil
	}
	return labels[start : start+n]
}

// coordinate makes a coordinate of labels that are all numbers, or all times; else nil.
func coordinate(name string, labels []string) *importers.Coord {
	c := &importers.Coord{
		Key: "tet\x00" + name + "\x00" + strings.Join(labels, "\x00"), Name: name, Dims: []string{name}, Shape: []int{len(labels)}, Axis: true,
	}
	values, units, ok := mapping.LabelValues(labels)
	if !ok {
		return nil
	}
	if units != "" {
		c.StandardName, c.Units = "time", units
	}
	c.Values = func() ([]float64, error) { return slices.Clone(values), nil }
	return c
}

// fills are the elements that mean a missing point, of floating-point datasets.
func fills(d *tet.Dataset) []float64 {
	if !d.DType.IsFloat() {
		return nil
	}
	var list []float64
	for _, key := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		text, ok := d.Metadata().Attrs[key]
		if !ok {
			continue
		}
		if v, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			if d.DType == tet.Float32 {
				v = float64(float32(v))
			}
			list = append(list, v)
		}
	}
	return list
}

// missing marks the elements that are fill values; nil if there are none.
func missing(data []byte, t tet.DType, fills []float64) *tgm.Mask {
	const step = 4096
	n := len(data) / int(t.Size())
	var mask *tgm.Mask
	for first := 0; first < n; first += step {
		last := min(n, first+step)
		part := tet.Array{DType: t, Data: data[int64(first)*t.Size() : int64(last)*t.Size()]}
		for i, v := range part.Float64s() {
			if !slices.ContainsFunc(fills, func(fill float64) bool { return v == fill || v != v && fill != fill }) {
				continue
			}
			if mask == nil {
				mask = &tgm.Mask{N: n, Bits: make([]byte, (n+7)/8)}
			}
			mask.Set(first + i)
		}
	}
	return mask
}
