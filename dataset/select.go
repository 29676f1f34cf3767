package dataset

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Selection is a part of a variable, selected by labels or positions. Axes that are not selected
// from are taken whole.
type Selection struct {
	group *Group
	v     *Variable
	axes  [][]int // positions along each dimension
	drop  []bool  // dimensions selected by one value, which the result does not have
	err   error
}

// Select begins a selection of a variable by its path; "t" is in the root.
func (d *Dataset) Select(path string) *Selection {
	s := &Selection{v: d.Variable(path)}
	if s.v == nil {
		s.err = fmt.Errorf("dataset: there is no variable %s", path)
		return s
	}
	for _, g := range d.Groups {
		if slices.Contains(g.Variables, s.v) {
			s.group = g
		}
	}
	for _, n := range s.v.Shape {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		s.axes = append(s.axes, all)
		s.drop = append(s.drop, false)
	}
	return s
}

// axis finds a dimension and the values of its coordinate.
func (s *Selection) axis(dim string) (int, []float64) {
	if s.err != nil {
		return -1, nil
	}
	i := slices.Index(s.v.Dims, dim)
	if i < 0 {
		s.err = fmt.Errorf("dataset: %s has no dimension %s, it has %v", s.v.Name, dim, s.v.Dims)
		return -1, nil
	}
	c := s.group.Variable(dim)
	if c == nil || !c.Computed() {
		s.err = fmt.Errorf("dataset: the dimension %s has no computed coordinate to select by; select by position", dim)
		return -1, nil
	}
	data, err := c.Data()
	if err == nil {
		var values []float64
		if values, err = floats(&tgm.Array{Shape: c.Shape, DType: c.DType, Data: data}); err == nil {
			return i, values
		}
	}
	s.err = err
	return -1, nil
}

// At selects a position, from 0; the result does not have the dimension.
func (s *Selection) At(dim string, position int) *Selection {
	i := slices.Index(s.dims(), dim)
	switch {
	case s.err != nil:
	case i < 0:
		s.err = fmt.Errorf("dataset: %s has no dimension %s, it has %v", s.v.Name, dim, s.v.Dims)
	case position < 0 || uint64(position) >= s.v.Shape[i]:
		s.err = fmt.Errorf("dataset: position %d along %s, expected 0 to %d", position, dim, s.v.Shape[i]-1)
	default:
		s.axes[i], s.drop[i] = []int{position}, true
	}
	return s
}

func (s *Selection) dims() []string {
	if s.v == nil {
		return nil
	}
	return s.v.Dims
}

// Label selects the position of a label, which must exist; the result does not have the dimension. Labels of
// time are seconds since 1970-01-01 00:00 UTC, labels of steps are seconds.
func (s *Selection) Label(dim string, label float64) *Selection {
	i, values := s.axis(dim)
	if i < 0 {
		return s
	}
	at := slices.Index(values, label)
	if at < 0 {
		s.err = fmt.Errorf("dataset: %s has no %s %v", s.v.Name, dim, label)
		return s
	}
	s.axes[i], s.drop[i] = []int{at}, true
	return s
}

// Nearest selects the position whose label is nearest to a value; the result does not have the
// dimension. Longitudes are compared around the circle.
func (s *Selection) Nearest(dim string, label float64) *Selection {
	i, values := s.axis(dim)
	if i < 0 {
		return s
	}
	best, distance := -1, math.Inf(1)
	for at, v := range values {
		d := math.Abs(v - label)
		if dim == "longitude" {
			d = math.Abs(math.Remainder(v-label, 360))
		}
		if d < distance {
			best, distance = at, d
		}
	}
	if best < 0 {
		s.err = fmt.Errorf("dataset: %s has no %s", s.v.Name, dim)
		return s
	}
	s.axes[i], s.drop[i] = []int{best}, true
	return s
}

// Slice selects the positions whose labels are between from and to, inclusive, in the order of the
// axis.
func (s *Selection) Slice(dim string, from, to float64) *Selection {
	i, values := s.axis(dim)
	if i < 0 {
		return s
	}
	low, high := min(from, to), max(from, to)
	s.axes[i] = slices.DeleteFunc(slices.Clone(s.axes[i]), func(at int) bool { return values[at] < low || values[at] > high })
	return s
}

// Floats reads the selected values as float64, in C order, and returns them with their shape. Holes
// are NaN. Only the objects that the selection touches are read, each once.
func (s *Selection) Floats(ctx context.Context, arrays Arrays) (values []float64, shape []int, err error) {
	if s.err != nil {
		return nil, nil, s.err
	}
	total := 1
	for i, places := range s.axes {
		total *= len(places)
		if !s.drop[i] {
			shape = append(shape, len(places))
		}
	}
	values = make([]float64, total)
	if total == 0 {
		return values, shape, nil
	}
	if s.v.Computed() {
		return values, shape, s.computed(values)
	}
	err = s.chunks(ctx, arrays, values)
	s.v.unpacked(values)
	return values, shape, err
}

