package hdf5

import (
	"context"
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// externalPart is a piece of a dataset's elements in a file of their own.
type externalPart struct {
	name         string
	offset, size uint64
}

// parseExternal reads the external data files message (section IV.A.2.h). It is version, 0 3,
// allocated slots 2, used slots 2, address of a local heap, then for each slot: name offset,
// offset, size.
func (f *File) parseExternal(c *cursor) ([]externalPart, error) {
	c.version(1, 1)
	c.skip(3)
	c.u16()
	n := int(c.u16())
	heapAddr := c.addr()
	if !c.checkCount("external files", uint64(n), 3*c.length) {
		return nil, c.err
	}
	heap, err := f.localHeap(heapAddr)
	if err != nil {
		return nil, err
	}
	parts := make([]externalPart, n)
	for i := range parts {
		parts[i] = externalPart{name: heap.text(c, c.size()), offset: c.size(), size: c.size()}
	}
	return parts, c.err
}

// externalReader reads the parts as if they lay one after the other. Bytes beyond the end of a
// file are zero, as the HDF5 library has it.
type externalReader struct {
	f     *File
	parts []externalPart
}

// ReadAt implements io.ReaderAt.
func (r *externalReader) ReadAt(dst []byte, at int64) (int, error) {
	total := 0
	for _, p := range r.parts {
		size := clamp(p.size)
		if at >= size {
			at -= size
			continue
		}
		n := int(min(int64(len(dst)), size-at))
		if err := r.readPart(p, dst[:n], at); err != nil {
			return total, err
		}
		dst = dst[n:]
		total += n
		if at = 0; len(dst) == 0 {
			return total, nil
		}
	}
	return total, io.ErrUnexpectedEOF
}

func (r *externalReader) readPart(p externalPart, dst []byte, at int64) error {
	raw, err := r.f.otherRaw(p.name)
	if err != nil {
		return err
	}
	if p.offset > 1<<62 {
		return wire.Errorf("external file "+p.name, -1, "elements from byte %d", p.offset)
	}
	from := int64(p.offset) + at
	n := max(0, min(int64(len(dst)), raw.Size-from))
	clear(dst[n:])
	if n == 0 {
		return nil
	}
	if m, err := raw.ReadAt(dst[:n], from); int64(m) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return wire.Errorf("external file "+p.name, from, "%d bytes expected, %d read: %w", n, m, err)
	}
	return nil
}

// checkExternal reports a file of elements that cannot be opened.
func (d *Dataset) checkExternal() error {
	for _, p := range d.external {
		if _, err := d.f.otherRaw(p.name); err != nil {
			return &wire.FormatError{What: "external data of " + d.what, Offset: -1, Err: err}
		}
	}
	return nil
}

// externalChunk yields the elements where they lie in one piece of one file that has all of them.
func (d *Dataset) externalChunk(yield func(Chunk) error) error {
	if d.whole != nil || len(d.external) == 0 {
		return nil
	}
	first, size := d.external[0], d.StoredSize()
	have := uint64(0)
	for _, p := range d.external {
		if p.name != first.name || p.offset != first.offset+have || have >= size {
			break
		}
		have += min(p.size, size-have)
	}
	raw, err := d.f.otherRaw(first.name)
	if err != nil {
		return err
	}
	if whole := uint64(raw.Size); have < size || first.offset > whole || whole-first.offset < size {
		return nil // bytes beyond the end are zero
	}
	return yield(Chunk{Start: make([]uint64, len(d.Space.Dims)), Count: d.Space.Dims, File: raw, Offset: int64(first.offset), Stored: size, Complete: true})
}

func (d *Dataset) readExternal(ctx context.Context, dst []byte, start, count []uint64) error {
	total, ok := wire.Mul(d.Space.Len(), uint64(d.conv.in))
	if !ok || total > 1<<62 {
		return wire.Errorf(d.what, -1, "elements of more than 2^62 bytes")
	}
	r := d.region(0, d.Space.Dims, start, count)
	r.Source = wire.Source{R: &externalReader{d.f, d.external}, Size: int64(total)}
	return d.readRegion(ctx, &r, dst)
}
