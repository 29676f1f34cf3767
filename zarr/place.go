package zarr

import (
	"context"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// Stored describes the stored form of the chunks that [Array.Place] finds: inner chunks if the chunks
// of the array are nothing but shards. Fill is an element of absent chunks.
func (a *Array) Stored() (chunk []uint64, codecs []Codec, fill []byte) {
	s := a.chain.onlyShards()
	if s == nil {
		return a.meta.ChunkShape, a.meta.Codecs, a.fill
	}
	codecs, _ = configCodecs(a.meta.Codecs[0].Configuration["codecs"]) // which the chain was made of
	return s.chunk, codecs, a.fill
}

// Place returns where the chunk at a position of the grid of [Array.Stored] is: a range of the bytes of a
// key. The error for a chunk that is not stored is [ErrNotFound].
func (a *Array) Place(ctx context.Context, index []uint64) (key string, offset, length int64, err error) {
	s := a.chain.onlyShards()
	if s == nil {
		key = JoinKey(a.path, a.meta.ChunkKeys.Key(index))
		info, err := Stat(ctx, a.store, key)
		return key, 0, info.Size, err
	}
	shard, inner := make([]uint64, len(index)), uint64(0)
	for i, n := range index {
		shard[i] = n / s.grid[i]
		inner = inner*s.grid[i] + n%s.grid[i]
	}
	key = JoinKey(a.path, a.meta.ChunkKeys.Key(shard))
	places, err := a.shards.get(key, func() ([]innerChunk, error) {
		value, err := a.store.Open(ctx, key)
		if err != nil {
			return nil, err
		}
		defer value.Close()
		places, err := s.readIndex(ctx, value)
		if err != nil {
			return nil, fault.Errorf("zarr", "%s: %w", key, err)
		}
		return places, nil
	})
	if err != nil {
		return "", 0, 0, err
	}
	if places[inner].absent() {
		return "", 0, 0, KeyNotFound(key)
	}
	return key, int64(places[inner].offset), int64(places[inner].length), nil
}

// shardIndexes are the shard indexes of an array that were read last. Their keys are the shards' keys, with or
// without the state of the shard.
type shardIndexes struct {
	mu     sync.Mutex
	kept   map[string][]innerChunk
	order  []string
	places int
}

// keptPlaces bounds the chunks whose places are kept.
const keptPlaces = 1 << 18

// get returns the index of a shard, read by read unless it is kept.
func (k *shardIndexes) get(key string, read func() ([]innerChunk, error)) ([]innerChunk, error) {
	k.mu.Lock()
	places, ok := k.kept[key]
	k.mu.Unlock()
	if ok {
		return places, nil
	}
	places, err := read()
	if err != nil || len(places) > keptPlaces {
		return places, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.kept[key]; ok {
		return places, nil
	}
	if k.kept == nil {
		k.kept = make(map[string][]innerChunk)
	}
	k.kept[key], k.order, k.places = places, append(k.order, key), k.places+len(places)
	for k.places > keptPlaces {
		k.places -= len(k.kept[k.order[0]])
		delete(k.kept, k.order[0])
		k.order = slices.Delete(k.order, 0, 1)
	}
	return places, nil
}