func (s *Selection) computed(values []float64) error {
	if s.v.RegionShape() != nil {
		return s.computedPoints(values)
	}
	data, err := s.v.Data()
	if err != nil {
		return err
	}
	all, err := floats(&tgm.Array{Shape: s.v.Shape, DType: s.v.DType, Data: data})
	if err != nil {
		return err
	}
	for n, index := range s.indexes(0, len(s.axes)) {
		values[n] = all[int(nd.Number(index, s.v.Shape))]
	}
	return nil
}

// computedPoints computes the points that are selected of many, each by itself.
func (s *Selection) computedPoints(values []float64) error {
	one := slices.Repeat([]uint64{1}, len(s.axes))
	for n, index := range s.indexes(0, len(s.axes)) {
		data, err := s.v.Region(index, one)
		if err != nil {
			return err
		}
		all, err := floats(&tgm.Array{Shape: one, DType: s.v.DType, Data: data})
		if err != nil {
			return err
		}
		values[n] = all[0]
	}
	return nil
}

// chunks reads the objects that the leading dimensions select and takes the points that the others
// select.
func (s *Selection) chunks(ctx context.Context, arrays Arrays, values []float64) error {
	leading := 0
	for leading < len(s.v.Shape) && s.v.Chunk[leading] == 1 && s.v.Shape[leading] != 1 {
		leading++
	}
	if grid := s.v.Grid(); slices.ContainsFunc(grid[leading:], func(n uint64) bool { return n > 1 }) {
		return s.points(ctx, arrays, values)
	}
	within := 1
	for _, places := range s.axes[leading:] {
		within *= len(places)
	}
	var buffer []byte
	for n, lead := range s.indexes(0, leading) {
		if err := ctx.Err(); err != nil {
			return err
		}
		out := values[n*within : (n+1)*within]
		ref, ok := s.v.Ref(append(slices.Clone(lead), make([]uint64, len(s.axes)-leading)...))
		if !ok {
			for i := range out {
				out[i] = math.NaN()
			}
			continue
		}
		array, err := Read(ctx, arrays, ref, buffer)
		if err != nil {
			return err
		}
		buffer = array.Data
		all, err := floats(array)
		if err != nil {
			return err
		}
		for i, index := range s.indexes(leading, len(s.axes)) {
			at := int(nd.Number(index, s.v.Shape[leading:]))
			if at >= len(all) {
				return fmt.Errorf("dataset: %s: an object of %d values, expected shape %v", s.v.Name, len(all), s.v.Shape[leading:])
			}
			out[i] = all[at]
		}
	}
	return nil
}

// points reads point by point where a chunk is neither one position of a dimension nor all of it.
// The object read last is kept.
func (s *Selection) points(ctx context.Context, arrays Arrays, values []float64) error {
	chunk, last := make([]uint64, len(s.axes)), -1
	within := make([]uint64, len(s.axes))
	var all []float64
	for n, index := range s.indexes(0, len(s.axes)) {
		for i, at := range index {
			chunk[i], within[i] = at/s.v.Chunk[i], at%s.v.Chunk[i]
		}
		ref, ok := s.v.Ref(chunk)
		if !ok {
			values[n] = math.NaN()
			continue
		}
		if ref != last {
			array, err := Read(ctx, arrays, ref, nil)
			if err == nil {
				all, err = floats(array)
			}
			if err != nil {
				return err
			}
			last = ref
		}
		at := int(nd.Number(within, s.v.Chunk))
		if at >= len(all) {
			return fmt.Errorf("dataset: %s: an object of %d values, expected chunks %v", s.v.Name, len(all), s.v.Chunk)
		}
		values[n] = all[at]
	}
	return nil
}

// indexes yields the positions selected along the dimensions from up to to, in C order. The slice
// is used again.
func (s *Selection) indexes(from, to int) func(yield func(int, []uint64) bool) {
	return func(yield func(int, []uint64) bool) {
		counts, index := make([]int, to-from), make([]uint64, to-from)
		for i, places := range s.axes[from:to] {
			counts[i] = len(places)
		}
		n := 0
		for at := range nd.Positions(counts) {
			for i, c := range at {
				index[i] = uint64(s.axes[from+i][c])
			}
			if !yield(n, index) {
				return
			}
			n++
		}
	}
}

// floats converts the elements of an array to float64.
func floats(a *tgm.Array) ([]float64, error) {
	size := a.DType.Size()
	if size == 0 || a.DType.IsComplex() {
		return nil, fmt.Errorf("dataset: values of type %s have no form as float64", a.DType)
	}
	values, integer := make([]float64, len(a.Data)/size), a.DType.Integer()
	for i := range values {
		b := a.Data[i*size:]
		switch a.DType {
		case tgm.Float64:
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		case tgm.Float32:
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		default:
			if integer == nil {
				return nil, fmt.Errorf("dataset: values of type %s have no form as float64", a.DType)
			}
			values[i] = integer(b)
		}
	}
	return values, nil
}
