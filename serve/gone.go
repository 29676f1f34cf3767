package serve

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/zarr"
)

func isHole(ref int32) bool { return ref < 0 }

// firstThere is the number of the first chunk whose values lie in a file; -1 if there is none.
func firstThere(fields dataset.Fields, refs []int32) int {
	return slices.IndexFunc(refs, func(ref int32) bool {
		if isHole(ref) {
			return false
		}
		state := fields.Presence(int(ref))
		return state == dataset.There || state == dataset.PartlyGone
	})
}

// absent returns the error for a chunk whose values are gone: ErrNotFound where the fill value marks them as
// missing, else ErrGone.
func (v *DatasetView) absent(n *datasetNode, index []uint64) error {
	ref, ok := n.variable.Ref(v.fieldIndex(n, index))
	if !ok {
		return nil
	}
	state := v.fields.Presence(ref)
	switch {
	case state < dataset.PartlyGone:
		return nil
	case !v.fillIsMissing(n.variable):
		return fault.Errorf("serve", "%s: the file is not there any more: %w", n.variable.Name, zarr.ErrGone)
	case state == dataset.Gone:
		return fault.Errorf("serve", "%s: the file is not there any more: %w", n.variable.Name, zarr.ErrNotFound)
	}
	return nil // parts of it are read as missing
}

// Unreadable reports whether some array cannot be read as a whole. Its values are gone, and no fill
// value marks them as missing.
func (v *DatasetView) Unreadable() bool {
	for _, n := range v.nodes {
		if n.variable == nil || n.variable.Computed() || v.fillIsMissing(n.variable) {
			continue
		}
		if slices.ContainsFunc(n.variable.Refs(), func(ref int32) bool { return !isHole(ref) && v.fields.Presence(int(ref)) >= dataset.PartlyGone }) {
			return true
		}
	}
	return false
}

// fieldIndex is the position of the field that a chunk is of.
func (v *DatasetView) fieldIndex(n *datasetNode, index []uint64) []uint64 {
	shape := array.WholeBlock(n.variable.Chunk)
	if n.variable.Text == dataset.NotText {
		shape = v.chunkShape(n)
	}
	field := slices.Clone(index)
	for i := range field {
		if whole := max(1, n.variable.Chunk[i]); shape[i] != whole {
			field[i] = index[i] * shape[i] / whole
		}
	}
	return field
}

// fillIsMissing reports whether clients take the fill value of a variable's array for a missing
// value. This is NaN for floating-point numbers; for others an attribute must name it.
func (v *DatasetView) fillIsMissing(variable *dataset.Variable) bool {
	if variable.Text != dataset.NotText {
		return false
	}
	t := v.shownType(variable)
	if t.IsFloat() {
		return true
	}
	fill := fmt.Sprint(absentValue(zarr.DataType(t.String())))
	for _, key := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		if value := variable.Attr(key); value != nil && fmt.Sprint(value) == fill {
			return true
		}
	}
	return false
}
