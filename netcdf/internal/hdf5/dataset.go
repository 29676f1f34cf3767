package hdf5

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/slab"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Dataset is an array in a file.
type Dataset struct {
	Space  *Dataspace
	Type   *Datatype // in the file; Read gives elements of Type.Native()
	Layout LayoutClass
	Chunk  []uint64 // elements of a chunk along each axis, of Chunked
	Index  IndexKind
	// Filters in the order in which they were applied on writing.
	Filters []Filter
	// Fill is the value of elements that were never written, as stored in the file; nil means
	// zeros.
	Fill []byte

	f        *File
	what     string
	layout   *layout
	pipeline *pipeline
	external []externalPart // files of the elements
	depth    int            // of virtual datasets that lead here

	virtualOnce sync.Once
	virtual     *virtual
	virtualErr  error

	// Of a member: the dataset that it is a member of, and the function to copy it from an
	// element.
	whole   *Dataset
	path    []string
	extract func(dst, src []byte)

	once  sync.Once
	conv  conversion
	index chunkIndex
	fill  []byte // a native element, nil for zeros
	err   error
}

// Dataset returns the dataset that o is.
func (o *Object) Dataset() (*Dataset, error) { return o.dataset(0) }

// dataset returns o as a dataset, at the given depth of virtual datasets.
func (o *Object) dataset(depth int) (*Dataset, error) {
	if o.Kind != DatasetObject {
		return nil, o.f.errorf(objectName(o.Addr), o.Addr, "a %s, expected a dataset", o.Kind)
	}
	d := &Dataset{f: o.f, what: fmt.Sprintf("dataset %#x", o.Addr), depth: depth}
	var err error
	if d.Type, err = o.Datatype(); err != nil {
		return nil, err
	}
	if d.Space, err = o.dataspace(); err != nil {
		return nil, err
	}
	m, err := o.message(msgLayout)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, o.f.errorf(d.what, o.Addr, "no layout message")
	}
	if d.layout, err = parseLayout(o.f.cursor("layout of "+d.what, m)); err != nil {
		return nil, err
	}
	if m, err = o.message(msgFilters); err == nil && m != nil {
		d.pipeline, err = parsePipeline(o.f.cursor("filters of "+d.what, m))
	}
	if err != nil {
		return nil, err
	}
	if d.Fill, err = o.fillValue(); err != nil {
		return nil, err
	}
	if m, err = o.message(msgExternal); err == nil && m != nil {
		d.external, err = o.f.parseExternal(o.f.cursor("external files of "+d.what, m))
	}
	if err != nil {
		return nil, err
	}
	if err := d.describe(); err != nil {
		return nil, err
	}
	d.extend()
	return d, nil
}

// File returns the file that holds the dataset.
func (d *Dataset) File() *File { return d.f }

// describe fills in the exported fields and checks that the messages agree.
func (d *Dataset) describe() error {
	d.Layout = d.layout.class
	if d.pipeline != nil {
		d.Filters = d.pipeline.filters
	}
	if len(d.Fill) != 0 && len(d.Fill) != d.Type.Size {
		return wire.Errorf(d.what, -1, "fill value of %d bytes for elements of %d", len(d.Fill), d.Type.Size)
	}
	if d.Layout != Chunked {
		return nil
	}
	d.Chunk, d.Index = d.layout.chunk, d.layout.index
	if len(d.Chunk) != len(d.Space.Dims) || d.layout.element != uint64(d.Type.Size) {
		return wire.Errorf(d.what, -1, "chunks %v of elements of %d bytes in a dataset %v of elements of %d",
			d.Chunk, d.layout.element, d.Space.Dims, d.Type.Size)
	}
	return nil
}

func (o *Object) dataspace() (*Dataspace, error) {
	m, err := o.message(msgDataspace)
	if err != nil {
		return nil, err
	}
	return parseDataspace(o.f.cursor("dataspace of "+objectName(o.Addr), m))
}

