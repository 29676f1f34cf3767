package tozarr

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/hyperslab"
	"github.com/tgmconv/tgmconv/internal/reuse"
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
		for index := range boxes(make([]uint64, len(a.slab)), last) {
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

// boxes yields the positions from first to last, which are included, in C order. Each is a slice of
// its own.
func boxes(first, last []uint64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		at := slices.Clone(first)
		for yield(slices.Clone(at)) {
			i := len(at) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] <= last[i] {
					break
				}
				at[i] = first[i]
			}
			if i < 0 {
				return
			}
		}
	}
}

func roundUp(n, multiple uint64) uint64 { return (n + multiple - 1) / multiple * multiple }

// bytes is the size of the slab's elements.
func (s *slab) bytes() int64 { return volume(s.shape) * int64(s.array.out.DataType.Size()) }

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
				stored, err := w.encode(s, data, index)
				if err != nil {
					return err
				}
				return s.out.put(ctx, index, stored)
			})
		})
	}
	return group.Wait()
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
		stored, err := w.encode(s, data, to)
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
	return boxes(first, last)
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

// encode makes the stored bytes of the chunk at a position, of the elements of the slab. They may
// be in the memory of data.
func (w *writer) encode(s *slab, data []byte, index []uint64) ([]byte, error) {
	a := s.array
	if slices.Equal(s.shape, a.out.ChunkShape) {
		return a.coder.Encode(data)
	}
	origin := make([]uint64, len(index))
	for i, n := range index {
		origin[i] = n*a.out.ChunkShape[i] - s.origin[i]
	}
	if run := s.run(data, origin); run != nil {
		return a.coder.Encode(run)
	}
	chunk := make([]byte, a.coder.Size())
	hyperslab.Copy(hyperslab.At(chunk, a.out.ChunkShape, make([]uint64, len(index))),
		hyperslab.At(data, s.shape, origin), a.out.ChunkShape, a.out.DataType.Size())
	return a.coder.Encode(chunk)
}

// run is the chunk at origin in the elements of the slab, nil if these do not follow each other
// there.
func (s *slab) run(data []byte, origin []uint64) []byte {
	chunk, size := s.array.out.ChunkShape, s.array.coder.Size()
	at, cut := uint64(0), false
	for i, n := range chunk {
		if cut && n < s.shape[i] {
			return nil
		}
		cut = cut || n > 1
		at = at*s.shape[i] + origin[i]
	}
	first := int64(at) * int64(s.array.out.DataType.Size())
	return data[first : first+size : first+size]
}

// filled are the blocks of a slab that have elements.
type filled struct {
	mu     sync.Mutex
	blocks []block
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

// elements reads the elements of a slab: those of the view, those that the store had before, and
// fill values. Data is nil if the view has none.
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
	data = make([]byte, s.bytes())
	hyperslab.Fill(hyperslab.At(data, s.shape, make([]uint64, len(s.shape))), s.shape, a.fill)
	if err := a.readOld(ctx, s, data); err != nil {
		return nil, nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(w.opts.Workers)
	for _, p := range parts {
		group.Go(func() error {
			return w.do(ctx, func() error {
				err := a.readPart(ctx, s, &p, data)
				if errors.Is(err, zarr.ErrNotFound) {
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
	return data, f, nil
}

// A part is what a slab has of a chunk of the view.
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
	for index := range boxes(first, last) {
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

// readPart copies what a slab has of a chunk.
func (a *arrayPlan) readPart(ctx context.Context, s *slab, p *part, data []byte) error {
	chunk, from, err := a.chunkRows(ctx, p)
	if err != nil {
		return err
	}
	into := make([]uint64, len(p.origin))
	for i, o := range p.origin {
		into[i] = o - s.origin[i]
	}
	hyperslab.Copy(hyperslab.At(data, s.shape, into), from.of(chunk), p.shape, a.out.DataType.Size())
	return nil
}

// of is the block of elements.
func (b block) of(data []byte) hyperslab.Block {
	return hyperslab.At(data, b.shape, b.origin)
}

// chunkRows reads at least the elements of a part. from says where these lie in what it returns.
func (a *arrayPlan) chunkRows(ctx context.Context, p *part) (data []byte, from block, err error) {
	c, err := a.view.Chunk(ctx, a.path, p.index)
	if err != nil {
		return nil, from, err
	}
	shape, origin := slices.Clone(a.in.ChunkShape), slices.Clone(p.from)
	if c.Stored == nil || !a.source.Plain() || len(shape) == 0 {
		data, err = a.decode(c)
		return data, block{origin, shape}, err
	}
	// The elements lie in the file: only the rows of the part are read.
	row, at := int64(a.in.DataType.Size()), 0
	for at < len(shape)-1 && p.shape[at] == 1 {
		at++
	}
	for _, n := range shape[at+1:] {
		row *= int64(n)
	}
	start := int64(0)
	for i := range at + 1 {
		start = start*int64(shape[i]) + int64(origin[i])
		if i < at {
			shape[i] = 1
		}
		origin[i] = 0
	}
	shape[at] = p.shape[at]
	data = make([]byte, row*int64(p.shape[at]))
	if n, err := c.Stored.ReadAt(data, start*row); n < len(data) {
		return nil, from, fmt.Errorf("%d of %d bytes read at %d: %w", n, len(data), start*row, err)
	}
	data, err = a.convert(data)
	return data, block{origin, shape}, err
}

// chunk gives the elements of a chunk of the view, in the type of the store.
func (a *arrayPlan) chunk(ctx context.Context, index []uint64) ([]byte, error) {
	c, err := a.view.Chunk(ctx, a.path, index)
	if err != nil {
		return nil, err
	}
	return a.decode(c)
}

func (a *arrayPlan) decode(c zarr.Chunk) ([]byte, error) {
	data, err := c.Bytes(nil)
	if err != nil {
		return nil, err
	}
	return a.elements(c, data)
}

// elements gives the elements of a chunk of the view that was read, in the type of the store. They
// may be in its memory.
func (a *arrayPlan) elements(c zarr.Chunk, decoded []byte) ([]byte, error) {
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

// readOld copies what a slab has of the array that the store had before.
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
	old := make([]byte, volume(n)*int64(size))
	if err := a.old.ReadRegion(ctx, old, s.origin, n); err != nil {
		return err
	}
	zero := make([]uint64, len(n))
	hyperslab.Copy(hyperslab.At(data, s.shape, zero), hyperslab.At(old, n, zero), n, size)
	return nil
}

// volume is the number of elements of a shape.
func volume(shape []uint64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}
