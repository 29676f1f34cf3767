package serve

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// asked counts how often chunks of fields were asked for. The zero value is ready to use.
type asked struct {
	mu     sync.Mutex
	fields map[int]int
}

// Limits of the part of a field that is decoded for one chunk.
const (
	rangedChunks = 2       // of a field are decoded on their own, before the whole field is
	askedFields  = 1 << 14 // are counted
)

// often counts a chunk and reports whether many chunks of its field were asked for. The others are then
// likely to follow.
func (a *asked) often(ref int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fields == nil || len(a.fields) >= askedFields {
		a.fields = make(map[int]int)
	}
	a.fields[ref]++
	return a.fields[ref] > rangedChunks
}

// cached is the array of a field that is cut into chunks. Its blocks are kept for the chunks beside
// them; block, if not nil, is their shape. A field that can be read in any range is kept as a whole
// when more of its chunks are requested, unless it is large.
func (v *DatasetView) cached(a array.Array, ref int, block []uint64) array.Array {
	info := a.Info()
	if block == nil {
		block = info.Block
	}
	whole := array.WholeBlock(info.Shape)
	if size, ok := nd.Bytes(whole, info.DType.Size()); isRanged(info) {
		if !ok || size >= largeField || !v.isKept(ref) && !v.asked.often(ref) {
			return a
		}
		block = whole
	}
	return array.Cached(a, block, func(ctx context.Context, b array.Region, read func() ([]byte, error)) ([]byte, error) {
		key := fmt.Sprint(ref, b.Start, b.Count)
		if slices.Equal(b.Count, info.Shape) {
			key = wholeKey(ref)
		}
		return v.whole.Get(ctx, key, read)
	})
}

func wholeKey(ref int) string { return strconv.Itoa(ref) }

// isKept reports whether a whole field is in memory.
func (v *DatasetView) isKept(ref int) bool {
	_, ok := v.whole.Lookup(wholeKey(ref))
	return ok
}
