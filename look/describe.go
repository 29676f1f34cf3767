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

// describeParts computes statistics of values that parts yields, each time in the same order.
func describeParts(parts func() iter.Seq2[[]float64, error], quantiles []float64, bins int) (*Statistics, error) {
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	s := &Statistics{}
	var sum compensated
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for values, err := range parts() {
		if err != nil {
			return nil, err
		}
		s.Count += len(values)
		for _, v := range values {
			switch {
			case math.IsNaN(v):
				s.Missing++
			case math.IsInf(v, 0):
				s.Infinite++
			default:
				n++
				low, high = min(low, v), max(high, v)
				sum.add(v)
			}
		}
	}
	if n == 0 {
		nan := math.NaN()
		s.Min, s.Max, s.Mean, s.Std, s.Median = nan, nan, nan, nan, nan
		return s, nil
	}
	s.Min, s.Max, s.Mean = low, high, sum.total()/float64(n)
	if err := s.spread(parts, n, bins); err != nil {
		return nil, err
	}
	quantiles = append([]float64{0.5}, quantiles...)
	found, err := slices.Repeat([]float64{low}, len(quantiles)), error(nil)
	if low != high {
		if found, err = selectQuantiles(parts, quantiles, n); err != nil {
			return nil, err
		}
	}
	s.Median = found[0]
	for i, p := range quantiles[1:] {
		s.Quantiles = append(s.Quantiles, Quantile{p, found[i+1]})
	}
	return s, nil
}

// spread sets the deviation and the histogram of n finite values.
func (s *Statistics) spread(parts func() iter.Seq2[[]float64, error], n, bins int) error {
	var dividers []float64
	s.Histogram, dividers = newHistogram(s.Min, s.Max, n, bins)
	var squares, rest compensated
	for values, err := range parts() {
		if err != nil {
			return err
		}
		for _, v := range values {
			if v-v != 0 { // not finite
				continue
			}
			d := v - s.Mean
			squares.add(float64(d * d))
			rest.add(d)
			if dividers != nil {
				i, found := slices.BinarySearch(dividers, v)
				if !found {
					i--
				}
				s.Histogram.Counts[i]++
			}
		}
	}
	r := rest.total()
	s.Std = math.Sqrt(max(0, squares.total()-float64(r*r)/float64(n)) / float64(n))
	return nil
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

// selectQuantiles returns the quantiles of the finite values, of which there are n, as quantile
// interpolates them. Bits of the values are found 16 at a time, by counting.
func selectQuantiles(parts func() iter.Seq2[[]float64, error], quantiles []float64, n int) ([]float64, error) {
	ranks := make([]wanted, 0, 2*len(quantiles))
	for _, p := range quantiles {
		i := int(float64(p * float64(n-1)))
		ranks = append(ranks, wanted{rank: i}, wanted{rank: min(i+1, n-1)})
	}
	for shift := 48; shift >= 0; shift -= 16 {
		if err := refine(parts, ranks, shift); err != nil {
			return nil, err
		}
	}
	found := make([]float64, len(quantiles))
	for i, p := range quantiles {
		at := float64(p * float64(n-1))
		a, b := unordered(ranks[2*i].bits), unordered(ranks[2*i+1].bits)
		found[i] = a + float64((b-a)*(at-float64(int(at))))
	}
	return found, nil
}

// maxTables is the number of tables of 65536 counters that are filled at a time.
const maxTables = 32

// refine finds the 16 bits from shift on of each wanted value, those above being known.
func refine(parts func() iter.Seq2[[]float64, error], ranks []wanted, shift int) error {
	var known []uint64
	for _, r := range ranks {
		known = append(known, r.bits)
	}
	slices.Sort(known)
	for group := range slices.Chunk(slices.Compact(known), maxTables) {
		tables, err := count(parts, group, shift)
		if err != nil {
			return err
		}
		for i := range ranks {
			r := &ranks[i]
			if t, ok := slices.BinarySearch(group, r.bits); ok {
				r.descend(tables[t], shift)
			}
		}
	}
	return nil
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

// count counts the values that have the bits of each member of group above shift+16, by the next
// 16 bits.
func count(parts func() iter.Seq2[[]float64, error], group []uint64, shift int) ([][]int, error) {
	tables := make([][]int, len(group))
	for i := range tables {
		tables[i] = make([]int, 1<<16)
	}
	last := 0
	for values, err := range parts() {
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			if v-v != 0 { // not finite
				continue
			}
			key := ordered(v)
			above := key >> shift >> 16 << 16 << shift
			if group[last] != above {
				i, ok := slices.BinarySearch(group, above)
				if !ok {
					continue
				}
				last = i
			}
			tables[last][key>>shift&0xffff]++
		}
	}
	return tables, nil
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
