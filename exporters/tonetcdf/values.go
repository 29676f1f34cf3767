package tonetcdf

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A job is a box of a variable to write.
type job struct {
	v            *variable
	start, count []uint64
	bytes        int64 // of the elements, about
	read         func(ctx context.Context) (content, error)
}

// content are the elements of a box; one of the fields holds them.
type content struct {
	data    []byte
	text    []string
	ragged  *netcdf.Ragged
	columns []column

	buffer *[]byte // to be used again after data were written, nil if it is not
}

// values returns the jobs that write a variable, whose parts are the objects that hold it.
func (m *treeMaker) values(v *variable, parts [][]dataset.Object, record int, entry *mapping.NetCDF) (iter.Seq[job], error) {
	boxes := make([][]box, len(parts))
	for i, objects := range parts {
		var err error
		if boxes[i], err = m.boxes(v, objects, record); err != nil {
			return nil, err
		}
		if len(boxes[i]) != len(boxes[0]) {
			return nil, fmt.Errorf("%d objects of one member and %d of another", len(boxes[0]), len(boxes[i]))
		}
	}
	t := v.out.Type
	_, isComplex := m.objects[v.path]
	switch {
	case t.Class == netcdf.String:
		return m.textJobs(v, boxes[0]), nil
	case t.Class == netcdf.Vlen:
		return m.raggedJobs(v, boxes[0], boxes[1]), nil
	case t.Class == netcdf.Compound && !isComplex:
		return m.compoundJobs(v, boxes)
	case t.Class == netcdf.Opaque:
		return m.opaqueJobs(v, boxes[0]), nil
	case t.Class == netcdf.Compound:
		for _, b := range boxes[0] {
			if b.object.DType.Size() != t.Size {
				return nil, fmt.Errorf("%s: elements of %s, expected %d bytes", b.object.Where, b.object.DType, t.Size)
			}
		}
	}
	c := converterOf(v, entry)
	converters := make([]*converter, len(boxes[0]))
	for i := range boxes[0] {
		b := &boxes[0][i]
		b.of = entry
		if err := b.check(); err != nil {
			return nil, err
		}
		var err error
		if converters[i], err = c.of(&b.object); err != nil {
			return nil, fmt.Errorf("%s: %w", b.object.Where, err)
		}
	}
	return m.numberJobs(v, boxes[0], converters), nil
}

// check returns an error unless the object has as many elements as the box.
func (b *box) check() error {
	if nd.Volume(b.object.Shape) != b.elements() {
		return fmt.Errorf("%s has shape %v, expected %v", b.object.Where, b.object.Shape, b.count)
	}
	return nil
}

// converterOf tells how elements of the objects of a variable become elements of the file. It does not set
// the value at missing points.
func converterOf(v *variable, entry *mapping.NetCDF) *converter {
	t := v.out.Type
	if t.Class == netcdf.Enum {
		t = t.Base
	}
	c := &converter{class: t.Class, size: t.Size}
	if !t.Class.Numeric() {
		return c
	}
	c.fill = fillOf(t.Class, v.out.Attrs)
	c.packing = packingOf(v.out.Attrs)
	if t.Class.IsFloat() && entry.Packing == nil {
		c.packing = nil
	}
	return c
}

// of is the converter for one of the objects, with the missing points of its metadata.
func (c *converter) of(o *dataset.Object) (*converter, error) {
	n, ok := o.Base.NetCDF()
	if !ok || n.Missing == nil || c.fill == nil {
		return c, nil
	}
	own := *c
	var err error
	own.holes, err = newHoles(n.Missing, c.size)
	return &own, err
}

// sameAttributes reports whether attributes that give elements their meaning are the same in an object
// and a variable. The object may be of another file.
func sameAttributes(e mapping.Entry, of *mapping.NetCDF, names ...string) bool {
	n, ok := e.NetCDF()
	if !ok || of == nil {
		return !ok && of == nil
	}
	for _, name := range names {
		if fmt.Sprint(attributeOf(n, name)) != fmt.Sprint(attributeOf(of, name)) { // NaN is not equal to itself
			return false
		}
	}
	return true
}

// meansTheSame reports whether elements of the object mean the same as in the variable.
func (b *box) meansTheSame() bool {
	return b.of == nil || sameAttributes(b.object.Base, b.of, cf.AttrFillValue, cf.AttrMissingValue, cf.AttrScaleFactor, cf.AttrAddOffset)
}

