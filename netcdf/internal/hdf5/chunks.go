package hdf5

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// chunkJob is one chunk of a read: the part of it that is wanted, and where it goes.
type chunkJob struct {
	ref    chunkRef
	first  []uint64 // index within the chunk of the first wanted element
	count  []uint64
	target int64 // in dst
	whole  bool  // all of the chunk's elements within the dataset are wanted
	part   part
	plain  bool // stored without filters
}

// chunkRead is one call of Read on chunks.
type chunkRead struct {
	d            *Dataset
	dst          []byte
	start, count []uint64
	strides      []int64 // of dst
	chunkStrides []int64 // of a decoded chunk
}

func (d *Dataset) readChunks(ctx context.Context, dst []byte, start, count []uint64) error {
	r := &chunkRead{d: d, dst: dst, start: start, count: count,
		strides: nd.Strides(count, int64(d.conv.out)), chunkStrides: nd.Strides(d.Chunk, int64(d.conv.out))}
	lo, hi := d.chunkBox(start, count)
	total := uint64(1)
	for i := range lo {
		total *= hi[i] - lo[i] + 1
	}
	// All places are found first: when chunks are missing, dst is filled before any other is
	// stored. There is at most one place for each element of dst.
	var at []uint64
	var refs []chunkRef
	err := d.index.each(lo, hi, func(p []uint64, ref chunkRef) error {
		at, refs = append(at, p...), append(refs, ref)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if uint64(len(refs)) < total {
		nd.Repeat(dst, d.fill)
	}
	return r.run(ctx, at, refs)
}

// run reads the chunks, on several cores if there are several.
func (r *chunkRead) run(ctx context.Context, at []uint64, refs []chunkRef) error {
	rank := len(r.start)
	job := func(i int) chunkJob { return r.job(at[i*rank:(i+1)*rank], refs[i]) }
	if len(refs) == 1 {
		j := job(0)
		return r.chunk(ctx, &j, new(scratch))
	}
	workers := r.d.workers(len(refs))
	longest := max(1, len(refs)/(4*workers))
	var mu sync.Mutex
	next := 0
	take := func() (first, end int) {
		mu.Lock()
		defer mu.Unlock()
		first = next
		next += neighbours(refs[first:], longest)
		return first, next
	}
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			var s scratch
			for {
				i, end := take()
				if i == end {
					return nil
				}
				r.readAhead(refs[i:end], &s)
				for ; i < end; i++ {
					if err := ctx.Err(); err != nil {
						return err
					}
					j := job(i)
					if err := r.chunk(ctx, &j, &s); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

// parallelChunkBytes bounds the memory of all workers; a single chunk may need more.
const parallelChunkBytes = 256 << 20

// workers returns on how many cores n chunks are decoded. Each worker needs memory for about three
// chunks.
func (d *Dataset) workers(n int) int {
	size := int64(nd.Volume(d.Chunk)) * int64(d.conv.out)
	return max(1, min(n, runtime.GOMAXPROCS(0), int(parallelChunkBytes/(3*size+1))))
}

// job cuts the chunk at a position to its wanted part.
func (r *chunkRead) job(at []uint64, ref chunkRef) chunkJob {
	rank := len(at)
	box := make([]uint64, 2*rank)
	j := chunkJob{ref: ref, first: box[:rank], count: box[rank:], part: part{1, 1}}
	edge := false
	for i, p := range at {
		begin := p * r.d.Chunk[i]
		end := min(begin+r.d.Chunk[i], r.d.Space.Dims[i])
		edge = edge || end < begin+r.d.Chunk[i]
		from, to := max(begin, r.start[i]), min(end, r.start[i]+r.count[i])
		j.first[i], j.count[i] = from-begin, to-from
		j.part.wanted *= int64(to - from)
		j.part.all *= int64(end - begin)
		j.target += int64(from-r.start[i]) * r.strides[i]
	}
	j.whole = j.part.wanted == j.part.all
	j.plain = len(r.d.Filters) == 0 || edge && r.d.layout.plainEdges
	return j
}

// chunk reads one chunk into its place in dst.
func (r *chunkRead) chunk(ctx context.Context, j *chunkJob, s *scratch) error {
	d := r.d
	if j.plain && d.conv.each == nil {
		return r.plain(ctx, j)
	}
	var b []byte
	var err error
	if j.whole {
		if out := r.inPlace(j); out != nil {
			b, err = d.decodeChunk(out, j, s)
			if err == nil && &b[0] != &out[0] {
				copy(out, b)
			}
			return err
		}
		b, err = d.decodeChunk(nil, j, s)
	} else {
		b, err = d.f.chunks.get(chunkKey{d, j.ref.addr}, j.part, func() ([]byte, error) { return d.decodeChunk(nil, j, new(scratch)) })
	}
	if err != nil {
		return err
	}
	nd.CopyStrided(r.dst[j.target:], r.strides, b[nd.Offset(j.first, r.chunkStrides):], r.chunkStrides, j.count, d.conv.out)
	return nil
}

// inPlace returns the part of dst that a chunk fills if it is a piece in the same order. Otherwise
// it returns nil.
func (r *chunkRead) inPlace(j *chunkJob) []byte {
	if !slices.Equal(j.count, r.d.Chunk) {
		return nil
	}
	size := int64(r.d.conv.out)
	if !nd.IsRun(j.count, r.strides, size) {
		return nil
	}
	return r.dst[j.target : j.target+size*int64(nd.Volume(j.count))]
}

// plain reads the wanted part of a chunk without filters straight from the file.
func (r *chunkRead) plain(ctx context.Context, j *chunkJob) error {
	d := r.d
	region := d.region(clamp(j.ref.addr), d.Chunk, j.first, j.count)
	if out := r.inPlace(j); out != nil {
		return d.readRegion(ctx, &region, out)
	}
	n := int64(nd.Volume(j.count)) * int64(d.conv.in)
	if err := d.f.src.Check(d.what, int64(j.ref.addr), n); err != nil {
		return err
	}
	b := make([]byte, n)
	if err := d.readRegion(ctx, &region, b); err != nil {
		return err
	}
	nd.CopyStrided(r.dst[j.target:], r.strides, b, nd.Strides(j.count, int64(d.conv.out)), j.count, d.conv.out)
	return nil
}

// decodeChunk reads and decodes a whole chunk into out if that is not nil. Otherwise it uses memory
// of s or its own.
func (d *Dataset) decodeChunk(out []byte, j *chunkJob, s *scratch) ([]byte, error) {
	what := "chunk of " + d.what
	elements := int64(nd.Volume(d.Chunk))
	stored := j.ref.size
	if j.plain {
		stored = uint64(elements) * uint64(d.conv.in)
	}
	b, err := d.stored(what, j.ref.addr, stored, s)
	if err != nil {
		return nil, err
	}
	if !j.plain {
		raw := out
		if d.conv.in != d.conv.out {
			raw = nil
		}
		if err := d.pipeline.plausible(len(b), j.ref.mask, elements*int64(d.conv.in)); err != nil {
			return nil, d.f.errorf(what, j.ref.addr, "%w", err)
		}
		if raw == nil {
			s.chunk = room(s.chunk, int(elements)*d.conv.in)
			raw = s.chunk
		}
		if b, err = d.pipeline.undo(raw, b, j.ref.mask, s); err != nil {
			return nil, d.f.errorf(what, j.ref.addr, "%w", err)
		}
	}
	if d.conv.each == nil {
		d.conv.apply(b, b)
		return b, nil
	}
	native := make([]byte, int(elements)*d.conv.out)
	d.conv.apply(native, b)
	return native, nil
}

// trustedChunkBytes is the largest size that a chunk may unpack to from nearly no bytes.
const trustedChunkBytes = 256 << 20

// plausible returns an error if stored bytes cannot unpack to a chunk of want bytes, so that no
// memory is taken for the chunk. Some filters can store runs of any length: with these only large
// chunks are doubted.
func (p *pipeline) plausible(stored int, mask uint32, want int64) error {
	limit := int64(stored)
	for i, f := range p.filters {
		if mask>>i&1 != 0 {
			continue
		}
		switch f.ID {
		case FilterShuffle, FilterFletcher32:
		case FilterDeflate:
			limit *= maxDeflateRatio
		default:
			limit = max(limit, trustedChunkBytes, int64(stored)*maxDeflateRatio)
		}
		if limit > maxChunkBytes {
			return nil
		}
	}
	if limit < want {
		return fmt.Errorf("%d stored bytes cannot unpack to %d", stored, want)
	}
	return nil
}
