package serve

import (
	"context"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// groupChunks are the lengths of the chunks of a group's fields.
type groupChunks struct {
	find    sync.Once
	lengths ChunkLengths
}

// align finds out how the fields of a group are shown. Along each dimension it gives decoded fields the least
// chunk length of the others, where possible.
func (v *DatasetView) align(ctx context.Context, group *datasetNode) {
	group.chunks.find.Do(func() {
		ctx := context.WithoutCancel(ctx) // for all who wait
		lengths, least := make(ChunkLengths), make(ChunkLengths)
		for _, n := range group.fields {
			v.look(ctx, n)
			if isIndex(n.variable) {
				continue // clients read it at once
			}
			shape := v.chunkShape(n)
			for i, dim := range n.variable.Dims {
				if least[dim] == 0 || shape[i] < least[dim] {
					least[dim] = shape[i]
				}
			}
		}
		for _, n := range group.fields {
			if isIndex(n.variable) {
				continue
			}
			if isCut(n) {
				n.aligned = alignedShape(n.variable, v.chunkShape(n), least)
			}
			lengths.Add(n.variable.Dims, v.chunkShape(n))
		}
		group.chunks.lengths = lengths
	})
}

// isIndex reports whether a variable is the coordinate of its only dimension.
func isIndex(v *dataset.Variable) bool { return len(v.Dims) == 1 && v.Dims[0] == v.Name }

// isCut reports whether a variable can be shown in chunks of other lengths.
func isCut(n *datasetNode) bool {
	t := n.variable.DType
	return n.passage == nil && !n.variable.Short() && t != tgm.BFloat16 && t != tgm.Bitmask
}

// maxAlignedChunks bounds the chunks of a field that is cut as others are.
const maxAlignedChunks = 1024

// alignedShape is a shape with the least lengths, nil if it is the same shape or has too many
// chunks.
func alignedShape(v *dataset.Variable, shape []uint64, least ChunkLengths) []uint64 {
	aligned, chunks := slices.Clone(shape), uint64(1)
	for i, dim := range v.Dims {
		length, whole := least[dim], max(1, v.Chunk[i])
		if length < shape[i] && (whole >= v.Shape[i] || whole%length == 0) {
			aligned[i] = length
		}
		n := (max(1, v.Shape[i])-1)/aligned[i] + 1
		if n > maxAlignedChunks/chunks {
			return nil
		}
		chunks *= n
	}
	if slices.Equal(aligned, shape) {
		return nil
	}
	return aligned
}

// labelShape is the shape of the chunks of a computed coordinate.
func (v *DatasetView) labelShape(ctx context.Context, n *datasetNode) []uint64 {
	if n.variable.Text != dataset.NotText {
		return n.variable.Shape
	}
	v.align(ctx, n.parent)
	lengths := n.parent.chunks.lengths
	shape := lengths.Label(n.variable.Name, n.variable.Dims, n.variable.Shape)
	if part := n.variable.RegionShape(); part != nil {
		if size, ok := nd.Bytes(shape, n.variable.DType.Size()); !ok || size > largePart {
			return part // as many labels as a field has points
		}
	}
	for i, dim := range n.variable.Dims {
		if v.opts.Growing && lengths[dim] == 1 && shape[i] >= n.variable.Shape[i] {
			shape[i] = dataset.Room(shape[i])
		}
	}
	return shape
}

// fillBeyond makes the elements of a chunk beyond the end of the array its fill value: a client that
// has opened the array on a server that knows more labels reads none instead of wrong ones.
func (v *DatasetView) fillBeyond(chunk []byte, variable *dataset.Variable, shape, origin []uint64) error {
	meta, err := v.variableMetadata(variable)
	if err != nil {
		return err
	}
	fill, err := meta.DataType.FillBytes(meta.FillValue)
	if err != nil || len(fill) != variable.DType.Size() {
		return err
	}
	for index := range nd.Positions(shape) {
		beyond := false
		for i, n := range index {
			beyond = beyond || origin[i]+n >= variable.Shape[i]
		}
		if beyond {
			copy(chunk[int(nd.Number(index, shape))*len(fill):], fill)
		}
	}
	return nil
}

// labelChunk is a chunk of a computed coordinate.
func (v *DatasetView) labelChunk(ctx context.Context, path string, n *datasetNode, index []uint64) (Chunk, error) {
	variable, shape := n.variable, v.labelShape(ctx, n)
	origin := make([]uint64, len(index))
	for i, at := range index {
		if at >= (variable.Shape[i]+shape[i]-1)/shape[i] {
			return Chunk{}, nodeNotFound(variable.Name)
		}
		origin[i] = at * shape[i]
	}
	size, ok := nd.Bytes(shape, variable.DType.Size())
	if !ok {
		return Chunk{}, fault.Errorf("serve", "%s: the size of shape %v does not fit 63 bits", variable.Name, variable.Shape)
	}
	return Chunk{Size: size, Decode: func([]byte) ([]byte, error) {
		if slices.Equal(shape, variable.Shape) {
			return variable.Data()
		}
		var field nd.Block
		if variable.RegionShape() != nil {
			count := make([]uint64, len(shape))
			for i, n := range shape {
				count[i] = min(n, variable.Shape[i]-origin[i])
			}
			data, err := variable.Region(origin, count)
			if err != nil || slices.Equal(count, shape) {
				return data, err
			}
			field = nd.At(data, count, nil)
		} else {
			data, err := v.whole.Get(context.Background(), path, variable.Data)
			if err != nil {
				return nil, err
			}
			field = nd.At(data, variable.Shape, origin)
		}
		chunk := cut(field, variable, shape, origin)
		return chunk, v.fillBeyond(chunk, variable, shape, origin)
	}}, nil
}

// cut takes the chunk at origin out of a block of labels. Elements beyond the edge are 0.
func cut(labels nd.Block, variable *dataset.Variable, shape, origin []uint64) []byte {
	size := variable.DType.Size()
	total, _ := nd.Bytes(shape, size)
	out := nd.At(make([]byte, total), shape, nil)
	n := make([]uint64, len(shape))
	for i := range n {
		n[i] = min(shape[i], max(1, variable.Chunk[i])-origin[i])
	}
	nd.Copy(out, labels, n, size)
	return out.Data
}