// attributeOf is an attribute of a variable, also of one whose packing was undone.
func attributeOf(n *mapping.NetCDF, name string) any {
	if value, ok := n.Packing[name]; ok {
		return value
	}
	return n.Attributes[name]
}

// packingOf is the packing that the attributes of a variable give, nil if they give none.
func packingOf(attrs []netcdf.Attr) *packing {
	p := packing{scale: 1}
	found := false
	for _, a := range attrs {
		to := map[string]*float64{cf.AttrScaleFactor: &p.scale, cf.AttrAddOffset: &p.offset}[a.Name]
		if to == nil {
			continue
		}
		list := items(a.Value)
		if len(list) != 1 {
			return nil
		}
		if f, ok := mapping.Float(list[0]); ok {
			*to, found = f, true
		}
	}
	if !found || p.scale == 0 {
		return nil
	}
	return &p
}

// slabBytes is about the size of the pieces in which an object is read in parts. It is small enough to be in
// the processor's cache still when it is written.
const slabBytes = 1 << 20

// slabBuffers are for elements read of objects, until they are written.
var slabBuffers = sync.Pool{New: func() any { return new([]byte) }}

// numberJobs are the jobs of a variable of numbers.
func (m *treeMaker) numberJobs(v *variable, boxes []box, converters []*converter) iter.Seq[job] {
	return func(yield func(job) bool) {
		for i := range boxes {
			b, c := &boxes[i], converters[i]
			a, written, err := m.array(context.Background(), b)
			size := uint64(slabBytes)
			switch {
			case written:
				c = c.asWritten()
			case c.holes != nil:
				size = math.MaxInt64 // they are the bytes of the whole object, in order
			}
			if !partJobs(v, b.start, b.count, a, err, size, c, yield) {
				return
			}
		}
	}
}

// array is the array of the object of a box. written reports whether its elements are in the form of
// the source's file.
func (m *treeMaker) array(ctx context.Context, b *box) (a array.Array, written bool, err error) {
	if a, err = m.reader.Written(ctx, b.object.Ref); err != nil || a != nil && b.meansTheSame() {
		return a, true, err
	}
	a, err = m.reader.Array(ctx, b.object.Ref)
	return a, false, err
}

// numbers reads all elements of the object of a box, and converts them.
func (m *treeMaker) numbers(ctx context.Context, b *box, c *converter) ([]byte, error) {
	a, written, err := m.array(ctx, b)
	if err != nil {
		return nil, err
	}
	data, err := array.Read(ctx, a, a.Info().Whole(), nil)
	if err != nil {
		return nil, err
	}
	if written {
		c = c.asWritten()
	}
	return c.convert(&tgm.Array{Shape: a.Info().Shape, DType: a.Info().DType, Data: data})
}

// bytes is the size of the object's elements.
func (b *box) bytes() int64 {
	n := b.elements() * uint64(max(1, b.object.DType.Size()))
	return int64(min(n, math.MaxInt64))
}

// partJobs yields jobs that write an array to a box of a variable. Each writes a part of about size
// bytes, of whole chunks of the variable and whole blocks of the array. A job fails with err, if
// that is not nil.
func partJobs(v *variable, start, count []uint64, a array.Array, err error, size uint64, c *converter, yield func(job) bool) bool {
	if err == nil {
		a, err = array.Reshape(a, count)
	}
	if err != nil {
		return yield(job{v, start, count, 0, func(context.Context) (content, error) { return content{}, err }})
	}
	info := *a.Info()
	if chunk := v.out.ChunkShape; len(chunk) == len(count) {
		info.Block = slices.Clone(info.Block)
		for i := range chunk {
			info.Block[i] = min(max(info.Block[i], chunk[i]), count[i])
		}
	}
	for r := range array.Regions(count, info.Box(size)) {
		read := func(ctx context.Context) (content, error) {
			buffer := slabBuffers.Get().(*[]byte)
			data, err := array.Read(ctx, a, r, *buffer)
			if err != nil {
				return content{}, err
			}
			*buffer = data
			data, err = c.convert(&tgm.Array{Shape: r.Count, DType: info.DType, Data: data})
			return content{data: data, buffer: buffer}, err
		}
		at := slices.Clone(start)
		for i := range at {
			at[i] += r.Start[i]
		}
		if !yield(job{v, at, r.Count, int64(r.Elements()) * int64(info.DType.Size()), read}) {
			return false
		}
	}
	return true
}

