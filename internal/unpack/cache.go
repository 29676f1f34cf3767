package unpack

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// cache shares costly values among their users, and keeps some that are not in use. The zero value is ready.
type cache[T io.Closer] struct {
	mu      sync.Mutex
	entries map[string]*entry[T]
	unused  []*entry[T] // oldest first
}

// idleEntries is how many are kept that are not in use.
const idleEntries = 4

type entry[T io.Closer] struct {
	key   string
	refs  int
	ready chan struct{} // closed when value and err are there
	value T
	err   error
}

// get returns the value of the key, made by make unless it is there. release must be called.
func (c *cache[T]) get(ctx context.Context, key string, make func() (T, error)) (value T, release func(), err error) {
	for {
		e, ours := c.acquire(key)
		if ours {
			e.value, e.err = make()
			if e.err != nil {
				c.forget(e)
			}
			close(e.ready)
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			c.release(e)
			return value, nil, ctx.Err()
		}
		if e.err == nil {
			return e.value, sync.OnceFunc(func() { c.release(e) }), nil
		}
		gaveUp := errors.Is(e.err, context.Canceled) || errors.Is(e.err, context.DeadlineExceeded)
		if ours || !gaveUp || ctx.Err() != nil {
			return value, nil, e.err
		}
	}
}

// known is get of a value that is there; release is nil if it is not.
func (c *cache[T]) known(key string) (value T, release func()) {
	c.mu.Lock()
	e := c.entries[key]
	if e == nil || !e.made() || e.err != nil {
		c.mu.Unlock()
		return value, nil
	}
	c.use(e)
	c.mu.Unlock()
	return e.value, sync.OnceFunc(func() { c.release(e) })
}

// made reports whether the value of e is there.
func (e *entry[T]) made() bool {
	select {
	case <-e.ready:
		return true
	default:
		return false
	}
}

// use counts a user of e more.
func (c *cache[T]) use(e *entry[T]) {
	if e.refs++; e.refs == 1 {
		c.unused = slices.DeleteFunc(c.unused, func(other *entry[T]) bool { return other == e })
	}
}

// acquire returns the entry of a key, and whether the caller has to make its value.
func (c *cache[T]) acquire(key string) (e *entry[T], ours bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		c.use(e)
		return e, false
	}
	e = &entry[T]{key: key, refs: 1, ready: make(chan struct{})}
	if c.entries == nil {
		c.entries = make(map[string]*entry[T])
	}
	c.entries[key] = e
	return e, true
}

// forget takes out an entry whose value could not be made.
func (c *cache[T]) forget(e *entry[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, e.key)
}

// release says that a user needs e no more.
func (c *cache[T]) release(e *entry[T]) {
	if oldest := c.leave(e); oldest != nil {
		oldest.value.Close() // may release others of this cache
	}
}

// leave counts a user of e less, and returns an entry to be closed, or nil.
func (c *cache[T]) leave(e *entry[T]) (oldest *entry[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.refs--; e.refs > 0 || c.entries[e.key] != e {
		return nil
	}
	if c.unused = append(c.unused, e); len(c.unused) <= idleEntries {
		return nil
	}
	oldest, c.unused = c.unused[0], c.unused[1:]
	delete(c.entries, oldest.key)
	return oldest
}

// close closes all values. None may be in use.
func (c *cache[T]) close() {
	c.mu.Lock()
	entries := c.entries
	c.entries, c.unused = nil, nil
	c.mu.Unlock()
	for _, e := range entries {
		e.value.Close()
	}
}
