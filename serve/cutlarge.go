package serve

import (
	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// Sizes in bytes: of fields that are shown in parts where these are decoded without the rest, and
// of a part.
const (
	largeField = 128 << 20
	largePart  = 16 << 20
)

// largeShape is the shape of the parts of a variable's fields. It is nil unless they are large objects that
// are decoded in parts.
func (v *DatasetView) largeShape(variable *dataset.Variable) []uint64 {
	object := v.largeObject(variable)
	if object == nil || !object.HasRanges() {
		return nil
	}
	return partShape(variable.Chunk, variable.Shape, variable.DType.Size())
}

// inflates reports whether a variable's fields decode to much more than their payloads, too much
// for clients to decode whole. They are large objects that are decoded in parts.
func (v *DatasetView) inflates(variable *dataset.Variable) bool {
	object := v.largeObject(variable)
	if object == nil {
		return false
	}
	size, _ := nd.Bytes(object.Descriptor().Shape, variable.DType.Size())
	return streams(object, size)
}

// largeObject is the object of the first field of a variable whose fields are large. It is nil if
// they are not, or cannot be shown in parts.
func (v *DatasetView) largeObject(variable *dataset.Variable) *tgm.Object {
	size, ok := nd.Bytes(array.WholeBlock(variable.Chunk), variable.DType.Size())
	if !ok || size < largeField || variable.Coordinate || variable.Text != dataset.NotText || variable.Short() || variable.DType == tgm.BFloat16 {
		return nil
	}
	refs := variable.Refs()
	first := firstThere(v.fields, refs)
	if first < 0 {
		return nil
	}
	object, err := v.fields.Object(int(refs[first]))
	if err != nil {
		return nil // the reader of the values meets the error again
	}
	return object
}

// partShape is the shape of runs of whole rows, up to 16 MiB, of a chunk of an array.
func partShape(chunk, shape []uint64, size int) []uint64 {
	part := nd.Rows(array.WholeBlock(chunk), uint64(size), largePart)
	for i, n := range part {
		if chunk[i] < shape[i] {
			part[i] = divisor(chunk[i], n) // a chunk has no parts of two fields
		}
	}
	return part
}
