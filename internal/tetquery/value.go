package tetquery

import (
	"context"
	"strconv"

	"github.com/tgmconv/tgmconv/tet"
)

// A Value is the answer to a query: an array with its axes.
type Value struct {
	*tet.Array
	Dataset *tet.Dataset
	Op      string   // empty if nothing was computed
	Reduced []string // names of the axes that were reduced

	Axes   []int       // of the dataset, that the array has
	Ranges []tet.Range // along all axes of the dataset
	Chunks int64       // that were read
	Budget int64       // of memory, in bytes
}

// Evaluate reads the selection of a query and, if the query has an operation, computes it.
func Evaluate(ctx context.Context, d *tet.Dataset, q Query, o tet.ReadOptions) (*Value, error) {
	v := &Value{Dataset: d, Op: q.Op, Budget: d.Budget(o.Budget)}
	if q.Op != "" {
		r, err := Run(ctx, d, q, o)
		if err != nil {
			return nil, err
		}
		v.Array, v.Axes, v.Ranges, v.Chunks = tet.NewFloat64s(r.Shape, r.Values), r.Kept, r.Ranges, r.Chunks
		for _, axis := range r.Axes {
			v.Reduced = append(v.Reduced, axisName(d, axis))
		}
		return v, nil
	}
	p, err := d.Plan(q.Selection)
	if err != nil {
		return nil, err
	}
	if v.Array, err = p.Read(ctx, o); err != nil {
		return nil, err
	}
	v.Ranges, v.Chunks = p.Ranges(), p.NumChunks()
	for axis := range d.Shape {
		v.Axes = append(v.Axes, axis)
	}
	return v, nil
}

// axisName is the name of an axis, or its number if the axes have no names.
func axisName(d *tet.Dataset, axis int) string {
	if names := d.DimNames(); names != nil {
		return names[axis]
	}
	return strconv.Itoa(axis)
}

// AxisName returns the name of an axis of the dataset, or its number if the axes have no names.
func (v *Value) AxisName(axis int) string { return axisName(v.Dataset, axis) }

// Labels returns the labels of the selected positions along an axis of the dataset, nil unless all
// have one.
func (v *Value) Labels(axis int) []string {
	all := v.Dataset.Labels(axis)
	var labels []string
	for i := v.Ranges[axis].Start; i < v.Ranges[axis].Stop; i += v.Ranges[axis].Step {
		if i >= int64(len(all)) {
			return nil
		}
		labels = append(labels, all[i])
	}
	return labels
}

// Spec returns the description of a dataset that holds the value, to be written to a file.
func (v *Value) Spec(codec tet.Codec) tet.DatasetSpec {
	spec := tet.DatasetSpec{Name: v.Dataset.Name, DType: v.DType, Shape: v.Shape, Codec: codec}
	if v.Op != "" {
		spec.Name += "-" + v.Op
	}
	if len(v.Shape) == 0 {
		spec.Shape = []int64{1}
	}
	return spec
}

// Metadata returns the names and labels of the axes of the value, and the attributes of the
// dataset.
func (v *Value) Metadata() tet.DatasetMetadata {
	m := tet.DatasetMetadata{Attrs: v.Dataset.Metadata().Attrs}
	if v.Dataset.DimNames() == nil {
		return m
	}
	for _, axis := range v.Axes {
		name := v.AxisName(axis)
		m.DimNames = append(m.DimNames, name)
		if labels := v.Labels(axis); labels != nil {
			if m.Coords == nil {
				m.Coords = map[string]tet.CoordAxis{}
			}
			m.Coords[name] = tet.CoordAxis{Labels: labels}
		}
	}
	return m
}
