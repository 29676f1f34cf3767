package serve

import (
	"slices"

	"github.com/tgmconv/tgmconv/array"
)

// maxLabelChunks bounds the chunks of a label that is cut: each costs a request, and dask needs half
// a millisecond for it, so that the times of 1000 steps would take a second to read.
const maxLabelChunks = 256

// ChunkLengths are the lengths of chunks by dimension name, 0 where arrays differ. Labels are cut
// into chunks like the fields of their group, because dask has chunks of a dataset only where all
// arrays have the same chunks along each dimension.
type ChunkLengths map[string]uint64

// Add adds the chunks of a field.
func (l ChunkLengths) Add(dims []string, chunk []uint64) {
	for i, dim := range dims {
		length := chunk[i]
		if known, ok := l[dim]; ok && known != length {
			length = 0
		}
		l[dim] = length
	}
}

// Label returns the shape of the chunks of a label. The label of a dimension has one chunk, because
// clients read all of it, and so has a label that would have more than 256 chunks.
func (l ChunkLengths) Label(name string, dims []string, shape []uint64) []uint64 {
	whole := array.WholeBlock(shape)
	if len(dims) != len(shape) || len(dims) == 1 && dims[0] == name {
		return whole
	}
	chunk, chunks := slices.Clone(whole), uint64(1)
	for i, dim := range dims {
		if length := l[dim]; length > 0 {
			chunk[i] = min(chunk[i], length)
		}
		n := (whole[i]-1)/chunk[i] + 1
		if n > maxLabelChunks/chunks {
			return whole
		}
		chunks *= n
	}
	return chunk
}
