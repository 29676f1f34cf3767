package hdf5

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// ReadVlen returns elements of variable length. They are the bytes of strings, nil for a null
// pointer, or the native elements of sequences. Slices may share memory with each other and must not
// be changed.
func (d *Dataset) ReadVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	if d.Type.Class != Vlen {
		return nil, wire.Unsupported(d.what, -1, "reading a %s as elements of variable length", d.Type.Class)
	}
	n, err := d.checkSlab(start, count)
	if err != nil {
		return nil, err
	}
	if n > maxVlens {
		return nil, wire.UnsupportedBut(fmt.Sprint(maxVlens), d.what, -1, "reading %d elements of variable length at once", n)
	}
	raw := make([]byte, int(n)*d.Type.Size)
	if err := d.readElements(ctx, raw, start, count); err != nil {
		return nil, err
	}
	return d.f.vlens(d.what, d.Type, raw)
}

// VlenFill returns the fill value of a dataset of elements of variable length, as ReadVlen does. It
// is nil when the file has none.
func (d *Dataset) VlenFill() ([]byte, error) {
	if d.Type.Class != Vlen || len(d.Fill) == 0 {
		return nil, nil
	}
	list, err := d.f.vlens(d.what, d.Type, d.Fill)
	if err != nil {
		return nil, fmt.Errorf("fill value: %w", err)
	}
	return list[0], nil
}

// maxVlens bounds the elements of variable length that one call returns.
const maxVlens = 1 << 26

// sharedVlenBytes is how much longer than the file all elements of a call may be. Each has an
// object of its own in files that the HDF5 library writes.
const sharedVlenBytes = 16 << 20

// vlens fetches the sequences that elements refer to, as native elements.
func (f *File) vlens(what string, t *Datatype, raw []byte) ([][]byte, error) {
	conv, err := conversionOf(t.Base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	g := newGlobalHeap(f)
	list := make([][]byte, len(raw)/t.Size)
	for i := range list {
		n, b, err := g.sequence(what, t, raw[i*t.Size:][:t.Size])
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		if list[i] = b; conv.swap != 1 {
			list[i] = make([]byte, int(n)*conv.out)
			conv.apply(list[i], append([]byte(nil), b...))
		}
	}
	return list, nil
}

// globalHeap fetches objects from collections (section III.E), which it keeps: elements of one
// dataset usually refer to few of them.
type globalHeap struct {
	f           *File
	collections map[uint64]map[uint32][]byte
	bytes       int64
	left        uint64 // bytes of sequences that may still be fetched
}

const globalHeapBytes = 64 << 20

func newGlobalHeap(f *File) globalHeap {
	return globalHeap{f: f, left: uint64(f.src.Size) + sharedVlenBytes}
}

// reference reads a reference to a sequence. It is its length 4, address of a collection of the
// global heap, number of an object in it 4.
func (f *File) reference(what string, b []byte) (n, addr uint64, object uint32, err error) {
	c := cursor{sizes: f.sizes, b: b, what: what}
	n = uint64(c.u32())
	addr, object = c.addr(), c.u32()
	return n, addr, object, c.err
}

// sequence returns the number of elements of a sequence and their bytes in the file, nil if there is
// none. The argument b is the reference to it.
func (g *globalHeap) sequence(what string, t *Datatype, b []byte) (n uint64, data []byte, err error) {
	n, addr, object, err := g.f.reference(what, b)
	switch {
	case err != nil || addr == 0 || addr == undefined:
		return 0, nil, err
	case n == 0:
		return 0, []byte{}, nil
	}
	if data, err = g.object(addr, object); err != nil {
		return 0, nil, fmt.Errorf("%s: %w", what, err)
	}
	size, ok := wire.Mul(n, uint64(t.Base.Size))
	if !ok || size > uint64(len(data)) {
		return 0, nil, g.f.errorf(what, addr, "%d values of %d bytes in an object of %d", n, t.Base.Size, len(data))
	}
	if size > g.left {
		return 0, nil, g.f.errorf(what, addr, "elements are longer than the file: some use the same objects")
	}
	g.left -= size
	return n, data[:size:size], nil
}

func (g *globalHeap) object(addr uint64, n uint32) ([]byte, error) {
	c, ok := g.collections[addr]
	if !ok {
		var size int64
		var err error
		if c, size, err = g.f.collection(addr); err != nil {
			return nil, err
		}
		if g.bytes += size; g.collections == nil || g.bytes > globalHeapBytes {
			g.collections, g.bytes = map[uint64]map[uint32][]byte{}, size
		}
		g.collections[addr] = c
	}
	b, ok := c[n]
	if !ok {
		return nil, g.f.errorf("global heap", addr, "no object %d", n)
	}
	return b, nil
}

// collection reads "GCOL", version, 0 3, size, then objects: number 2, references 2, 0 4, size,
// data. The parts before the first object and before the data, and the data, are padded to 8.
// Number 0 is free space, to the end.
func (f *File) collection(addr uint64) (map[uint32][]byte, int64, error) {
	const what = "global heap"
	c, err := f.load(what, addr, int64(8+f.length))
	if err != nil {
		return nil, 0, err
	}
	c.magic("GCOL")
	c.version(1, 1)
	c.skip(3)
	size := c.size()
	if c.err == nil && (size > uint64(f.src.Size) || size < uint64(len(c.b))) {
		c.fail("%d bytes in a file of %d", size, f.src.Size)
	}
	if c.err != nil {
		return nil, 0, c.err
	}
	prefix := (c.i + 7) &^ 7
	if c, err = f.load(what, addr, int64(size)); err != nil {
		return nil, 0, err
	}
	c.skip(prefix)
	objects := map[uint32][]byte{}
	header := (8 + f.length + 7) &^ 7
	for c.err == nil && c.left() >= header {
		n := uint32(c.u16())
		c.skip(6)
		size := c.size()
		if n == 0 {
			break
		}
		c.skip(header - 8 - f.length)
		if size > uint64(c.left()) {
			c.fail("object %d of %d bytes, %d left", n, size, c.left())
			break
		}
		objects[n] = c.take(int(size))
		c.skip(min(int(-size&7), c.left()))
	}
	return objects, int64(size), c.err
}
