package tgm

// A Slice selects the indices of one axis from Start up to but not including Stop, every Step-th of
// them; a Step of 0 is 1. The zero Slice selects the whole axis.
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

// DecodeSlice returns the elements that the slices select, one slice an axis; axes without one are
// taken whole. The array has as many dimensions as the object. What is read is what DecodeRanges
// would read of the same elements.
func (o *Object) DecodeSlice(slices []Slice, opts DecodeOptions) (*Array, error) {
	arrays, err := o.decodeSlice(slices, opts)
	if err != nil {
		return nil, locate(err, o.where())
	}
	return arrays[0], nil
}

func (o *Object) decodeSlice(slices []Slice, opts DecodeOptions) ([]*Array, error) {
	shape := o.desc.Shape
	if len(slices) > len(shape) {
		return nil, objectError(nowhere, "%d slices of shape %v", len(slices), shape)
	}
	if _, ok := o.desc.Elements(); !ok {
		return nil, encodingError(nil, "shape %v of %s is more than can be counted", shape, o.desc.DType)
	}
	axes := make([]Slice, len(shape))
	counts := make([]uint64, len(shape))
	n := uint64(1)
	for i, length := range shape {
		axes[i] = Slice{Stop: length, Step: 1}
		if i < len(slices) {
			axes[i] = slices[i].within(length)
		}
		if axes[i].Start > length || axes[i].Stop > length {
			return nil, objectError(nowhere, "elements %d to %d of %d on axis %d", axes[i].Start, axes[i].Stop, length, i)
		}
		counts[i] = axes[i].count()
		n *= counts[i]
	}
	return o.decodeParts([]part{{shape: counts, n: n}}, opts, func(add func(run) error) error {
		if n == 0 {
			return nil
		}
		return newSelection(shape, axes, counts).runs(add)
	})
}

// selection goes through the runs of consecutive elements that slices select.
type selection struct {
	axes    []Slice // those before the axes that are taken whole
	counts  []uint64
	strides []uint64 // elements from one index of an axis to the next
	run     uint64   // elements of a run
	index   []uint64 // which run it is
}

// newSelection merges the last axes into runs as far as the slices let it.
func newSelection(shape []uint64, axes []Slice, counts []uint64) *selection {
	k, run := len(axes), uint64(1)
	for k > 0 && counts[k-1] == shape[k-1] {
		k--
		run *= shape[k]
	}
	s := &selection{axes: axes[:k], counts: counts[:k], strides: make([]uint64, k), run: run, index: make([]uint64, k)}
	stride := run
	for i := k - 1; i >= 0; i-- {
		s.strides[i] = stride
		stride *= shape[i]
	}
	if k > 0 && (axes[k-1].Step == 1 || counts[k-1] == 1) { // a run of its indices
		s.run *= counts[k-1]
		counts = append([]uint64(nil), s.counts...)
		counts[k-1] = 1
		s.counts = counts
	}
	return s
}

func (s *selection) runs(add func(run) error) error {
	clear(s.index)
	for at := 0; ; at += int(s.run) {
		first := uint64(0)
		for i, a := range s.axes {
			first += (a.Start + s.index[i]*a.Step) * s.strides[i]
		}
		if err := add(run{first: int(first), count: int(s.run), at: at}); err != nil {
			return err
		}
		if !s.next() {
			return nil
		}
	}
}

// next goes to the next run, and reports whether there is one.
func (s *selection) next() bool {
	for i := len(s.index) - 1; i >= 0; i-- {
		if s.index[i]++; s.index[i] < s.counts[i] {
			return true
		}
		s.index[i] = 0
	}
	return false
}
