package ncwrite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// nc4File is a netCDF-4 file. Elements are written as they come; all metadata follow them, and the
// superblock at the beginning of the file leads there:
//
//	superblock
//	elements, chunks, collections of text and sequences, in the order of the calls
//	object headers, heaps, indexes of chunks
type nc4File struct {
	*plan
	*options
	file  *appender
	queue *queue
	spill *spill

	heapMu sync.Mutex
	heap   h5enc.GlobalHeap
	open   *h5enc.Collection // of heap, in memory
}

func newNC4File(p *plan, out *output, o *options) (*nc4File, error) {
	f := &nc4File{plan: p, options: o, queue: newQueue(o.workers)}
	f.file = &appender{out: out, end: h5enc.SuperblockBytes}
	f.spill = &spill{dir: o.tempDir, left: o.memory}
	f.heap.New = f.newCollection
	for _, v := range p.vars {
		if err := f.add(v); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// maxRank is the largest number of axes HDF5 allows.
const maxRank = 32

// add makes the storage of a variable.
func (f *nc4File) add(v *variable) error {
	if len(v.dims) > maxRank {
		return modelError(v.path, "%d dimensions, expected at most %d", len(v.dims), maxRank)
	}
	var err error
	if v.fill, err = v.fillElement(); err != nil {
		return err
	}
	if v.NoFill {
		v.fill = nil
	}
	if reference(v.Type) {
		v.store = given{}
		return nil
	}
	grows := false
	for i, d := range v.dims {
		grows = grows || v.limit(i, d.length) > d.length
	}
	if len(v.dims) == 0 && len(v.Filters)+len(v.ChunkShape) > 0 {
		return modelError(v.path, "a variable without dimensions has no chunks and no filters")
	}
	if !grows && len(v.Filters)+len(v.ChunkShape) == 0 {
		v.store = &contiguous{dense: newDense(f.file.out, f.shape(v), v.size, v.swap()), file: f.file, queue: f.queue}
		return nil
	}
	return f.addChunked(v)
}

// swap returns the bytes of a number to reverse, 0 for none.
func (v *variable) swap() int {
	if v.BigEndian && v.Type.Numeric() {
		return v.size
	}
	return 0
}

func (f *nc4File) addChunked(v *variable) error {
	shape := v.ChunkShape
	if shape == nil {
		shape = defaultChunk(v, f.shape(v))
	}
	if err := f.checkChunk(v, shape); err != nil {
		return err
	}
	filters, err := newFilters(v.Filters, v.size)
	if err != nil {
		return modelError(v.path, "%w", err)
	}
	c := &chunked{v: v, shape: shape, filters: filters, swap: v.swap(), file: f.file, queue: f.queue, spill: f.spill,
		pending: map[string]*pendingChunk{}}
	c.length = func() []uint64 { return f.shape(v) }
	c.strides = nd.Strides(shape, int64(v.size))
	c.bytes = int(c.strides[0]) * int(shape[0])
	v.store = c
	return nil
}

// checkChunk reports a shape of chunks that HDF5 does not take.
func (f *nc4File) checkChunk(v *variable, shape []uint64) error {
	if len(shape) != len(v.dims) {
		return modelError(v.path, "chunks with %d axes for %d dimensions", len(shape), len(v.dims))
	}
	n := uint64(v.size)
	for i, d := range v.dims {
		if shape[i] < 1 || !d.unlimited && shape[i] > d.length {
			return modelError(v.path, "chunks of %d on dimension %s of length %d", shape[i], d.name, d.length)
		}
		var ok bool
		if n, ok = wire.Mul(n, shape[i]); !ok || n > min(maxChunk, math.MaxInt) {
			return modelError(v.path, "chunks of %d elements of %d bytes, expected at most %d bytes", shape, v.size, uint32(maxChunk))
		}
	}
	return nil
}

// maxChunk bounds the bytes of a chunk.
const maxChunk = 1<<32 - 1

// defaultChunkBytes is about the size of default chunks.
const defaultChunkBytes = 4 << 20

// defaultChunk returns the shape of chunks of a variable without a given shape. It has length 1 on
// unlimited dimensions, and on the others as much as makes a chunk of handy size. The chunks of a
// variable whose only dimension is unlimited hold many records.
func defaultChunk(v *variable, length []uint64) []uint64 {
	shape := make([]uint64, len(length))
	n := uint64(v.size)
	for i, d := range v.dims {
		if shape[i] = 1; !d.unlimited {
			shape[i] = length[i]
		}
		n *= shape[i]
	}
	if len(shape) == 1 && v.dims[0].unlimited {
		const least, most = 4 << 10, 1 << 20
		records := max(least/uint64(v.size), min(length[0], most/uint64(v.size)))
		return []uint64{max(1, records)}
	}
	for i := 0; i < len(shape) && n > defaultChunkBytes; i++ {
		row := n / shape[i]
		shape[i] = max(1, min(shape[i], defaultChunkBytes/row))
		n = row * shape[i]
	}
	return shape
}

// given is the store of a variable whose elements are part of the model.
type given struct{}

func (given) write(context.Context, []uint64, []uint64, []byte) error {
	return errors.New("references are given in Var.References")
}

// contiguous stores the elements of a variable in one piece, which gets its place at the first
// write.
type contiguous struct {
	*dense
	file   *appender
	queue  *queue
	once   sync.Once
	placed bool
	err    error
}

func (c *contiguous) write(ctx context.Context, start, count []uint64, data []byte) error {
	c.once.Do(func() {
		c.err = c.queue.after(func() (err error) {
			c.begin, err = c.file.reserve(c.piece)
			return err
		})
		c.placed = true
	})
	if c.err != nil {
		return c.err
	}
	return c.dense.write(ctx, start, count, data)
}

// newCollection gives a collection of the heap its place; the collection before it is complete.
func (f *nc4File) newCollection(c *h5enc.Collection) error {
	if err := f.writeCollection(); err != nil {
		return err
	}
	return f.queue.after(func() error {
		at, err := f.file.reserve(int64(c.Len()))
		c.Addr, f.open = uint64(at), c
		return err
	})
}

func (f *nc4File) writeCollection() error {
	if f.open == nil {
		return nil
	}
	_, err := f.file.out.WriteAt(f.open.Data, int64(f.open.Addr))
	f.open = nil
	return err
}

// put stores text or a sequence in the heap.
func (f *nc4File) put(n int, data []byte) (ref [heapRefBytes]byte, err error) {
	f.heapMu.Lock()
	defer f.heapMu.Unlock()
	if uint64(n) > math.MaxUint32 || len(data) > math.MaxInt32 {
		return ref, fmt.Errorf("text or sequence of %d elements in %d bytes", n, len(data))
	}
	b, err := f.heap.Put(n, &h5enc.Block{Data: data})
	if err != nil {
		return ref, err
	}
	b.Complete()
	return [heapRefBytes]byte(b.Data), nil
}

// chunks returns the chunks of a variable, nil if it has none.
func (v *variable) chunks() *chunked {
	c, _ := v.store.(*chunked)
	return c
}

// close implements fileFormat.
func (f *nc4File) close() (int64, error) {
	err := f.closeData()
	if err != nil {
		f.abort()
		return 0, err
	}
	m := newMetadata(f)
	root, blocks, err := m.encode()
	if err != nil {
		return 0, err
	}
	end, err := f.writeBlocks(blocks)
	if err != nil {
		return 0, err
	}
	super := h5enc.Superblock(root, end)
	super.Complete()
	_, err = f.file.out.WriteAt(super.Data, 0)
	return int64(end), err
}

// closeData writes all elements.
func (f *nc4File) closeData() error {
	for _, v := range f.vars {
		if c := v.chunks(); c != nil {
			if err := c.flush(); err != nil {
				return v.wrap(err)
			}
		}
	}
	if err := f.queue.wait(); err != nil {
		return err
	}
	for _, v := range f.vars {
		if c, ok := v.store.(*contiguous); ok && c.placed {
			fill := v.fill
			if fill == nil {
				fill = make([]byte, v.size)
			}
			if err := c.fill(c.piece, fill); err != nil {
				return v.wrap(err)
			}
		}
	}
	return f.spill.close()
}

// writeBlocks adds the metadata to the end of the file.
func (f *nc4File) writeBlocks(blocks []*h5enc.Block) (end uint64, err error) {
	f.heap.Flush()
	if err := errors.Join(f.writeCollection(), f.file.flush()); err != nil {
		return 0, err
	}
	end = h5enc.Place(blocks, uint64(f.file.end))
	for _, b := range blocks {
		at, err := f.file.add(b.Data)
		if err == nil && uint64(at) != b.Addr {
			err = fmt.Errorf("metadata at byte %d, expected %d", at, b.Addr)
		}
		if err != nil {
			return 0, err
		}
	}
	return end, f.file.flush()
}

// abort implements fileFormat.
func (f *nc4File) abort() {
	_ = f.queue.wait()
	_ = f.spill.close()
}

// strict reports whether the file is of the classic model.
func (f *nc4File) strict() bool { return f.kind == netcdf.NetCDF4Classic }