// fillValue reads the fill value message, or the older message that only has size and value
// (sections IV.A.2.e and f):
//
//	v1, v2: version, allocation time, write time, defined, [size 4, value]
//	v3:     version, flags, [size 4, value]
func (o *Object) fillValue() ([]byte, error) {
	m, err := o.message(msgFill)
	if err != nil {
		return nil, err
	}
	what := "fill value of " + objectName(o.Addr)
	if m == nil {
		if m, err = o.message(msgFillOld); err != nil || m == nil {
			return nil, err
		}
		c := o.f.cursor(what, m)
		v := c.take(int(c.u32()))
		return v, c.err
	}
	c := o.f.cursor(what, m)
	var has bool
	if version := c.version(1, 3); version < 3 {
		c.skip(2)
		has = c.u8() != 0
	} else {
		has = c.u8()&0x20 != 0
	}
	if !has || c.err != nil {
		return nil, c.err
	}
	v := c.take(int(c.u32()))
	return v, c.err
}

// NativeFill returns the fill value as a native element, nil when the file has none.
func (d *Dataset) NativeFill() []byte {
	if len(d.Fill) == 0 || d.prepare() != nil {
		return nil
	}
	return d.fill
}

// StoredSize returns the bytes that the elements take in the file. It is 0 for chunks, whose size
// is not known without reading their index.
func (d *Dataset) StoredSize() uint64 {
	switch d.Layout {
	case Compact:
		return uint64(len(d.layout.compact))
	case Contiguous:
		n, _ := wire.Mul(d.Space.Len(), uint64(d.Type.Size))
		return n
	}
	return 0
}

// External reports whether the elements are stored in other files.
func (d *Dataset) External() bool { return d.external != nil }

// plausibleBytes is the size that a read may ask for from a file of any size.
const plausibleBytes = 1 << 30

// CheckSize reports an error when the file cannot plausibly hold n bytes of the dataset. A dataset
// of a few bytes in the file can claim any number of elements. It is for callers that are about to
// allocate memory for a read. Contiguous elements must be in the file. Elements in chunks or in
// other files may take up to 1 GiB, or up to the size that deflate could unpack from all these
// files.
func (d *Dataset) CheckSize(n int64) error {
	size := d.f.src.Size
	if d.Layout == Virtual && d.checkVirtual() == nil || d.external != nil {
		size += d.otherBytes()
	}
	limit := max(plausibleBytes, min(size, math.MaxInt64/maxDeflateRatio)*maxDeflateRatio)
	if d.Layout == Contiguous && d.layout.addr != undefined || d.Layout == Compact {
		// A conversion may double the size.
		limit = min(limit, max(2*size, 1<<16))
	}
	if n > limit {
		return wire.Errorf(d.what, -1, "%d bytes asked for, the file has %d: %w", n, size, io.ErrUnexpectedEOF)
	}
	return nil
}

// otherBytes is the size of the other files that hold elements.
func (d *Dataset) otherBytes() int64 {
	if d.Layout == Virtual {
		for i := range d.virtual.mappings {
			d.blocks(&d.virtual.mappings[i]) // opens the sources; an error shows when they are read
		}
	}
	o := d.f.others
	o.mu.Lock()
	defer o.mu.Unlock()
	total := int64(0)
	for _, r := range o.raw {
		total += min(r.Size, math.MaxInt64/2-total)
	}
	return total
}

// Supported returns an error if the elements cannot be read. It is an [*UnsupportedError] for a
// filter that is not implemented, or for a file that a driver of the library has put the elements
// in, and an error about another file that cannot be opened. It reads no elements.
func (d *Dataset) Supported() error {
	switch {
	case d.isBeyond() && d.f.driver() != "":
		return fmt.Errorf("%s: %w", d.what, d.f.beyond(nil))
	case d.external != nil:
		return d.checkExternal()
	case d.Layout == Virtual:
		return d.checkVirtual()
	case d.Layout == Chunked:
		return d.pipeline.check(d.what)
	}
	return nil
}

