package tet

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// ReadOptions say how to read. The zero value has the defaults.
type ReadOptions struct {
	Workers int // chunks to decode at the same time; 0 = GOMAXPROCS
	Budget  Budget
}

// NumWorkers returns how many chunks are decoded at the same time.
func (o ReadOptions) NumWorkers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

const (
	// pieceBytes is the size above which a raw chunk is read by several goroutines.
	pieceBytes = 8 << 20
	// batchBytes is the size up to which chunks are read by a single goroutine.
	batchBytes = 256 << 10
)

// A piece is a region of a chunk.
type piece struct {
	chunk Chunk
	region
}

// batches returns the regions to read, in the order of the chunk grid, in batches worth a
// goroutine.
func (p *Plan) batches(cells []int64) iter.Seq[[]piece] {
	elem := p.d.grid.elem
	return func(yield func([]piece) bool) {
		var batch []piece
		size := int64(0)
		for strips := range p.tiles() {
			coords := make([]int64, len(strips))
			for i, s := range strips {
				coords[i] = s.chunk
			}
			c := p.d.chunk(coords)
			for r := range p.block(strips, cells).split(elem, c.Codec) {
				batch = append(batch, piece{c, r})
				if size += r.bytes(elem); c.Codec == Zstd {
					size += c.Raw
				}
				if size < batchBytes && len(batch) < 256 {
					continue
				}
				if !yield(batch) {
					return
				}
				batch, size = nil, 0
			}
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// split divides a large region of a raw chunk.
func (r region) split(elem int64, c Codec) iter.Seq[region] {
	return func(yield func(region) bool) {
		size := r.bytes(elem)
		if c != Raw || size <= pieceBytes || len(r.axes) == 0 {
			yield(r)
			return
		}
		outer := r.axes[0]
		step := max(1, int64(float64(outer.N)*pieceBytes/float64(size)))
		for i := int64(0); i < outer.N; i += step {
			axes := append([]BlockAxis{{min(step, outer.N-i), outer.Stride, outer.Cell}}, r.axes[1:]...)
			if !yield(region{axes, r.src + i*outer.Stride, r.cell + i*outer.Cell}) {
				return
			}
		}
	}
}

// Fold reads a selection in blocks, several at the same time, without ever holding all of it.
// Elements are assigned to numbered cells, whose meaning is up to the caller: from one selected
// position along axis i to the next the number grows by cells[i]. Each call of work gets some of
// the blocks, and merge gets the results of work, in the order of the chunk grid and from one
// goroutine. The division into calls depends only on the selection and the file, so that results do
// not depend on the number of workers. A block is valid until the next is yielded.
func Fold[T any](ctx context.Context, p *Plan, o ReadOptions, cells []int64, work func(iter.Seq2[Block, error]) (T, error), merge func(T) error) error {
	workers, pool := p.workers(o)
	return inOrder(ctx, p.batches(cells), workers, func(batch []piece) (T, error) {
		s := pool.Get().(*scratch)
		defer pool.Put(s)
		return work(p.blocks(batch, s))
	}, merge)
}

// workers are how many goroutines decode, and their buffers, which stay within the budget. They are
// fewer than asked for where chunks are so large that they are decoded in pieces, and several
// windows would not fit.
func (p *Plan) workers(o ReadOptions) (int, *sync.Pool) {
	n, budget := int64(o.NumWorkers()), p.d.file.Budget(o.Budget)
	whole := max(64<<10, min(budget/(2*n), 64<<20))
	for c := range p.Chunks() { // the others are no larger
		if c.Codec == Zstd && c.Raw > whole {
			n = max(1, min(n, budget/(2*p.d.streamBytes(c))))
		}
		break
	}
	return int(n), &sync.Pool{New: func() any { return &scratch{whole: whole} }}
}

func (p *Plan) blocks(batch []piece, s *scratch) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		for _, c := range batch {
			err := p.d.payload(c.chunk, s, func(f fetcher) error {
				return c.walk(f, p.d.grid.elem, func(b Block) error {
					if !yield(b, nil) {
						return errStop
					}
					return nil
				})
			})
			if err == errStop {
				return
			}
			if err != nil {
				yield(Block{}, p.d.chunkError(c.chunk, err))
				return
			}
		}
	}
}

// inOrder does work on items at the same time and takes the results in the order of the items.
func inOrder[I, T any](ctx context.Context, items iter.Seq[I], workers int, work func(I) (T, error), take func(T) error) error {
	window := parallel.Window[I]{Workers: workers}
	for v, err := range parallel.Ordered(ctx, items, window, func(_ context.Context, item I) (T, error) { return work(item) }) {
		if err == nil {
			err = take(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
