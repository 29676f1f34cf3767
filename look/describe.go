package look

import (
	"context"
	"errors"
	"iter"
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
		return Describe(values, quantiles, bins), nil // which may sort them
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
// them up with what sums makes. Up to 15 quantiles take three passes over them, or five where most of
// them are close to each other. The first calls also with them.
func describeRuns(runs Runs, sums func() (sum, squares, rest summation), quantiles []float64, bins int, also func(Run)) (*Statistics, error) {
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	s := &Statistics{}
	sum, squares, rest := sums()
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for r, err := range runs() {
		if err != nil {
			return nil, err
		}
		also(r)
		s.Count += len(r.Values)
		eachFinite(r.Values, s, func(values []float64) {
			n += len(values)
			low, high = extend(low, high, values)
			sum.addAll(values)
		})
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
		err = runs.pass(spread.add)
	} else {
		found, err = selectQuantiles(runs, s, quantiles, n, spread.add)
	}
	if err != nil {
		return nil, err
	}
	s.Std = spread.deviation()
	spread.histogram()
	s.Median = found[0]
	for i, p := range quantiles[1:] {
		s.Quantiles = append(s.Quantiles, Quantile{p, found[i+1]})
	}
	return s, nil
}

// extend returns the least and the greatest of low, high and values, none of which is NaN.
func extend(low, high float64, values []float64) (float64, float64) {
	for _, v := range values {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low + 0, high + 0 // one zero
}

// visited is how many values are visited at a time: they stay in the first cache for all visitors.
const visited = 2048

// eachFinite visits the finite values, some thousands at a time, and counts the others in s, if that
// is not nil.
func eachFinite(values []float64, s *Statistics, visit ...func([]float64)) {
	var kept []float64
	for block := range slices.Chunk(values, visited) {
		if !allFinite(block) {
			if kept == nil {
				kept = make([]float64, 0, visited)
			}
			kept = kept[:0]
			for _, v := range block {
				if v-v == 0 {
					kept = append(kept, v)
				} else if s != nil {
					s.finite(v)
				}
			}
			block = kept
		}
		for _, v := range visit {
			v(block)
		}
	}
}

// allFinite adds up zeros: a NaN or an infinity makes one of the sums NaN.
func allFinite(values []float64) bool {
	var a, b, c, d float64
	for ; len(values) >= 4; values = values[4:] {
		a += values[0] - values[0]
		b += values[1] - values[1]
		c += values[2] - values[2]
		d += values[3] - values[3]
	}
	for _, v := range values {
		a += v - v
	}
	return a+b+(c+d) == 0
}

// pass has all finite values visited once.
func (runs Runs) pass(visit ...func([]float64)) error {
	for r, err := range runs() {
		if err != nil {
			return err
		}
		eachFinite(r.Values, nil, visit...)
	}
	return nil
}

// A spread computes the deviation and the histogram of finite values whose mean is known.
type spread struct {
	s             *Statistics
	n             int
	dividers      []float64
	scale         float64 // bins in a unit, about
	counts        []int   // of values in each bin, [countedApart] of a bin
	squares, rest summation
	// Sums over the values at hand, from their mean.
	distances, squared [visited]float64
}

// countedApart is how many counters a bin has. Consecutive values often are of one bin: counting is faster
// if they do not wait for each other.
const countedApart = 4

func newSpread(s *Statistics, n, bins int, squares, rest summation) *spread {
	x := &spread{s: s, n: n, squares: squares, rest: rest}
	s.Histogram, x.dividers = newHistogram(s.Min, s.Max, n, bins)
	if x.dividers != nil {
		if x.scale = float64(len(x.dividers)-1) / (s.Max - s.Min); math.IsInf(x.scale, 0) {
			x.scale = 0 // of subnormal numbers
		}
		x.counts = make([]int, countedApart*len(s.Histogram.Counts))
	}
	return x
}

func (x *spread) add(values []float64) {
	mean, distances, squared := x.s.Mean, x.distances[:len(values)], x.squared[:len(values)]
	for i, v := range values {
		d := v - mean
		distances[i], squared[i] = d, float64(d*d)
	}
	x.squares.addAll(squared)
	x.rest.addAll(distances)
	if x.dividers != nil {
		x.count(values)
	}
}

// count counts values in the bins. Rounding may put a guess beside the bin, seldom.
func (x *spread) count(values []float64) {
	low, scale, dividers, counts := x.s.Min, x.scale, x.dividers, x.counts
	last := len(dividers) - 2
	for k, v := range values {
		i := min(int(float64(v-low)*scale), last)
		for i > 0 && v < dividers[i] {
			i--
		}
		for i < last && v >= dividers[i+1] {
			i++
		}
		counts[countedApart*i+k%countedApart]++
	}
}

// histogram completes the histogram.
func (x *spread) histogram() {
	for i, n := range x.counts {
		x.s.Histogram.Counts[i/countedApart] += float64(n)
	}
}

func (x *spread) deviation() float64 {
	r := x.rest.total()
	return math.Sqrt(max(0, x.squares.total()-float64(r*r)/float64(x.n)) / float64(x.n))
}