// isBeyond reports whether the elements, or their index, begin beyond the end of the file.
func (d *Dataset) isBeyond() bool {
	return (d.Layout == Contiguous || d.Layout == Chunked) && d.layout.addr != undefined &&
		d.layout.addr >= uint64(d.f.src.Size-d.f.src.Base)
}

// Check reports why elements cannot be read. The reason is a filter or a layout that is not
// implemented, a type without a native type, or a damaged index.
func (d *Dataset) Check() error { return d.prepare() }

// prepare does the common work of all reads once: conversion, filters, index.
func (d *Dataset) prepare() error {
	d.once.Do(func() { d.err = d.prepareOnce() })
	return d.err
}

func (d *Dataset) prepareOnce() error {
	var err error
	if d.Type.Class == Vlen {
		d.conv = conversion{in: d.Type.Size, out: d.Type.Size, swap: 1}
	} else if d.conv, err = conversionOf(d.Type); err != nil {
		return fmt.Errorf("%s: %w", d.what, err)
	}
	if d.whole != nil {
		d.conv = d.memberConversion(d.conv)
	}
	if len(d.Fill) > 0 {
		d.fill = make([]byte, d.conv.out)
		d.conv.apply(d.fill, append([]byte(nil), d.Fill...))
	}
	if err := d.Supported(); err != nil {
		return err
	}
	if d.Layout == Chunked {
		g := &grid{f: d.f, what: d.what, chunk: d.Chunk, dims: d.Space.Dims, max: d.Space.Max,
			filtered: len(d.Filters) > 0, index: d.layout, nodes: &nodeCache{f: d.f}, bytes: d.layout.element}
		if g.max == nil {
			g.max = g.dims
		}
		for _, n := range d.Chunk {
			g.bytes *= n
		}
		d.index, err = g.newIndex()
	}
	return err
}

// ReadRefs returns the elements of a dataset of references.
func (d *Dataset) ReadRefs(ctx context.Context, start, count []uint64) ([]Ref, error) {
	if d.Type.Class != Reference {
		return nil, wire.Unsupported(d.what, -1, "reading a %s as references", d.Type.Class)
	}
	n, err := d.checkSlab(start, count)
	if err != nil {
		return nil, err
	}
	if n > maxValues {
		return nil, wire.UnsupportedBut(fmt.Sprint(maxValues), d.what, -1, "reading %d references at once", n)
	}
	raw := make([]byte, int(n)*d.Type.Size)
	if err := d.Read(ctx, raw, start, count); err != nil {
		return nil, err
	}
	r := d.f.valueReader(d.what)
	return collect(d.Type, int(n), raw, func(b []byte) (Ref, error) { return r.ref(d.Type, b) })
}

// Read stores count elements from start on along each axis into dst. They are native
// elements (see [Datatype.Native]), in C order. dst has exactly their size. Data of variable
// length is for [Dataset.ReadVlen].
func (d *Dataset) Read(ctx context.Context, dst []byte, start, count []uint64) error {
	if d.Type.Class == Vlen {
		return wire.Unsupported(d.what, -1, "reading elements of variable length as bytes")
	}
	return d.readElements(ctx, dst, start, count)
}

// readElements is Read, except that data of variable length stay references to the global heap.
func (d *Dataset) readElements(ctx context.Context, dst []byte, start, count []uint64) error {
	if err := d.prepare(); err != nil {
		return err
	}
	n, err := d.checkSlab(start, count)
	if err != nil {
		return err
	}
	if want, ok := wire.Mul(n, uint64(d.conv.out)); !ok || want != uint64(len(dst)) {
		return fmt.Errorf("%s: a buffer of %d bytes for %d elements of %d bytes", d.what, len(dst), n, d.conv.out)
	}
	if n == 0 {
		return nil
	}
	switch d.Layout {
	case Compact:
		return d.readCompact(dst, start, count)
	case Virtual:
		return d.readMapped(ctx, dst, start, count)
	case Contiguous:
		return d.readContiguous(ctx, dst, start, count)
	default:
		return d.readChunks(ctx, dst, start, count)
	}
}

