package look

import (
	"context"
	"iter"
	"math"
	"slices"
)

// Describe computes statistics of the values of the field as [Describe] does. A large field whose
// parts can be decoded is read several times, and is never in memory as a whole.
func (f *Field) Describe(ctx context.Context, quantiles []float64, bins int) (*Statistics, error) {
	o, err := f.large()
	if err != nil {
		return nil, err
	}
	if o != nil {
		parts := func() iter.Seq2[[]float64, error] { return f.valueParts(ctx, o) }
		return describeParts(parts, quantiles, bins)
	}
	values, err := f.Values(ctx)
	if err != nil {
		return nil, err
	}
	return Describe(values, quantiles, bins), nil
}

// describeParts computes statistics of values that parts yields, each time in the same order. Up to
// 15 quantiles take four passes over them.
func describeParts(parts valueParts, quantiles []float64, bins int) (*Statistics, error) {
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	s := &Statistics{}
	var sum compensated
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
	if err := parts.pass(extent, highest.add); err != nil {
		return nil, err
	}
	if n == 0 {
		nan := math.NaN()
		s.Min, s.Max, s.Mean, s.Std, s.Median = nan, nan, nan, nan, nan
		return s, nil
	}
	s.Min, s.Max, s.Mean = low, high, sum.total()/float64(n)
	spread := newSpread(s, n, bins)
	quantiles = append([]float64{0.5}, quantiles...)
	found := slices.Repeat([]float64{low}, len(quantiles))
	var err error
	if low == high {
		err = parts.pass(spread.add)
	} else {
		found, err = selectQuantiles(parts, highest, quantiles, n, spread.add)
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

// valueParts yields values, part by part, each time in the same order.
type valueParts func() iter.Seq2[[]float64, error]

// pass has all values visited once.
func (parts valueParts) pass(visit ...func([]float64)) error {
	for values, err := range parts() {
		if err != nil {
			return err
		}
		for _, v := range visit {
			v(values)
		}
	}
	return nil
}

// A spread computes the deviation and the histogram of finite values whose mean is known.
type spread struct {
	s             *Statistics
	n             int
	dividers      []float64
	squares, rest compensated
}

func newSpread(s *Statistics, n, bins int) *spread {
	x := &spread{s: s, n: n}
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

// compensated sums numbers without losing what large sums round away (Neumaier 1974).
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	t := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.lost += (c.sum - t) + v
	} else {
		c.lost += (v - t) + c.sum
	}
	c.sum = t
}

func (c *compensated) total() float64 {
	if t := c.sum + c.lost; !math.IsNaN(t) {
		return t
	}
	return c.sum // infinite
}

// wanted is the value of a rank that is being looked for.
type wanted struct {
	rank int    // among the values with the bits that are known
	bits uint64 // those of its key, the lower ones 0
}

// highestBits is where the first bits that are found of a value begin.
const highestBits = 48

// selectQuantiles returns the quantiles of the finite values, of which there are n, as quantile
// interpolates them. Bits of the values are found 16 at a time, by counting; the highest have been
// counted. The first pass is for another visitor too.
func selectQuantiles(parts valueParts, highest *counter, quantiles []float64, n int, also func([]float64)) ([]float64, error) {
	ranks := make([]wanted, 0, 2*len(quantiles))
	for _, p := range quantiles {
		i, next, _ := rankOf(p, n)
		ranks = append(ranks, wanted{rank: i}, wanted{rank: next})
	}
	highest.refine(ranks)
	for shift := highestBits - 16; shift >= 0; shift -= 16 {
		if err := refine(parts, ranks, shift, also); err != nil {
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

// maxTables is the number of tables of 65536 counters that are filled at a time.
const maxTables = 32

// refine finds the 16 bits from shift on of each wanted value, those above being known. The first
// pass is for another visitor too, if also is not nil.
func refine(parts valueParts, ranks []wanted, shift int, also func([]float64)) error {
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
		if err := parts.pass(visit...); err != nil {
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
