package tozarr

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A slab is a block of whole chunks of an array that is written at once.
type slab struct {
	array  *arrayPlan
	origin []uint64 // of its first element
	shape  []uint64 // a multiple of the chunks', also over the edge of the array
	out    *slabOutput
}

// slabs yields the slabs that have elements of the view.
func (a *arrayPlan) slabs() iter.Seq[*slab] {
	return func(yield func(*slab) bool) {
		if a.skip || slices.Contains(a.in.Shape, 0) {
			return
		}
		first, last := make([]uint64, len(a.slab)), make([]uint64, len(a.slab))
		for i, n := range a.slab {
			// From a chunk's begin on: an appended array may begin within one.
			first[i] = a.offset[i] - a.offset[i]%a.out.ChunkShape[i]
			last[i] = (a.offset[i] + a.in.Shape[i] - first[i] - 1) / n
		}
		for index := range nd.Between(make([]uint64, len(a.slab)), last) {
			s := &slab{array: a, origin: make([]uint64, len(index)), shape: make([]uint64, len(index))}
			for i, n := range index {
				s.origin[i] = first[i] + n*a.slab[i]
				end := a.offset[i] + a.in.Shape[i] - s.origin[i]
				s.shape[i] = min(a.slab[i], roundUp(end, a.out.ChunkShape[i]))
			}
			if !yield(s) {
				return
			}
		}
	}
}

func roundUp(n, multiple uint64) uint64 { return (n + multiple - 1) / multiple * multiple }

// bytes is the size of the slab's elements.
func (s *slab) bytes() int64 { return int64(nd.Volume(s.shape)) * int64(s.array.out.DataType.Size()) }

// slab writes the chunks of a slab that an earlier run has not written.
func (w *writer) slab(ctx context.Context, s *slab) error {
	a := s.array
	var missing [][]uint64 // positions of chunks to write
	for index := range s.chunks() {
		key := a.key(index)
		if w.journal.has(key) {
			w.kept.Add(1)
			continue
		}
		missing = append(missing, index)
	}
	if len(missing) == 0 {
		return nil
	}
	if a.verbatim {
		return w.copyChunks(ctx, s, missing)
	}
	if a.growth != nil {
		return w.do(ctx, func() error { return w.growTexts(ctx, s, missing) })
	}
	parts := a.parts(s)
	if len(missing) == 1 && len(parts) == 1 && a.same(&parts[0], s) {
		return w.transcode(ctx, s, parts[0].index, missing[0])
	}
	data, holes, err := w.elements(ctx, s, parts)
	if err != nil || data == nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, index := range missing {
		if holes.all(s, index) {
			continue
		}
		group.Go(func() error {
			return w.do(ctx, func() error {
				stored, buffer, err := w.encode(s, data, index)
				if err != nil {
					return err
				}
				err = s.out.put(ctx, index, stored)
				if !w.target.Ordered() {
					w.free.Put(buffer)
				}
				return err
			})
		})
	}
	err = group.Wait()
	if holes.own && !w.target.Ordered() { // else the put chunks may be elements that wait
		w.slabs.put(data)
	}
	return err
}

// slabBuffers are memory of slabs that have been put, for the next ones. The system would have to clear new memory.
type slabBuffers struct {
	mu   sync.Mutex
	free [][]byte
}

// take returns memory of n bytes, of any content.
func (b *slabBuffers) take(n int64) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, buffer := range b.free {
		if room := int64(cap(buffer)); room >= n && room/4 <= n {
			b.free = slices.Delete(b.free, i, i+1)
			return buffer[:n]
		}
	}
	b.free = nil // so that no more is held than slabs take
	return make([]byte, n)
}

func (b *slabBuffers) put(buffer []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buffer)
}

