package look

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/tgm"
)

// Describe computes statistics of the values of the field as [Describe] does. A large field whose
// parts can be decoded is read several times, and is never in memory as a whole.
func (f *Field) Describe(ctx context.Context, quantiles []float64, bins int) (*Statistics, error) {
	o, err := f.large()
	if err != nil {
		return nil, err
	}
	if o != nil {
		if v, ok := o.Constant(); ok {
			s, err := f.withAreaMean(ctx, func(func(Run)) (*Statistics, error) { return describeConstant(v, o, quantiles), nil })
			if err == nil && s.NoAreaMean == "" {
				s.AreaMean = v
			}
			return s, err
		}
		return f.withAreaMean(ctx, func(visit func(Run)) (*Statistics, error) {
			runs := func() iter.Seq2[Run, error] { return f.objectRuns(ctx, o) }
			return describeRuns(runs, newCompensated, quantiles, bins, visit)
		})
	}
	p, err := f.inParts(ctx)
	if err != nil {
		return nil, err
	}
	if p != nil {
		return f.withAreaMean(ctx, func(visit func(Run)) (*Statistics, error) {
			runs := func() iter.Seq2[Run, error] { return p.runs(ctx) }
			if !p.ordered {
				return describeRuns(runs, newCompensated, quantiles, bins, visit)
			}
			return describeRuns(runs, newSequential, quantiles, bins, visit)
		})
	}
	values, err := f.Values(ctx)
	if err != nil {
		return nil, err
	}
	return f.withAreaMean(ctx, func(visit func(Run)) (*Statistics, error) {
		visit(Run{0, values})
		return Describe(values, quantiles, bins), nil
	})
}

