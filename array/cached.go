package array

import (
	"context"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Cached is an array that keeps blocks of a shape in a cache. It is for readers whose regions are
// smaller than a block. A region of whole blocks is read past the cache.
//
// A block is read once for all who ask for it at a time, also if the context of the first ends.
func Cached(a Array, block []uint64, c Cache) Array {
	if (Region{Count: block}).Elements() <= 1 {
		return a // each element is read alone
	}
	k := &cached{of: a, info: *a.Info(), cache: c}
	k.info.Block = block
	return k
}

// A Cache returns the elements of a block, a region of an array. It calls read for them unless it has
// kept them. It may be used by several goroutines.
type Cache func(ctx context.Context, block Region, read func() ([]byte, error)) ([]byte, error)

type cached struct {
	Plain
	of    Array
	info  Info
	cache Cache
}

func (a *cached) Info() *Info { return &a.info }

// Packing implements [Array].
func (a *cached) Packing(ctx context.Context, r Region) (*Packing, error) {
	return a.of.Packing(ctx, r)
}

func (a *cached) Read(ctx context.Context, r Region, dst []byte) error {
	if a.info.wholeBlocks(r) {
		return a.of.Read(ctx, r, dst)
	}
	for t := range r.Tiles(a.info.Block) {
		var block Region
		block.Start, block.Count = nd.Box(t.Index, a.info.Shape, a.info.Block)
		data, err := a.cache(ctx, block, func() ([]byte, error) { return Read(context.WithoutCancel(ctx), a.of, block, nil) })
		if err != nil {
			return err
		}
		nd.Copy(nd.At(dst, r.Count, t.At), nd.At(data, block.Count, t.Within.Start), t.Within.Count, a.info.DType.Size())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// wholeBlocks reports whether a region begins and ends at blocks, or at the edge of the array.
func (i *Info) wholeBlocks(r Region) bool {
	for k, b := range i.Block {
		if end := r.Start[k] + r.Count[k]; r.Start[k]%b != 0 || end%b != 0 && end != i.Shape[k] {
			return false
		}
	}
	return true
}

// Last is a cache of the blocks of one array that were asked for last, n at most.
func Last(n int) Cache {
	l := &last{most: n}
	return func(_ context.Context, block Region, read func() ([]byte, error)) ([]byte, error) {
		b := l.block(block, read)
		data, err := b.read()
		if err != nil {
			l.forget(b)
		}
		return data, err
	}
}

type last struct {
	most int
	mu   sync.Mutex
	kept []*keptBlock // the block that was asked for last comes last
}

type keptBlock struct {
	start []uint64
	read  func() ([]byte, error)
}

// block returns a block, which it keeps in place of the least recently asked block.
func (l *last) block(r Region, read func() ([]byte, error)) *keptBlock {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.kept, func(b *keptBlock) bool { return slices.Equal(b.start, r.Start) })
	if i >= 0 {
		b := l.kept[i]
		l.kept = append(slices.Delete(l.kept, i, i+1), b)
		return b
	}
	b := &keptBlock{r.Start, sync.OnceValues(read)}
	if len(l.kept) >= l.most {
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	l.kept = append(l.kept, b)
	return b
}

// forget drops a block that could not be read, as the reason may pass.
func (l *last) forget(b *keptBlock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = slices.DeleteFunc(l.kept, func(k *keptBlock) bool { return k == b })
}
