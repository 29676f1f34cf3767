package zarr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

// onlyShards returns the codec sharding_indexed if chunks are nothing but its shards, else nil.
func (c *chain) onlyShards() *sharding {
	if s, ok := c.stages[0].(*sharding); ok && len(c.stages) == 1 && !c.specs[0].element.anyLength() {
		return s
	}
	return nil
}

// readShard reads a region's part of one shard: the index, and the inner chunks that the region touches, each
// decoded on its own. Neighbours in the shard are read in one request.
func (a *Array) readShard(ctx context.Context, s *sharding, target nd.Block, p part, rooms *reuse.Buffers) error {
	key := JoinKey(a.path, a.meta.ChunkKeys.Key(p.index))
	err := a.readInner(ctx, s, key, target, p, rooms)
	switch {
	case errors.Is(err, ErrNotFound):
		nd.Fill(target, p.count, a.fill)
		return nil
	case err != nil:
		return fault.Errorf("zarr", "%s: %w", key, err)
	}
	return nil
}

func (a *Array) readInner(ctx context.Context, s *sharding, key string, target nd.Block, p part, rooms *reuse.Buffers) error {
	value, err := a.store.Open(ctx, key)
	if err != nil {
		return err
	}
	defer value.Close()
	info := value.Info()
	index, err := a.shards.get(fmt.Sprintf("%s %d %s", key, info.Size, info.ETag), func() ([]innerChunk, error) { return s.readIndex(ctx, value) })
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, run := range s.runs(index, p) {
		group.Go(func() error {
			stored := roomFor(rooms.Take(int64(run.length)), int(run.length))
			if err := readAt(ctx, value, run.innerChunk, stored); err != nil {
				return err
			}
			for _, i := range run.chunks {
				at := index[i].offset - run.offset
				if err := s.decodePart(target, stored[at:at+index[i].length], i, p, rooms); err != nil {
					return err
				}
			}
			rooms.Put(stored)
			return nil
		})
	}
	for i := range s.touched(p) {
		if index[i].absent() {
			b := s.overlap(i, p)
			nd.Fill(nd.At(target.Data, target.Shape, sum(target.Origin, b.into)), b.count, s.fill)
		}
	}
	return group.Wait()
}

// readIndex reads the index of a shard.
func (s *sharding) readIndex(ctx context.Context, shard Value) ([]innerChunk, error) {
	size, n := shard.Info().Size, int64(s.indexBytes())
	if size < n || size > s.limit() {
		return nil, fmt.Errorf("codec %s: %d bytes, expected from the %d of the index to %d", shardingName, size, n, s.limit())
	}
	at := innerChunk{uint64(size - n), uint64(n)}
	if s.atStart {
		at.offset = 0
	}
	stored := make([]byte, n)
	if err := readAt(ctx, shard, at, stored); err != nil {
		return nil, err
	}
	return s.parseIndex(stored, uint64(size))
}

func readAt(ctx context.Context, v Value, at innerChunk, dst []byte) error {
	if len(dst) == 0 {
		return nil
	}
	body, err := v.Read(ctx, Bytes(int64(at.offset), int64(at.length)))
	if err != nil {
		return err
	}
	defer body.Close()
	if n, err := io.ReadFull(body, dst); err != nil {
		return fmt.Errorf("read %d of %d bytes at byte %d: %w", n, len(dst), at.offset, err)
	}
	return nil
}

// A shardRun is a run of bytes of a shard with inner chunks in it.
type shardRun struct {
	innerChunk
	chunks []int
}

// The bounds of a request: gaps up to shardGap belong to a run, and runs end after shardRunBytes.
const (
	shardGap      = 32 << 10
	shardRunBytes = 4 << 20
)

// runs are the runs with the inner chunks that a part of a shard touches. Some writers order these along a
// Morton curve, so that neighbours in the shard are not neighbours in the array.
func (s *sharding) runs(index []innerChunk, p part) []shardRun {
	stored := slices.DeleteFunc(slices.Collect(s.touched(p)), func(i int) bool { return index[i].absent() })
	slices.SortStableFunc(stored, func(i, j int) int { return cmp.Compare(index[i].offset, index[j].offset) })
	var runs []shardRun
	for _, i := range stored {
		c := index[i]
		if n := len(runs); n > 0 {
			last := &runs[n-1]
			end := last.offset + last.length
			if c.offset >= end && c.offset-end <= shardGap && last.length < shardRunBytes {
				last.length = c.offset + c.length - last.offset
				last.chunks = append(last.chunks, i)
				continue
			}
		}
		runs = append(runs, shardRun{c, []int{i}})
	}
	return runs
}

// touched yields the numbers of the inner chunks that a part touches.
func (s *sharding) touched(p part) func(yield func(int) bool) {
	first, last := make([]uint64, len(s.chunk)), make([]uint64, len(s.chunk))
	for d, n := range s.chunk {
		first[d], last[d] = p.from[d]/n, (p.from[d]+p.count[d]-1)/n
	}
	return func(yield func(int) bool) {
		for at := range nd.Between(first, last) {
			if !yield(int(nd.Number(at, s.grid))) {
				return
			}
		}
	}
}

// overlap is the overlap of a part and inner chunk i: into counts from the part's own first element.
func (s *sharding) overlap(i int, p part) part {
	origin := s.origin(i)
	dims := len(origin)
	b := part{p.index, make([]uint64, dims), make([]uint64, dims), make([]uint64, dims)}
	for d := range dims {
		lo, hi := max(origin[d], p.from[d]), min(origin[d]+s.chunk[d], p.from[d]+p.count[d])
		b.from[d], b.into[d], b.count[d] = lo-origin[d], lo-p.from[d], hi-lo
	}
	return b
}

// decodePart decodes inner chunk i, and copies its overlap with a part.
func (s *sharding) decodePart(target nd.Block, stored []byte, i int, p part, rooms *reuse.Buffers) error {
	room := rooms.Take(int64(s.innerBytes()))
	data, _, err := s.inner.decode(room, stored, int64(s.innerBytes()))
	if err != nil {
		return fmt.Errorf("codec %s: chunk %d: %w", shardingName, i, err)
	}
	b := s.overlap(i, p)
	nd.Copy(nd.At(target.Data, target.Shape, sum(target.Origin, b.into)), nd.At(data, s.chunk, b.from), b.count, s.size)
	if s.inner.copies() { // data is not in the memory of stored
		rooms.Put(data)
	}
	return nil
}

func sum(a, b []uint64) []uint64 {
	out := make([]uint64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}