// transcode decodes a chunk of the view that is a slab of one chunk, and encodes it at once: no
// elements wait for a worker, and their memory is used again.
func (w *writer) transcode(ctx context.Context, s *slab, from, to []uint64) error {
	return w.do(ctx, func() error {
		a := s.array
		c, err := a.view.Chunk(ctx, a.path, from)
		if errors.Is(err, zarr.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		own := c.Own || c.Stored != nil
		var buffer []byte
		if own {
			buffer = w.free.Take(c.Size)
		}
		decoded, err := c.Bytes(buffer)
		if err != nil {
			return err
		}
		data, err := a.elements(c, decoded)
		if err != nil {
			return err
		}
		stored, _, err := w.encode(s, data, to)
		if err != nil {
			return err
		}
		if err := s.out.put(ctx, to, stored); err != nil {
			return err
		}
		if own && !reuse.Shares(decoded, stored) {
			w.free.Put(decoded)
		}
		return nil
	})
}

// chunks yields the positions, in the grid of the array, of the chunks of the slab.
func (s *slab) chunks() iter.Seq[[]uint64] {
	first, last := make([]uint64, len(s.shape)), make([]uint64, len(s.shape))
	for i, n := range s.array.out.ChunkShape {
		first[i], last[i] = s.origin[i]/n, (s.origin[i]+s.shape[i]-1)/n
	}
	return nd.Between(first, last)
}

// copyChunks puts chunks as the view stores them.
func (w *writer) copyChunks(ctx context.Context, s *slab, missing [][]uint64) error {
	a := s.array
	for _, index := range missing {
		err := w.do(ctx, func() error {
			stored, err := a.stored(ctx, index)
			if errors.Is(err, zarr.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			return s.out.put(ctx, index, stored)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// encode makes the stored bytes of the chunk at a position, from the elements of the slab. They may be in the
// memory of data, or of buffer, which can be used again when they are put.
func (w *writer) encode(s *slab, data []byte, index []uint64) (stored, buffer []byte, err error) {
	a := s.array
	if slices.Equal(s.shape, a.out.ChunkShape) {
		stored, err = a.coder.Encode(data)
		return stored, nil, err
	}
	origin := make([]uint64, len(index))
	for i, n := range index {
		origin[i] = n*a.out.ChunkShape[i] - s.origin[i]
	}
	if run := s.run(data, origin); run != nil {
		stored, err = a.coder.Encode(run)
		return stored, nil, err
	}
	shape, size := a.out.ChunkShape, a.out.DataType.Size()
	n := int64(nd.Volume(shape)) * int64(size)
	if buffer = w.free.Take(n); buffer == nil {
		buffer = make([]byte, n)
	}
	buffer = buffer[:n]
	nd.Copy(nd.At(buffer, shape, nil), nd.At(data, s.shape, origin), shape, size)
	stored, err = a.coder.Encode(buffer)
	return stored, buffer, err
}

// run is the chunk at origin in the elements of the slab, nil if its elements are not consecutive there.
func (s *slab) run(data []byte, origin []uint64) []byte {
	element, size := int64(s.array.out.DataType.Size()), s.array.coder.Size()
	strides := nd.Strides(s.shape, element)
	if !nd.IsRun(s.array.out.ChunkShape, strides, element) {
		return nil
	}
	first := nd.Offset(origin, strides)
	return data[first : first+size : first+size]
}

// filled are the blocks of a slab that have elements.
type filled struct {
	mu     sync.Mutex
	blocks []block
	own    bool // the elements lie in memory of slabBuffers
}

// A block is part of an array: its first elements and lengths.
type block struct{ origin, shape []uint64 }

func (f *filled) add(b block) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blocks = append(f.blocks, b)
}

// all reports whether the chunk at a position is nothing but holes.
func (f *filled) all(s *slab, index []uint64) bool {
	return !slices.ContainsFunc(f.blocks, func(b block) bool {
		for i, n := range s.array.out.ChunkShape {
			if index[i]*n >= b.origin[i]+b.shape[i] || b.origin[i] >= (index[i]+1)*n {
				return false
			}
		}
		return true
	})
}

// elements reads the elements of a slab from the view and the old store, and adds fill values. Data is nil if
// the view has none.
func (w *writer) elements(ctx context.Context, s *slab, parts []part) (data []byte, f *filled, err error) {
	a := s.array
	f = new(filled)
	if len(parts) == 1 && a.same(&parts[0], s) {
		err := w.do(ctx, func() error {
			data, err = a.chunk(ctx, parts[0].index)
			f.add(parts[0].block)
			return err
		})
		if errors.Is(err, zarr.ErrNotFound) {
			return nil, f, nil
		}
		return data, f, err
	}
	group, partCtx := errgroup.WithContext(ctx)
	// A part is read before memory is taken for all of them: it may claim any size.
	all := a.old == nil && s.isAll(parts)
	made := sync.OnceValues(func() ([]byte, error) {
		data := w.slabs.take(s.bytes())
		if all {
			return data, nil
		}
		nd.Repeat(data, a.fill)
		return data, a.readOld(ctx, s, data)
	})
	holes := new(filled) // that have no fill values yet
	group.SetLimit(w.opts.Workers)
	for _, p := range parts {
		group.Go(func() error {
			return w.do(partCtx, func() error {
				err := a.readPart(partCtx, s, &p, made)
				if errors.Is(err, zarr.ErrNotFound) {
					holes.add(p.block)
					return nil
				}
				f.add(p.block)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil || len(f.blocks) == 0 {
		return nil, nil, err
	}
	data, err = made()
	f.own = true
	if all && err == nil {
		for _, hole := range holes.blocks {
			s.setFill(data, hole)
		}
	}
	return data, f, err
}

// isAll reports whether parts, which do not overlap, are all of the slab.
func (s *slab) isAll(parts []part) bool {
	n := uint64(0)
	for i := range parts {
		n += nd.Volume(parts[i].shape)
	}
	return n == nd.Volume(s.shape)
}

// setFill sets the elements of a block in the slab to the fill value.
func (s *slab) setFill(data []byte, b block) {
	size := s.array.out.DataType.Size()
	fill := make([]byte, nd.Volume(b.shape)*uint64(size))
	nd.Repeat(fill, s.array.fill)
	into := make([]uint64, len(b.origin))
	for i, o := range b.origin {
		into[i] = o - s.origin[i]
	}
	nd.Copy(nd.At(data, s.shape, into), nd.At(fill, b.shape, nil), b.shape, size)
}

// A part is the piece of a view's chunk that a slab has.
type part struct {
	index []uint64 // of the chunk in the view
	block          // in the array
	from  []uint64 // first element of the block in the chunk
}

// parts are the chunks of the view that a slab touches.
func (a *arrayPlan) parts(s *slab) []part {
	n := len(s.shape)
	low, high := make([]uint64, n), make([]uint64, n)   // elements of the view in the slab
	first, last := make([]uint64, n), make([]uint64, n) // chunks of the view
	for i, c := range a.in.ChunkShape {
		if s.origin[i] > a.offset[i] {
			low[i] = s.origin[i] - a.offset[i]
		}
		high[i] = min(s.origin[i]+s.shape[i]-a.offset[i], a.in.Shape[i])
		first[i], last[i] = low[i]/c, (high[i]-1)/c
	}
	var parts []part
	for index := range nd.Between(first, last) {
		p := part{index: index, block: block{make([]uint64, n), make([]uint64, n)}, from: make([]uint64, n)}
		for i, c := range a.in.ChunkShape {
			from := max(low[i], index[i]*c)
			p.from[i] = from - index[i]*c
			p.origin[i] = a.offset[i] + from
			p.shape[i] = min(high[i], (index[i]+1)*c) - from
		}
		parts = append(parts, p)
	}
	return parts
}

// same reports whether a chunk of the view is the slab.
func (a *arrayPlan) same(p *part, s *slab) bool {
	return a.old == nil && slices.Equal(a.in.ChunkShape, s.shape) && !slices.ContainsFunc(p.from, func(n uint64) bool { return n != 0 }) &&
		slices.Equal(p.origin, s.origin)
}

// readPart copies the slab's piece of a chunk to its elements, which made gives.
func (a *arrayPlan) readPart(ctx context.Context, s *slab, p *part, made func() ([]byte, error)) error {
	into := make([]uint64, len(p.origin))
	for i, o := range p.origin {
		into[i] = o - s.origin[i]
	}
	c, err := a.view.Chunk(ctx, a.path, p.index)
	if err != nil {
		return err
	}
	of, err := a.chunkArray(ctx, c, p)
	if err != nil {
		return err
	}
	region := array.Region{Start: p.from, Count: p.shape}
	if of != nil && a.in.DataType == a.out.DataType {
		if fits := of.Info().Fits; fits != nil {
			err = fits(region.Elements() * uint64(a.out.DataType.Size()))
		}
		if err != nil {
			return err
		}
		data, err := made()
		if err != nil {
			return err
		}
		return array.Into(ctx, of, region, data, s.shape, into)
	}
	var rows nd.Block
	if of != nil {
		data, err := array.Read(ctx, of, region, nil)
		if err == nil {
			data, err = a.convert(data)
		}
		if err != nil {
			return err
		}
		rows = nd.At(data, p.shape, nil)
	} else if rows, err = a.chunkRows(c, p); err != nil {
		return err
	}
	data, err := made()
	if err != nil {
		return err
	}
	nd.Copy(nd.At(data, s.shape, into), rows, p.shape, a.out.DataType.Size())
	return nil
}

// chunkRows reads at least the elements of a part, which begin at the origin of the block.
func (a *arrayPlan) chunkRows(c serve.Chunk, p *part) (rows nd.Block, err error) {
	if c.Stored == nil || !a.source.Plain() || len(p.from) == 0 {
		data, err := a.decode(c)
		return nd.At(data, a.in.ChunkShape, p.from), err
	}
	// The elements lie in the file: only the rows of the part are read.
	first, rows := nd.Cover(a.in.ChunkShape, p.from, p.shape)
	size := uint64(a.in.DataType.Size())
	rows.Data = make([]byte, nd.Volume(rows.Shape)*size)
	if n, err := c.Stored.ReadAt(rows.Data, int64(first*size)); n < len(rows.Data) {
		return rows, fmt.Errorf("%d of %d bytes read at %d: %w", n, len(rows.Data), first*size, err)
	}
	rows.Data, err = a.convert(rows.Data)
	return rows, err
}

// chunkArray is the array of a chunk that is read in part. Where other elements are decoded with the part,
// it keeps them in a temporary file. It is nil if the chunk is read as a whole.
func (a *arrayPlan) chunkArray(ctx context.Context, c serve.Chunk, p *part) (array.Array, error) {
	if c.Array == nil || c.Stored != nil || !a.source.Plain() || slices.Equal(p.shape, a.in.ChunkShape) {
		return nil, nil
	}
	key := fmt.Sprint(p.index)
	if of, ok := a.spilled.Load(key); ok {
		return of.(array.Array), nil
	}
	of, err := c.Array(ctx)
	if err != nil {
		return nil, err
	}
	info := of.Info()
	if info.DType.String() != string(a.in.DataType) || !slices.Equal(info.Shape, a.in.ChunkShape) {
		return nil, nil
	}
	again := false // blocks would be decoded for one slab after the other
	for i, n := range info.Block {
		again = again || min(n, info.Shape[i]) > a.slab[i]
	}
	switch {
	case !again:
		return of, nil
	case a.spill == nil || a.reads == 1:
		return nil, nil
	}
	kept, _ := a.spilled.LoadOrStore(key, a.spill.Array(of, a.slab))
	return kept.(array.Array), nil
}

// chunk gives the elements of a chunk of the view, in the type of the store.
func (a *arrayPlan) chunk(ctx context.Context, index []uint64) ([]byte, error) {
	c, err := a.view.Chunk(ctx, a.path, index)
	if err != nil {
		return nil, err
	}
	return a.decode(c)
}

func (a *arrayPlan) decode(c serve.Chunk) ([]byte, error) {
	data, err := c.Bytes(nil)
	if err != nil {
		return nil, err
	}
	return a.elements(c, data)
}

// elements gives the elements of a chunk of the view that was read, in the type of the store. They
// may be in its memory.
func (a *arrayPlan) elements(c serve.Chunk, decoded []byte) ([]byte, error) {
	data, err := a.source.Decode(decoded)
	if err != nil && c.Wrap != nil {
		err = c.Wrap(err)
	}
	if err != nil {
		return nil, err
	}
	return a.convert(data)
}

// stored gives the bytes of a chunk of the view as it stores them.
func (a *arrayPlan) stored(ctx context.Context, index []uint64) ([]byte, error) {
	c, err := a.view.Chunk(ctx, a.path, index)
	if err != nil {
		return nil, err
	}
	return c.Bytes(nil)
}

// readOld copies the elements that a slab has from the array before.
func (a *arrayPlan) readOld(ctx context.Context, s *slab, data []byte) error {
	if a.old == nil {
		return nil
	}
	before := a.old.Metadata().Shape
	n := make([]uint64, len(before))
	for i := range n {
		if s.origin[i] >= before[i] {
			return nil
		}
		n[i] = min(s.shape[i], before[i]-s.origin[i])
	}
	size := a.out.DataType.Size()
	old := make([]byte, int64(nd.Volume(n))*int64(size))
	if err := a.old.ReadRegion(ctx, old, s.origin, n); err != nil {
		return err
	}
	nd.Copy(nd.At(data, s.shape, nil), nd.At(old, n, nil), n, size)
	return nil
}
