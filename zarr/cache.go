package zarr

import (
	"container/list"
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// A cache keeps the byte strings that were used last, up to a number of bytes. A byte string that
// several goroutines ask for at once is made once, and at most as many are in the making as the
// cache allows.
type cache struct {
	makers  *semaphore.Weighted
	flights singleflight.Group

	mu      sync.Mutex
	entries map[string]*list.Element // of cacheEntry
	order   list.List                // the most recently used first
	size    int64
	limit   int64
}

type cacheEntry struct {
	key  string
	data []byte
}

func newCache(limit int64, makers int) *cache {
	return &cache{
		makers:  semaphore.NewWeighted(int64(makers)),
		entries: make(map[string]*list.Element),
		limit:   limit,
	}
}

// get returns the data of key, made by fill if they are not kept. The data are shared and must not
// be changed. When ctx ends, get returns; a fill under way goes on for the others who wait for it,
// and is kept.
func (c *cache) get(ctx context.Context, key string, fill func() ([]byte, error)) ([]byte, error) {
	if data, ok := c.lookup(key); ok {
		return data, nil
	}
	result := c.flights.DoChan(key, func() (any, error) {
		if data, ok := c.lookup(key); ok {
			return data, nil
		}
		// The flight serves whoever waits, so no single waiter's context may end it.
		if err := c.makers.Acquire(context.Background(), 1); err != nil {
			return nil, err
		}
		defer c.makers.Release(1)
		data, err := fill()
		if err == nil {
			c.add(key, data)
		}
		return data, err
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]byte), nil
	}
}

func (c *cache) lookup(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cacheEntry).data, true
}

// entryOverhead is roughly what an entry takes beside its data and its key.
const entryOverhead = 200

func (e cacheEntry) cost() int64 { return int64(len(e.key)+len(e.data)) + entryOverhead }

func (c *cache) add(key string, data []byte) {
	entry := cacheEntry{key, data}
	if entry.cost() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; ok {
		return
	}
	c.entries[key] = c.order.PushFront(entry)
	for c.size += entry.cost(); c.size > c.limit; {
		oldest := c.order.Remove(c.order.Back()).(cacheEntry)
		delete(c.entries, oldest.key)
		c.size -= oldest.cost()
	}
}
