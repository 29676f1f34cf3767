package serve

import (
	"context"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// rangedBlock is the size in bytes below which blocks are small. Any range of an array of small blocks
// is read at about the cost of its elements.
const rangedBlock = 1 << 20

// isRanged reports whether any range of an array is read at about the cost of its elements.
func isRanged(info *array.Info) bool {
	size, ok := nd.Bytes(info.Block, info.DType.Size())
	return ok && size < rangedBlock && !isWhole(info)
}

// isWhole reports whether an array is read as a whole.
func isWhole(info *array.Info) bool { return slices.Equal(info.Block, array.WholeBlock(info.Shape)) }

// blockShape is the shape of the blocks in which a variable's fields are read. It is nil if they are
// read as wholes, or in any ranges.
func (v *DatasetView) blockShape(ctx context.Context, variable *dataset.Variable) []uint64 {
	refs := variable.Refs()
	first := firstThere(v.fields, refs)
	if first < 0 || variable.Coordinate {
		return nil
	}
	a, err := v.fields.Array(ctx, int(refs[first]))
	if err != nil {
		return nil // the reader of the values meets the error again
	}
	info := a.Info()
	if len(info.Block) != len(variable.Chunk) || isWhole(info) || isRanged(info) {
		return nil
	}
	shape := slices.Clone(info.Block)
	for i, n := range shape {
		if whole := variable.Chunk[i]; whole < variable.Shape[i] {
			shape[i] = divisor(whole, n) // a chunk has no parts of two fields
		}
	}
	return shape
}

// divisor is the largest divisor of whole that is at most n. It is whole if that divisor is much less than n.
func divisor(whole, n uint64) uint64 {
	for d := min(n, whole); d > n/4; d-- {
		if whole%d == 0 {
			return d
		}
	}
	return whole
}
