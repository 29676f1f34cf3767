package tgm

import (
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// A Slice selects every Step-th index of one axis from Start up to but not including Stop. A Step
// of 0 is 1. The zero Slice selects the whole axis.
type Slice struct{ Start, Stop, Step uint64 }

// within returns the slice with its stop and step spelled out, for an axis of n elements.
func (s Slice) within(n uint64) Slice {
	if s == (Slice{}) {
		s.Stop = n
	}
	s.Step = max(s.Step, 1)
	return s
}

// count is how many indices are selected, of a slice that within returned.
func (s Slice) count() uint64 {
	if s.Stop <= s.Start {
		return 0
	}
	return (s.Stop-s.Start-1)/s.Step + 1
}

// DecodeSlice returns the elements that the slices select, one slice an axis; axes without a slice
// are taken whole. The array has as many dimensions as the object. It reads the same bytes as
// DecodeRanges of the same elements.
func (o *Object) DecodeSlice(slices []Slice, opts DecodeOptions) (*Array, error) {
	arrays, err := o.decodeSlice(slices, opts)
	if err != nil {
		return nil, locate(err, o.where())
	}
	return arrays[0], nil
}

func (o *Object) decodeSlice(slices []Slice, opts DecodeOptions) ([]*Array, error) {
	if _, ok := o.desc.Elements(); !ok {
		return nil, encodingError(nil, "shape %v of %s is more than can be counted", o.desc.Shape, o.desc.DType)
	}
	counts, runs, err := SliceRuns(o.desc.Shape, slices)
	if err != nil {
		return nil, err
	}
	n := uint64(1)
	for _, count := range counts {
		n *= count
	}
	return o.decodeParts([]part{{shape: counts, n: n}}, opts, func(add func(run) error) error {
		at := 0
		for first, count := range runs {
			if err := add(run{first: first, count: count, at: at}); err != nil {
				return err
			}
			at += count
		}
		return nil
	})
}

// Runs yields runs of consecutive elements: the number of their first element in C order, and
// their length.
type Runs = iter.Seq2[int, int]

// SliceRuns returns the shape of the elements that slices select, and their runs in C order.
// There is one slice an axis; axes without a slice are taken whole. It is an error if a slice
// goes beyond its axis. The number of elements of the array must fit an int.
func SliceRuns(shape []uint64, parts []Slice) (counts []uint64, runs Runs, err error) {
	if len(parts) > len(shape) {
		return nil, nil, objectError(nowhere, "%d slices of shape %v", len(parts), shape)
	}
	axes := make([]Slice, len(shape))
	counts = make([]uint64, len(shape))
	for i, length := range shape {
		axes[i] = Slice{Stop: length, Step: 1}
		if i < len(parts) {
			axes[i] = parts[i].within(length)
		}
		if axes[i].Start > length || axes[i].Stop > length {
			return nil, nil, objectError(nowhere, "elements %d to %d of %d on axis %d", axes[i].Start, axes[i].Stop, length, i)
		}
		counts[i] = axes[i].count()
	}
	if slices.Contains(counts, 0) {
		return counts, func(func(int, int) bool) {}, nil
	}
	return counts, newSelection(shape, axes, counts).runs, nil
}

// selection goes through the runs of consecutive elements that slices select.
type selection struct {
	axes    []Slice // axes before the axes that are taken whole
	counts  []uint64
	strides []uint64 // elements from one index of an axis to the next
	run     uint64   // elements of a run
}

// newSelection merges the last axes into runs as far as the slices let it.
func newSelection(shape []uint64, axes []Slice, counts []uint64) *selection {
	k, run := len(axes), uint64(1)
	for k > 0 && counts[k-1] == shape[k-1] {
		k--
		run *= shape[k]
	}
	s := &selection{axes: axes[:k], counts: counts[:k], strides: nd.Strides(shape[:k], run), run: run}
	if k > 0 && (axes[k-1].Step == 1 || counts[k-1] == 1) { // a run of its indices
		s.run *= counts[k-1]
		counts = append([]uint64(nil), s.counts...)
		counts[k-1] = 1
		s.counts = counts
	}
	return s
}

// runs yields the runs.
func (s *selection) runs(yield func(first, count int) bool) {
	for index := range nd.Positions(s.counts) {
		first := uint64(0)
		for i, a := range s.axes {
			first += (a.Start + index[i]*a.Step) * s.strides[i]
		}
		if !yield(int(first), int(s.run)) {
			return
		}
	}
}
