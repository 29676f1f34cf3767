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

// parseExternal reads the external data files message (section IV.A.2.h): version, 0 3, allocated
// slots 2, used slots 2, address of a local heap, then for each slot: name offset, offset, size.
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

// externalReader reads the parts as if they lay one after the other. What is beyond the end of a
// file is zero, as the HDF5 library has it.
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
	n := max(0, min(int64(len(dst)), raw.size-from))
	clear(dst[n:])
	if n == 0 {
		return nil
	}
	if m, err := raw.r.ReadAt(dst[:n], from); int64(m) < n {
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

func (d *Dataset) readExternal(ctx context.Context, dst []byte, start, count []uint64) error {
	total, ok := wire.Mul(d.Space.Len(), uint64(d.conv.in))
	if !ok || total > 1<<62 {
		return wire.Errorf(d.what, -1, "elements of more than 2^62 bytes")
	}
	r := d.region(0, d.Space.Dims, start, count)
	r.Source = wire.Source{R: &externalReader{d.f, d.external}, Size: int64(total)}
	return d.readRegion(ctx, &r, dst)
}
