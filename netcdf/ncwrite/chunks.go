package ncwrite

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// chunked stores the elements of a variable in chunks. Chunks that are written in parts are
// kept until all their elements are there.
type chunked struct {
	v       *variable
	shape   []uint64 // of a chunk
	strides []int64  // within a chunk
	bytes   int      // of a chunk
	filters []filter
	swap    int // bytes of a number to reverse, 0 or 1 for none
	length  func() []uint64
	file    *appender
	queue   *queue
	spill   *spill

	raw  sync.Pool // *[]byte, chunks
	work sync.Pool // *buffers

	mu      sync.Mutex
	pending map[string]*pendingChunk
	done    []h5enc.Chunk
}

// pendingChunk is a chunk with missing elements.
type pendingChunk struct {
	start   []uint64
	missing uint64 // elements
	memory  []byte // nil when it lies in the temporary file
	place   *dense
	slot    int64 // of place
}

// write implements store.
func (c *chunked) write(ctx context.Context, start, count []uint64, data []byte) error {
	if err := missing(c.filters); err != nil {
		return err
	}
	length := c.length()
	from := nd.Strides(count, int64(c.v.size))
	first, last, end := make([]uint64, len(start)), make([]uint64, len(start)), make([]uint64, len(start))
	for i := range start {
		end[i] = start[i] + count[i]
		first[i], last[i] = start[i]/c.shape[i], (end[i]-1)/c.shape[i]
	}
	for at := range nd.Between(first, last) {
		for i := range at {
			at[i] *= c.shape[i]
		}
		b := box{chunk: at, length: length}
		b.cut(c, start, end)
		offset := int64(0)
		for i := range start {
			offset += int64(b.lo[i]-start[i]) * from[i]
		}
		if err := c.put(ctx, &b, data[offset:], from); err != nil {
			return err
		}
	}
	return nil
}

// box is the part of a chunk that is written.
type box struct {
	chunk  []uint64 // first element of the chunk
	length []uint64 // of the variable
	lo     []uint64 // first element of the part
	count  []uint64
	n      uint64 // elements of the part
	want   uint64 // elements of the chunk that can be written
	at     int64  // of lo in the chunk, in bytes
}

// cut computes the part of a chunk that lies between start and end. An unlimited dimension may
// grow, so that all elements of its chunks can be written.
func (b *box) cut(c *chunked, start, end []uint64) {
	b.lo, b.count = make([]uint64, len(start)), make([]uint64, len(start))
	b.n, b.want = 1, 1
	for i, n := range c.shape {
		b.lo[i] = max(start[i], b.chunk[i])
		b.count[i] = min(end[i], b.chunk[i]+n) - b.lo[i]
		b.n *= b.count[i]
		b.at += int64(b.lo[i]-b.chunk[i]) * c.strides[i]
		if !c.v.dims[i].unlimited {
			n = min(n, b.length[i]-b.chunk[i])
		}
		b.want *= n
	}
}

// put stores the part of a chunk; src begins at its first element.
func (c *chunked) put(ctx context.Context, b *box, src []byte, from []int64) error {
	if b.n == b.want {
		if done, err := c.direct(ctx, b, src, from); done {
			return err
		}
		raw := c.get()
		if int(b.n)*c.v.size < c.bytes {
			nd.Repeat(raw, c.v.fill)
		}
		nd.CopyStrided(raw[b.at:], c.strides, src, from, b.count, c.v.size)
		return c.submit(ctx, b.chunk, raw)
	}
	p, err := c.gather(b, src, from)
	if p == nil || err != nil {
		return err
	}
	return c.complete(ctx, p)
}

// direct adds a chunk that needs no filters straight from the memory of the caller, and
// reports whether it did. The chunk must lie there in one piece, and no other work may be
// before it.
func (c *chunked) direct(ctx context.Context, b *box, src []byte, from []int64) (done bool, err error) {
	if len(c.filters) > 0 || c.swap > 1 || int(b.n)*c.v.size < c.bytes || ctx.Err() != nil {
		return false, nil
	}
	for i, n := range b.count {
		if n > 1 && from[i] != c.strides[i] {
			return false, nil
		}
	}
	return c.queue.now(func() error { return c.add(b.chunk, 0, src[:c.bytes]) })
}

// gather stores the part of a chunk with other parts of it, and returns the chunk when it is
// complete.
func (c *chunked) gather(b *box, src []byte, from []int64) (*pendingChunk, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := keyOf(b.chunk)
	p := c.pending[key]
	if p == nil {
		var err error
		if p, err = c.begin(b.chunk, b.want); err != nil {
			return nil, err
		}
		c.pending[key] = p
	}
	if b.n > p.missing {
		return nil, fmt.Errorf("chunk at %d: %w", b.chunk, ErrTwice)
	}
	p.missing -= b.n
	if err := c.putPart(p, b, src, from); err != nil || p.missing > 0 {
		return nil, err
	}
	delete(c.pending, key)
	return p, nil
}

