package tozarr

import (
	"context"
	"slices"
	"sync"
)

// A slabOutput puts the chunks of a slab at once. Where the order of keys makes a difference, it puts them in
// C order after the chunks of the slab before.
type slabOutput struct {
	*writer
	array  *arrayPlan
	before chan struct{} // closed when the slab before has been put; nil for the first
	done   chan struct{}

	mu   sync.Mutex
	kept []storedChunk // that wait for their turn
}

// A storedChunk is a chunk at a position of its array, as it is stored.
type storedChunk struct {
	index []uint64
	data  []byte
}

// put puts the chunk at a position.
func (o *slabOutput) put(ctx context.Context, index []uint64, stored []byte) error {
	if !o.target.Ordered() {
		return o.putNow(ctx, index, stored)
	}
	if cap(stored) > 2*len(stored) { // of the encoder, which had room for incompressible data
		stored = slices.Clone(stored)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, storedChunk{index, stored})
	return nil
}

// flush puts the chunks that put has kept.
func (o *slabOutput) flush(ctx context.Context) error {
	if !o.target.Ordered() {
		return nil
	}
	if o.before != nil {
		select {
		case <-o.before:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	slices.SortFunc(o.kept, func(a, b storedChunk) int { return slices.Compare(a.index, b.index) })
	for _, c := range o.kept {
		if err := o.putNow(ctx, c.index, c.data); err != nil {
			return err
		}
	}
	close(o.done)
	return nil
}

func (o *slabOutput) putNow(ctx context.Context, index []uint64, stored []byte) error {
	key := o.array.key(index)
	if err := o.target.Put(ctx, key, stored, false); err != nil {
		return err
	}
	o.writer.put.Add(1)
	o.out.Add(int64(len(stored)))
	return o.journal.add(ctx, key, stored)
}
