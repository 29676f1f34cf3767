package zarr

import (
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// Sizes in bytes: of fields that are shown in parts where these are decoded without the rest, and
// of a part.
const (
	largeField = 128 << 20
	largePart  = 16 << 20
)

// largeShape is the shape of the parts of a variable's fields if they are large objects of which
// parts can be decoded; else nil.
func (v *DatasetView) largeShape(variable *dataset.Variable) []uint64 {
	size, ok := product(dataset.WholeChunk(variable.Chunk), variable.DType.Size())
	if !ok || size < largeField || variable.Coordinate || variable.Text != dataset.NotText || variable.Short() || variable.DType == tgm.BFloat16 {
		return nil
	}
	source, ok := v.fields.(dataset.ObjectSource)
	refs := variable.Refs()
	first := slices.IndexFunc(refs, func(ref int32) bool { return ref >= 0 })
	if !ok || first < 0 {
		return nil
	}
	object, err := source.Object(int(refs[first]))
	if err != nil || object == nil || !object.HasRanges() {
		return nil // an error is met again by those who read
	}
	return partShape(variable.Chunk, variable.Shape, variable.DType.Size())
}

// partShape is the shape of runs of whole rows of a chunk of an array that have up to 16 MiB.
func partShape(chunk, shape []uint64, size int) []uint64 {
	part := dataset.RowShape(dataset.WholeChunk(chunk), uint64(size), largePart)
	for i, n := range part {
		if chunk[i] < shape[i] {
			part[i] = divisor(chunk[i], n) // a chunk has no parts of two fields
		}
	}
	return part
}