func keyOf(chunk []uint64) string {
	key := make([]byte, 0, 8*len(chunk))
	for _, n := range chunk {
		key = binary.BigEndian.AppendUint64(key, n)
	}
	return string(key)
}

// begin returns a chunk without elements, in memory or, when there are many, in a file.
func (c *chunked) begin(chunk []uint64, want uint64) (*pendingChunk, error) {
	p := &pendingChunk{start: chunk, missing: want}
	if c.spill.take(int64(c.bytes)) {
		p.memory = c.get()
		nd.Repeat(p.memory, c.v.fill)
		return p, nil
	}
	file, slot, err := c.spill.slot(int64(c.bytes))
	if err != nil {
		return nil, err
	}
	p.place, p.slot = newDense(file, c.shape, c.v.size, 0), slot
	p.place.begin = slot
	return p, nil
}

// putPart stores elements in a pending chunk.
func (c *chunked) putPart(p *pendingChunk, b *box, src []byte, from []int64) error {
	if p.memory != nil {
		nd.CopyStrided(p.memory[b.at:], c.strides, src, from, b.count, c.v.size)
		return nil
	}
	part := make([]byte, int(b.n)*c.v.size)
	nd.CopyStrided(part, nd.Strides(b.count, int64(c.v.size)), src, from, b.count, c.v.size)
	local := make([]uint64, len(b.lo))
	for i := range local {
		local[i] = b.lo[i] - b.chunk[i]
	}
	return p.place.write(context.Background(), local, b.count, part)
}

// complete passes a pending chunk on.
func (c *chunked) complete(ctx context.Context, p *pendingChunk) error {
	raw := p.memory
	if raw != nil {
		c.spill.give(int64(c.bytes))
		return c.submit(ctx, p.start, raw)
	}
	raw = c.get()
	err := p.place.fill(int64(c.bytes), c.filler())
	if err == nil {
		err = c.spill.read(raw, p.slot)
	}
	if err != nil {
		return err
	}
	return c.submit(ctx, p.start, raw)
}

// filler returns the fill value, zeros if there is none.
func (c *chunked) filler() []byte {
	if c.v.fill == nil {
		return make([]byte, c.v.size)
	}
	return c.v.fill
}

// get returns memory for a chunk.
func (c *chunked) get() []byte {
	if b, ok := c.raw.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, c.bytes)
}

// submit has a chunk filtered and added to the file.
func (c *chunked) submit(ctx context.Context, start []uint64, raw []byte) error {
	var out []byte
	var skipped uint32
	var err error
	bufs, ok := c.work.Get().(*buffers)
	if !ok {
		bufs = new(buffers)
	}
	return c.queue.do(ctx, 2*int64(len(raw)), func() {
		wire.Swap(raw, max(1, c.swap))
		out, skipped, err = filterChunk(c.filters, raw, bufs)
	}, func() error {
		if err == nil {
			err = c.add(start, skipped, out)
		}
		c.raw.Put(&raw)
		c.work.Put(bufs)
		return c.v.wrap(err)
	})
}

// add appends a filtered chunk to the file and to the index.
func (c *chunked) add(start []uint64, skipped uint32, stored []byte) error {
	if uint64(len(stored)) > 1<<32-1 {
		return fmt.Errorf("chunk at %d: %d bytes, expected at most %d", start, len(stored), uint32(1<<32-1))
	}
	at, err := c.file.add(stored)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, h5enc.Chunk{Start: start, Addr: uint64(at), Size: uint32(len(stored)), Mask: skipped})
	return nil
}

// writeChunk adds a chunk that is filtered already.
func (c *chunked) writeChunk(ctx context.Context, start []uint64, skipped uint32, stored []byte) error {
	start = slices.Clone(start)
	for i, n := range c.shape {
		if start[i]%n != 0 {
			return fmt.Errorf("a chunk begins at %d, expected multiples of %d", start, c.shape)
		}
	}
	stored = slices.Clone(stored)
	return c.queue.do(ctx, int64(len(stored)), func() {}, func() error { return c.v.wrap(c.add(start, skipped, stored)) })
}

// flush passes on incomplete chunks, filled up with fill values.
func (c *chunked) flush() error {
	c.mu.Lock()
	keys := make([]string, 0, len(c.pending))
	for key := range c.pending {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	pending := c.pending
	c.pending = nil
	c.mu.Unlock()
	for _, key := range keys {
		if err := c.complete(context.Background(), pending[key]); err != nil {
			return err
		}
	}
	return nil
}

// index returns the blocks of the index of the chunks, the root first. It is empty if there are no
// chunks.
func (c *chunked) index() ([]*h5enc.Block, error) {
	if len(c.done) == 0 {
		return nil, nil
	}
	slices.SortFunc(c.done, func(a, b h5enc.Chunk) int { return slices.Compare(a.Start, b.Start) })
	for i := 1; i < len(c.done); i++ {
		if slices.Equal(c.done[i-1].Start, c.done[i].Start) {
			return nil, fmt.Errorf("chunk at %d: %w", c.done[i].Start, ErrTwice)
		}
	}
	return h5enc.ChunkIndex(c.done, c.shape, c.v.size), nil
}