func (d *Dataset) checkSlab(start, count []uint64) (n uint64, err error) {
	dims := d.Space.Dims
	if len(start) != len(dims) || len(count) != len(dims) {
		return 0, fmt.Errorf("%s: %d starts and %d counts for %d dimensions", d.what, len(start), len(count), len(dims))
	}
	if d.Space.Null {
		return 0, nil
	}
	n = 1
	for i, l := range dims {
		if start[i] > l || count[i] > l-start[i] {
			return 0, fmt.Errorf("%s: %d elements from %d on axis %d of length %d", d.what, count[i], start[i], i, l)
		}
		n *= count[i]
	}
	return n, nil
}

// region is the box of an array of elements of the file at offset.
func (d *Dataset) region(offset int64, shape, start, count []uint64) slab.Region {
	strides := nd.Strides(shape, int64(d.conv.in))
	return slab.Region{Source: d.f.src, What: d.what, Offset: offset + nd.Offset(start, strides),
		Strides: strides, Count: count, Size: d.conv.in}
}

func (d *Dataset) readCompact(dst []byte, start, count []uint64) error {
	data := d.layout.compact
	if want, ok := wire.Mul(d.Space.Len(), uint64(d.conv.in)); !ok || want > uint64(len(data)) {
		return wire.Errorf(d.what, -1, "compact data of %d bytes, expected %d", len(data), want)
	}
	r := d.region(0, d.Space.Dims, start, count)
	n := len(dst) / d.conv.out * d.conv.in
	raw := make([]byte, n)
	nd.CopyStrided(raw, nd.Strides(count, int64(d.conv.in)), data[r.Offset:], r.Strides, count, d.conv.in)
	d.conv.apply(dst, raw)
	return nil
}

func (d *Dataset) readContiguous(ctx context.Context, dst []byte, start, count []uint64) error {
	if d.external != nil {
		return d.readExternal(ctx, dst, start, count)
	}
	if d.layout.addr == undefined {
		nd.Repeat(dst, d.fill)
		return nil
	}
	total, ok := wire.Mul(d.Space.Len(), uint64(d.conv.in))
	if !ok || d.layout.addr > 1<<62 || total > 1<<62 {
		return wire.Errorf(d.what, -1, "%d bytes at address %#x", total, d.layout.addr)
	}
	if d.layout.size != 0 && d.layout.size < total {
		return d.f.errorf(d.what, d.layout.addr, "%d bytes for elements of %d", d.layout.size, total)
	}
	r := d.region(int64(d.layout.addr), d.Space.Dims, start, count)
	return d.readRegion(ctx, &r, dst)
}

// readRegion reads a box of the file and converts it.
func (d *Dataset) readRegion(ctx context.Context, r *slab.Region, dst []byte) error {
	if d.conv.each == nil {
		return r.Read(ctx, dst, func(b []byte) { d.conv.apply(b, b) })
	}
	n := len(dst) / d.conv.out
	if err := d.f.src.Check(r.What, r.Offset, 0); err != nil {
		return err
	}
	// Elements overlap nowhere in the file, so that it must be long enough for them.
	if int64(n)*int64(d.conv.in) > d.f.src.Size {
		return d.f.src.Check(r.What, r.Offset, int64(n)*int64(d.conv.in))
	}
	raw := make([]byte, n*d.conv.in)
	if err := r.Read(ctx, raw, nil); err != nil {
		return err
	}
	d.conv.apply(dst, raw)
	return nil
}