// withAreaMean adds the mean by area to statistics. describe calls its argument once with all values
// in order, or with runs of them.
func (f *Field) withAreaMean(ctx context.Context, describe func(visit func(Run)) (*Statistics, error)) (*Statistics, error) {
	areas, reason := f.Areas(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	w := &weighing{areas: areas}
	s, err := describe(func(r Run) {
		if areas != nil {
			w.add(r)
		}
	})
	if err != nil {
		return nil, err
	}
	s.AreaMean = math.NaN()
	if none := (*NoGridError)(nil); errors.As(reason, &none) {
		s.NoAreaMean = none.Reason
	} else {
		s.AreaMean = w.mean()
	}
	return s, nil
}

// describeConstant is the statistics of an object whose elements are all v.
func describeConstant(v float64, o *tgm.Object, quantiles []float64) *Statistics {
	n, _ := o.Descriptor().Elements() // counted by InParts
	s := &Statistics{Count: int(n), Min: v, Max: v, Mean: v, Median: v}
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	for _, p := range quantiles {
		s.Quantiles = append(s.Quantiles, Quantile{p, v})
	}
	s.Histogram, _ = newHistogram(v, v, int(n), 0)
	return s
}

// describeRuns computes statistics of values that runs yields, each time in the same order, and adds
// them up with what sums makes. Up to 15 quantiles take four passes over them. The first calls also
// with them.
func describeRuns(runs Runs, sums func() (sum, squares, rest summation), quantiles []float64, bins int, also func(Run)) (*Statistics, error) {
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	s := &Statistics{}
	sum, squares, rest := sums()
	low, high, n := math.Inf(1), math.Inf(-1), 0
	extent := func(values []float64) {
		s.Count += len(values)
		for _, v := range values {
			if s.finite(v) {
				n++
				low, high = min(low, v), max(high, v)
				sum.add(v)
			}
		}
	}
	highest := newCounter([]uint64{0}, highestBits)
	if err := runs.pass(also, extent, highest.add); err != nil {
		return nil, err
	}
	if n == 0 {
		nan := math.NaN()
		s.Min, s.Max, s.Mean, s.Std, s.Median = nan, nan, nan, nan, nan
		return s, nil
	}
	s.Min, s.Max, s.Mean = low, high, sum.total()/float64(n)
	spread := newSpread(s, n, bins, squares, rest)
	quantiles = append([]float64{0.5}, quantiles...)
	found := slices.Repeat([]float64{low}, len(quantiles))
	var err error
	if low == high {
		err = runs.pass(nil, spread.add)
	} else {
		found, err = selectQuantiles(runs, highest, quantiles, n, spread.add)
	}
	if err != nil {
		return nil, err
	}
	s.Std = spread.deviation()
	s.Median = found[0]
	for i, p := range quantiles[1:] {
		s.Quantiles = append(s.Quantiles, Quantile{p, found[i+1]})
	}
	return s, nil
}

// pass has all values visited once, and their places by also, if that is not nil.
func (runs Runs) pass(also func(Run), visit ...func([]float64)) error {
	for r, err := range runs() {
		if err != nil {
			return err
		}
		if also != nil {
			also(r)
		}
		for _, v := range visit {
			v(r.Values)
		}
	}
	return nil
}

// A spread computes the deviation and the histogram of finite values whose mean is known.
type spread struct {
	s             *Statistics
	n             int
	dividers      []float64
	squares, rest summation
}

func newSpread(s *Statistics, n, bins int, squares, rest summation) *spread {
	x := &spread{s: s, n: n, squares: squares, rest: rest}
	s.Histogram, x.dividers = newHistogram(s.Min, s.Max, n, bins)
	return x
}

func (x *spread) add(values []float64) {
	for _, v := range values {
		if v-v != 0 { // not finite
			continue
		}
		d := v - x.s.Mean
		x.squares.add(float64(d * d))
		x.rest.add(d)
		if x.dividers != nil {
			i, found := slices.BinarySearch(x.dividers, v)
			if !found {
				i--
			}
			x.s.Histogram.Counts[i]++
		}
	}
}

func (x *spread) deviation() float64 {
	r := x.rest.total()
	return math.Sqrt(max(0, x.squares.total()-float64(r*r)/float64(x.n)) / float64(x.n))
}

// wanted is the value of a rank that is being looked for.
type wanted struct {
	rank  int    // among the values with the bits that are known
	among int    // how many these are
	bits  uint64 // those of its key, the lower ones 0
}

// highestBits is where the first bits that are found of a value begin.
const highestBits = 48

// selectQuantiles returns the quantiles of the finite values, of which there are n, as quantile
// interpolates them. Bits of the values are found 16 at a time, by counting, until so few values have
// them that these are kept; the highest have been counted. The first pass is for another visitor too.
func selectQuantiles(runs Runs, highest *counter, quantiles []float64, n int, also func([]float64)) ([]float64, error) {
	ranks := make([]wanted, 0, 2*len(quantiles))
	for _, p := range quantiles {
		i, next, _ := rankOf(p, n)
		ranks = append(ranks, wanted{rank: i}, wanted{rank: next})
	}
	highest.refine(ranks)
	for shift := highestBits - 16; shift >= 0; shift -= 16 {
		if alike(ranks) <= maxKept {
			if err := keep(runs, ranks, shift+16, also); err != nil {
				return nil, err
			}
			break
		}
		if err := refine(runs, ranks, shift, also); err != nil {
			return nil, err
		}
		also = nil
	}
	found := make([]float64, len(quantiles))
	for i, p := range quantiles {
		_, _, part := rankOf(p, n)
		found[i] = between(unordered(ranks[2*i].bits), unordered(ranks[2*i+1].bits), part)
	}
	return found, nil
}

// alike is how many values have the known bits of a wanted one.
func alike(ranks []wanted) (n int) {
	for i, r := range ranks {
		if !slices.ContainsFunc(ranks[:i], func(before wanted) bool { return before.bits == r.bits }) {
			n += r.among
		}
	}
	return n
}

// maxKept is how many values are kept at a time.
const maxKept = 1 << 20

// keep finds the wanted values among those that have their bits from shift on, in one pass, which is
// for another visitor too, if also is not nil.
func keep(runs Runs, ranks []wanted, shift int, also func([]float64)) error {
	kept := make(map[uint64][]uint64) // keys, by those bits
	for _, r := range ranks {
		kept[r.bits] = nil
	}
	known := slices.Sorted(maps.Keys(kept))
	visit := []func([]float64){func(values []float64) {
		for _, v := range values {
			if v-v != 0 { // not finite
				continue
			}
			key := ordered(v)
			if bits := key >> shift << shift; bits >= known[0] && bits <= known[len(known)-1] {
				if _, ok := slices.BinarySearch(known, bits); ok {
					kept[bits] = append(kept[bits], key)
				}
			}
		}
	}}
	if also != nil {
		visit = append(visit, also)
	}
	if err := runs.pass(nil, visit...); err != nil {
		return err
	}
	for _, keys := range kept {
		slices.Sort(keys)
	}
	for i := range ranks {
		ranks[i].bits = kept[ranks[i].bits][ranks[i].rank]
	}
	return nil
}

// maxTables is the number of tables of 65536 counters that are filled at a time.
const maxTables = 32

// refine finds the 16 bits from shift on of each wanted value, those above being known. The first
// pass is for another visitor too, if also is not nil.
func refine(runs Runs, ranks []wanted, shift int, also func([]float64)) error {
	var known []uint64
	for _, r := range ranks {
		known = append(known, r.bits)
	}
	slices.Sort(known)
	for group := range slices.Chunk(slices.Compact(known), maxTables) {
		c := newCounter(group, shift)
		visit := []func([]float64){c.add}
		if also != nil {
			visit, also = append(visit, also), nil
		}
		if err := runs.pass(nil, visit...); err != nil {
			return err
		}
		c.refine(ranks)
	}
	return nil
}

// A counter counts the values that have the bits of each member of group above shift+16, by the
// next 16 bits.
type counter struct {
	group  []uint64 // in order
	shift  int
	tables [][]int // of each member
	last   int     // the member that the last value belongs to
}

func newCounter(group []uint64, shift int) *counter {
	c := &counter{group: group, shift: shift, tables: make([][]int, len(group))}
	for i := range c.tables {
		c.tables[i] = make([]int, 1<<16)
	}
	return c
}

func (c *counter) add(values []float64) {
	for _, v := range values {
		if v-v != 0 { // not finite
			continue
		}
		key := ordered(v)
		above := key >> c.shift >> 16 << 16 << c.shift
		if c.group[c.last] != above {
			i, ok := slices.BinarySearch(c.group, above)
			if !ok {
				continue
			}
			c.last = i
		}
		c.tables[c.last][key>>c.shift&0xffff]++
	}
}

// refine finds the bits that were counted of the wanted values that belong to the group.
func (c *counter) refine(ranks []wanted) {
	for i := range ranks {
		r := &ranks[i]
		if t, ok := slices.BinarySearch(c.group, r.bits); ok {
			r.descend(c.tables[t], c.shift)
		}
	}
}

// descend sets the bits from shift on by the counts of values for each.
func (r *wanted) descend(counts []int, shift int) {
	for b, c := range counts {
		if r.rank < c {
			r.bits |= uint64(b) << shift
			r.among = c
			return
		}
		r.rank -= c
	}
}

// ordered returns a number that is larger for larger values.
func ordered(v float64) uint64 {
	b := math.Float64bits(v + 0) // one zero
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// unordered is the value of a number that ordered returned.
func unordered(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}
