// Package lru keeps the values that were used last, up to a total cost.
//
// The order is kept by github.com/hashicorp/golang-lru; this package adds a bound on the cost instead of the
// number of entries, one maker for all who ask for a value at the same time, and admission on the second use.
package lru

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"
)

// Options configure a [Cache].
type Options[V any] struct {
	// Limit bounds the sum of the costs of the entries kept; zero or less keeps nothing.
	Limit int64
	// Cost is the cost of an entry, at least its memory; it is called once for each entry.
	Cost func(key string, value V) int64
	// SecondUse keeps a value only when its key was asked for before. Where others have to go for it, the key
	// must also have been asked for more often than the least recently used of them. A walk over more data than
	// the cache holds does not replace values that others use again, nor does its repetition replace its own
	// beginning.
	SecondUse bool
}

// A Cache keeps values by their keys. Its methods may be called from several goroutines.
type Cache[V any] struct {
	opts    Options[V]
	flights singleflight.Group

	mu      sync.Mutex
	entries *simplelru.LRU[string, *entry[V]]
	asked   *simplelru.LRU[string, int] // number of requests for keys that are not kept, with SecondUse
	refused int                         // values since uses were last halved
	size    int64
}

type entry[V any] struct {
	value V
	cost  int64
	uses  int // not counted without SecondUse
}

// refusedEntries is the number of refused values for each kept one after which kept values count
// half: values that nobody asks for any more must go at last.
const refusedEntries = 10

// The number of entries is bounded by their cost alone; the library wants a bound all the same.
const maxEntries = 1 << 30

// askedKeys is the number of requested keys that SecondUse remembers.
const askedKeys = 1 << 13

// New makes an empty cache.
func New[V any](opts Options[V]) *Cache[V] {
	c := &Cache[V]{opts: opts}
	c.entries, _ = simplelru.NewLRU(maxEntries, func(_ string, e *entry[V]) { c.size -= e.cost })
	if opts.SecondUse {
		c.asked, _ = simplelru.NewLRU[string, int](askedKeys, nil)
	}
	return c
}

// Lookup returns the value of key if it is kept.
func (c *Cache[V]) Lookup(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(key)
	if !ok {
		var none V
		return none, false
	}
	e.uses++
	return e.value, true
}

// Get returns the value of key, made by fill if it is not kept. The value is shared between all
// callers. When ctx ends, Get returns; a call of fill goes on for the others who wait for it.
func (c *Cache[V]) Get(ctx context.Context, key string, fill func() (V, error)) (V, error) {
	value, _, err := c.Take(ctx, key, fill)
	return value, err
}

// Take is Get. own reports whether the value is not shared: it was made for this caller alone,
// and is not kept.
func (c *Cache[V]) Take(ctx context.Context, key string, fill func() (V, error)) (value V, own bool, err error) {
	if value, ok := c.Lookup(key); ok {
		return value, false, nil
	}
	result := c.flights.DoChan(key, func() (any, error) {
		if value, ok := c.Lookup(key); ok {
			return made[V]{value, true}, nil
		}
		value, err := fill()
		if err != nil {
			return nil, err
		}
		return made[V]{value, c.add(key, value)}, nil
	})
	select {
	case <-ctx.Done():
		return value, false, ctx.Err()
	case r := <-result:
		if r.Err != nil {
			return value, false, r.Err
		}
		m := r.Val.(made[V])
		return m.value, !m.kept && !r.Shared, nil
	}
}

// made is a value that was made, and whether the cache has it.
type made[V any] struct {
	value V
	kept  bool
}

// add keeps a value, and drops the least recently used ones until the limit holds. It reports
// whether the value is kept.
func (c *Cache[V]) add(key string, value V) bool {
	cost := c.opts.Cost(key, value)
	c.mu.Lock()
	defer c.mu.Unlock()
	uses, ok := c.admit(key, cost)
	if !ok {
		return false
	}
	c.entries.Remove(key)
	c.size += cost
	c.entries.Add(key, &entry[V]{value, cost, uses})
	for c.size > c.opts.Limit {
		c.entries.RemoveOldest()
	}
	return true
}

// admit reports whether a value of key may be kept, and returns the number of requests for the key.
func (c *Cache[V]) admit(key string, cost int64) (uses int, ok bool) {
	if cost > c.opts.Limit {
		return 0, false
	}
	if c.asked == nil {
		return 0, true
	}
	before, _ := c.asked.Get(key)
	uses = before + 1
	if uses > 1 && (c.size+cost <= c.opts.Limit || uses > c.oldestUses()) {
		c.asked.Remove(key)
		return uses, true
	}
	c.asked.Add(key, uses)
	if c.refused++; c.refused > refusedEntries*c.entries.Len() {
		c.refused = 0
		for _, e := range c.entries.Values() {
			e.uses /= 2
		}
	}
	return uses, false
}

// oldestUses is the number of requests for the least recently used entry.
func (c *Cache[V]) oldestUses() int {
	if _, e, ok := c.entries.GetOldest(); ok {
		return e.uses
	}
	return 0
}

// Size returns the sum of the costs of the entries kept.
func (c *Cache[V]) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}
