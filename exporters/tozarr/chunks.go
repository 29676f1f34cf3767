package tozarr

import (
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// groupLengths are the lengths of the chunks of the fields of groups.
type groupLengths map[string]serve.ChunkLengths

// of are the lengths of the group that has the array at path.
func (g groupLengths) of(path string) serve.ChunkLengths {
	group := parentOf(path)
	if g[group] == nil {
		g[group] = make(serve.ChunkLengths)
	}
	return g[group]
}

// fieldsFirst are the paths of nodes, labels after others.
func fieldsFirst(nodes map[string]serve.Node, labels map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(nodes), func(a, b string) int {
		switch {
		case labels[a] == labels[b]:
			return strings.Compare(a, b)
		case labels[b]:
			return -1
		}
		return 1
	})
}

// labelShard is the only shard of a label that is cut, where fields have shards; nil for others.
func labelShard(in *zarr.ArrayMetadata, chunk []uint64, shards Lengths) []uint64 {
	whole := array.WholeBlock(in.Shape)
	if len(shards) == 0 || slices.Equal(chunk, whole) {
		return nil
	}
	for i, n := range chunk {
		whole[i] = roundUp(whole[i], n)
	}
	return whole
}

// largestChunk is the size above which chunks are cut without a request.
const largestChunk = 32 << 20

// capped halves the leading dimensions of a chunk until it is not too large. Dimensions whose
// length the user gave stay.
func capped(chunk []uint64, size int, given Lengths, names []string) []uint64 {
	for i := range chunk {
		if i < len(names) {
			if _, ok := given[names[i]]; ok {
				continue
			}
		}
		for chunk[i] > 1 && int64(nd.Volume(chunk))*int64(size) > largestChunk {
			chunk[i] = (chunk[i] + 1) / 2
		}
	}
	return chunk
}
