// Package tetquery reduces selections of .tet datasets, such as the mean over some of the axes. It
// keeps within the memory budget. Chunks are read by several goroutines; the result does not depend
// on their number.
//
// Operations and their names are as in Tetration's queries. Values are computed in float64.
package tetquery

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/tet"
)

// A Query is a selection with the operation to compute over it.
type Query struct {
	Selection tet.Selection
	Op        string   // see [Ops]
	Axes      []string // to reduce, by name or number; none means all
}

// A Result is a reduced dataset.
type Result struct {
	Dataset  string
	Op       string
	Axes     []int // that were reduced
	Kept     []int // the other axes
	Shape    []int64
	Values   []float64 // in C order
	Elements int64     // number of selected elements
	Chunks   int64     // that were read
	Ranges   []tet.Range
}

// ParseReduce reads an operation with the axes to reduce, such as "mean" or "mean:lat,lon".
func ParseReduce(text string) (op string, axes []string, err error) {
	op, list, some := strings.Cut(text, ":")
	if !slices.Contains(Ops(), op) {
		return "", nil, fmt.Errorf("unknown reduction %q, expected one of %s", op, strings.Join(Ops(), ", "))
	}
	if !some {
		return op, nil, nil
	}
	for axis := range strings.SplitSeq(list, ",") {
		if axis = strings.TrimSpace(axis); axis == "" {
			return "", nil, fmt.Errorf("reduction %q: expected names of axes after the colon", text)
		}
		axes = append(axes, axis)
	}
	return op, axes, nil
}

// Ops returns the names of the operations.
func Ops() []string {
	names := []string{"median", "arg_min", "arg_max"}
	for name := range reducers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// cellBytes is the memory of a cell.
const cellBytes = 24

// Run computes a query over a dataset.
func Run(ctx context.Context, d *tet.Dataset, q Query, o tet.ReadOptions) (*Result, error) {
	p, err := d.Plan(q.Selection)
	if err != nil {
		return nil, err
	}
	r := &Result{Dataset: d.Name, Op: q.Op, Chunks: p.NumChunks(), Elements: p.Bytes() / d.DType.Size(), Ranges: p.Ranges()}
	if err := r.split(d, p, q.Axes); err != nil {
		return nil, err
	}
	switch q.Op {
	case "median":
		return r, r.median(ctx, p, o)
	case "arg_min":
		return r, r.arg(ctx, p, o, func(a, b float64) bool { return a < b })
	case "arg_max":
		return r, r.arg(ctx, p, o, func(a, b float64) bool { return a > b })
	}
	reduce, ok := reducers()[q.Op]
	if !ok {
		return nil, fmt.Errorf("query: unknown reduction %q, expected one of %s", q.Op, strings.Join(Ops(), ", "))
	}
	return r, r.fold(ctx, p, o, reduce)
}

// split divides the axes into reduced axes and kept ones.
func (r *Result) split(d *tet.Dataset, p *tet.Plan, names []string) error {
	for _, name := range names {
		axis, err := d.Axis(name)
		if err != nil {
			return err
		}
		if slices.Contains(r.Axes, axis) {
			return &tet.SelectionError{Dataset: d.Name, Axis: axis, Msg: "the axis is reduced twice"}
		}
		r.Axes = append(r.Axes, axis)
	}
	slices.Sort(r.Axes)
	for axis, n := range p.Shape() {
		switch {
		case len(names) == 0:
			r.Axes = append(r.Axes, axis)
		case !slices.Contains(r.Axes, axis):
			r.Kept = append(r.Kept, axis)
			r.Shape = append(r.Shape, n)
		}
	}
	return nil
}

// cells is the number of values of the result.
func (r *Result) cells() int64 {
	n := int64(1)
	for _, e := range r.Shape {
		n *= e
	}
	return n
}

// strides are the cells from one position along each axis to the next, 0 along reduced axes.
func (r *Result) strides(rank int) []int64 {
	strides := make([]int64, rank)
	step := int64(1)
	for i := len(r.Kept) - 1; i >= 0; i-- {
		strides[r.Kept[i]] = step
		step *= r.Shape[i]
	}
	return strides
}

// positions are strides such that the positions of a cell lie together, in the order of the reduced
// axes: cell*n + position, where n is the number of values of a cell.
func (r *Result) positions(p *tet.Plan) (strides []int64, n int64) {
	shape := p.Shape()
	strides = r.strides(len(shape))
	n = r.Elements / r.cells()
	for i := range strides {
		strides[i] *= n
	}
	step := int64(1)
	for i := len(r.Axes) - 1; i >= 0; i-- {
		strides[r.Axes[i]] = step
		step *= shape[r.Axes[i]]
	}
	return strides, n
}

// admit limits the workers so that their parts of the result stay within the budget. It refuses a result that
// does not fit at all.
func (r *Result) admit(p *tet.Plan, o *tet.ReadOptions, bytes int64) error {
	budget := p.Dataset().Budget(o.Budget)
	if need := 4 * bytes; need > budget && r.cells() > 1 {
		return &tet.BudgetError{Dataset: r.Dataset, Need: need, Budget: budget}
	}
	o.Workers = int(max(1, min(int64(o.NumWorkers()), budget/max(1, bytes)/2-1)))
	return nil
}

// fold computes cells that can be computed in parts.
func (r *Result) fold(ctx context.Context, p *tet.Plan, o tet.ReadOptions, reduce reducer) error {
	if err := r.admit(p, &o, r.cells()*cellBytes); err != nil {
		return err
	}
	dtype := p.Dataset().DType
	total := newPartial(reduce.zero)
	total.cover(0, r.cells()-1)
	err := tet.Fold(ctx, p, o, r.strides(len(p.Shape())), func(blocks iter.Seq2[tet.Block, error]) (*partial, error) {
		part := newPartial(reduce.zero)
		for b, err := range blocks {
			if err != nil {
				return nil, err
			}
			part.cover(b.Cells())
			b.EachRun(dtype, func(values []float64, cell, stride int64) {
				if stride == 0 {
					reduce.run(&part.cells[cell-part.first], values)
					return
				}
				for _, v := range values {
					reduce.one(&part.cells[cell-part.first], v)
					cell += stride
				}
			})
		}
		return part, nil
	}, func(part *partial) error {
		for i := range part.cells {
			reduce.merge(&total.cells[part.first+int64(i)], part.cells[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range total.cells {
		r.Values = append(r.Values, reduce.result(c))
	}
	return nil
}

// A partial is a range of cells in the making.
type partial struct {
	zero  cell
	first int64
	cells []cell
}

func newPartial(zero cell) *partial { return &partial{zero: zero} }

// cover makes room for the cells from first to last.
func (p *partial) cover(first, last int64) {
	if p.cells == nil {
		p.first = first
	}
	if before := p.first - first; before > 0 {
		p.cells = append(slices.Repeat([]cell{p.zero}, int(before)), p.cells...)
		p.first = first
	}
	if after := last + 1 - p.first - int64(len(p.cells)); after > 0 {
		p.cells = append(p.cells, slices.Repeat([]cell{p.zero}, int(after))...)
	}
}
