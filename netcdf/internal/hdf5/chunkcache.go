package hdf5

import "sync"

// chunkCache keeps decoded chunks if a read needed only a part of them. Reading an array row by row
// then decodes each chunk once. A chunk is dropped once all of it has been handed out. Concurrent
// readers of a chunk wait until it is decoded.
//
// It is not the LRU cache of package lru, because the chunk used last is not the chunk wanted
// next: row by row the chunks of a row of chunks come in turns. Of a row of 100 chunks of 1 MiB
// and twelve rows, an LRU cache of 64 MiB decodes 1200 chunks (measured), this cache 496.
type chunkCache struct {
	limit int64

	mu    sync.Mutex
	bytes int64
	clock int64
	items map[chunkKey]*cachedChunk
}

type chunkKey struct {
	d    *Dataset
	addr uint64
}

// part counts elements of a chunk: the wanted elements, and all that lie within the dataset.
type part struct{ wanted, all int64 }

type cachedChunk struct {
	ready chan struct{} // closed when data and err are set
	data  []byte
	err   error

	// Guarded by the cache's lock.
	size int64 // of data once it is kept, else 0
	used int64 // clock of the last use
	left int64 // elements not handed out yet
}

const defaultChunkCache = 64 << 20

func newChunkCache() *chunkCache {
	return &chunkCache{limit: defaultChunkCache, items: map[chunkKey]*cachedChunk{}}
}

// get returns a decoded chunk, whose part p is wanted. The bytes are shared.
func (k *chunkCache) get(key chunkKey, p part, decode func() ([]byte, error)) ([]byte, error) {
	k.mu.Lock()
	k.clock++
	c, found := k.items[key]
	if !found {
		c = &cachedChunk{ready: make(chan struct{}), left: p.all}
		k.items[key] = c
	}
	c.used = k.clock
	c.left -= p.wanted
	if c.left <= 0 {
		k.drop(key, c)
	}
	k.mu.Unlock()
	if found {
		<-c.ready
		return c.data, c.err
	}
	c.data, c.err = decode()
	close(c.ready)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.items[key] != c {
		return c.data, c.err
	}
	if size := int64(len(c.data)); c.err == nil && k.makeRoom(size) {
		c.size = size
		k.bytes += size
	} else {
		k.drop(key, c)
	}
	return c.data, c.err
}

func (k *chunkCache) drop(key chunkKey, c *cachedChunk) {
	k.bytes -= c.size
	c.size = 0
	delete(k.items, key)
}

// makeRoom drops chunks that have not been used for long until size bytes fit. Others stay: when a
// row of chunks is larger than the cache, dropping the oldest would drop each chunk just before its
// next use.
func (k *chunkCache) makeRoom(size int64) bool {
	for k.bytes+size > k.limit {
		var oldest *cachedChunk
		var at chunkKey
		for key, c := range k.items {
			if c.size > 0 && (oldest == nil || c.used < oldest.used) {
				oldest, at = c, key
			}
		}
		if oldest == nil || k.clock-oldest.used < int64(4*len(k.items)+16) {
			return false
		}
		k.drop(at, oldest)
	}
	return true
}