// oneJob is a job for each box, whose elements make reads.
func oneJob(v *variable, boxes []box, read func(ctx context.Context, i int) (content, error)) iter.Seq[job] {
	return func(yield func(job) bool) {
		for i := range boxes {
			b := &boxes[i]
			if !yield(job{v, b.start, b.count, b.bytes(), func(ctx context.Context) (content, error) { return read(ctx, i) }}) {
				return
			}
		}
	}
}

// textJobs are the jobs of strings, which objects hold as rows of bytes.
func (m *treeMaker) textJobs(v *variable, boxes []box) iter.Seq[job] {
	return oneJob(v, boxes, func(ctx context.Context, i int) (content, error) {
		text, err := m.texts(ctx, &boxes[i])
		return content{text: text}, err
	})
}

// texts reads the strings of a box.
func (m *treeMaker) texts(ctx context.Context, b *box) ([]string, error) {
	a, err := dataset.Read(ctx, m.reader, b.object.Ref, nil)
	if err != nil {
		return nil, err
	}
	n := len(a.Data)
	if elements := b.elements(); elements <= uint64(n) {
		n = int(elements)
	} else {
		return nil, fmt.Errorf("%s: %d characters for %d texts", b.object.Where, n, elements)
	}
	if n == 0 {
		return []string{}, nil
	}
	if a.DType.Size() != 1 || len(a.Data)%n != 0 {
		return nil, fmt.Errorf("%s: shape %v of %s, expected the characters of %d texts", b.object.Where, a.Shape, a.DType, n)
	}
	width := len(a.Data) / n
	text := make([]string, n)
	for k := range text {
		row := a.Data[k*width : (k+1)*width]
		if end := slices.Index(row, 0); end >= 0 {
			row = row[:end]
		}
		text[k] = string(row)
	}
	setNulls(text, b.object.Base)
	return text, nil
}

// setNulls puts null pointers in the place of empty texts that were such in the source.
func setNulls(text []string, e mapping.Entry) {
	entry, ok := e.NetCDF()
	if !ok {
		return
	}
	next := int64(0)
	for list := entry.Null; len(list) >= 2 && list[0] >= next; list = list[2:] {
		for i := list[0]; i < int64(len(text)) && i-list[0] < list[1]; i++ {
			if next = i + 1; text[i] == "" {
				text[i] = ncwrite.Null
			}
		}
	}
}

// opaqueJobs are the jobs of opaque elements, which objects hold as bytes.
func (m *treeMaker) opaqueJobs(v *variable, boxes []box) iter.Seq[job] {
	return oneJob(v, boxes, func(ctx context.Context, i int) (content, error) {
		a, err := dataset.Read(ctx, m.reader, boxes[i].object.Ref, nil)
		if err != nil {
			return content{}, err
		}
		if want := boxes[i].elements() * uint64(v.out.Type.Size); uint64(len(a.Data)) != want {
			return content{}, fmt.Errorf("%s: %d bytes, expected %d", boxes[i].object.Where, len(a.Data), want)
		}
		return content{data: a.Data}, nil
	})
}

// raggedJobs are the jobs of sequences, which objects hold as values and lengths.
func (m *treeMaker) raggedJobs(v *variable, values, counts []box) iter.Seq[job] {
	return oneJob(v, counts, func(ctx context.Context, i int) (content, error) {
		ragged, err := m.ragged(ctx, v.out.Type.Base, &values[i], &counts[i])
		return content{ragged: ragged}, err
	})
}

// ragged reads the sequences of a box, whose elements are of a type.
func (m *treeMaker) ragged(ctx context.Context, base *netcdf.Type, values, counts *box) (*netcdf.Ragged, error) {
	lengths, err := dataset.Read(ctx, m.reader, counts.object.Ref, nil)
	if err != nil {
		return nil, err
	}
	n, err := tgm.Values[uint64](lengths)
	if err != nil {
		return nil, err
	}
	if base.Class == netcdf.Enum {
		base = base.Base
	}
	if !base.Class.Numeric() {
		a, err := dataset.Read(ctx, m.reader, values.object.Ref, nil)
		if err != nil {
			return nil, err
		}
		return &netcdf.Ragged{Counts: n, Values: a.Data}, nil
	}
	c := converter{class: base.Class, size: base.Size, fill: fillOf(base.Class, nil)}
	data, err := m.numbers(ctx, values, &c)
	return &netcdf.Ragged{Counts: n, Values: data}, err
}
