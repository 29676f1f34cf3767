package look

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Statistics describe the values of a field.
type Statistics struct {
	Count    int // of values, missing ones included
	Missing  int // NaN
	Infinite int // not part of the statistics below
	// Of the finite values; NaN if there are none.
	Min, Max, Mean, Std, Median float64 // Std is of the whole population
	// AreaMean is the mean by the areas of the cells of the grid. It is NaN if there are no finite
	// values, or if these areas are not known, which NoAreaMean gives the reason of.
	AreaMean   float64
	NoAreaMean string
	Quantiles  []Quantile
	Histogram  *Histogram // nil if there are no finite values
}

// A Quantile is the Value below which a fraction P, 0 to 1, of the values is.
type Quantile struct{ P, Value float64 }

// DefaultQuantiles returns the probabilities whose quantiles [Describe] finds if it is given none.
func DefaultQuantiles() []float64 { return []float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99} }

// A Histogram counts values in bins of equal width.
type Histogram struct {
	Edges  []float64 // one more than Counts
	Counts []float64
}

// DefaultBins is the number of bins of a histogram.
const DefaultBins = 20

// Describe computes statistics of values, which it may sort. Quantiles are interpolated linearly
// between values, and mean and deviation computed in two passes.
func Describe(values []float64, quantiles []float64, bins int) *Statistics {
	if len(values) <= mostSorted {
		return describeSorted(values, quantiles, bins)
	}
	s, _ := describeRuns(func() iter.Seq2[Run, error] { // runs that do not fail
		return func(yield func(Run, error) bool) { yield(Run{0, values}, nil) }
	}, newSequential, quantiles, bins, func(Run) {})
	s.AreaMean = math.NaN()
	return s
}

// mostSorted is how many values are sorted in less time than it takes to select some of them.
const mostSorted = 1 << 14

// describeSorted is [Describe] in its simplest form.
func describeSorted(values []float64, quantiles []float64, bins int) *Statistics {
	nan := math.NaN()
	s := &Statistics{Count: len(values), Min: nan, Max: nan, Mean: nan, Std: nan, Median: nan, AreaMean: nan}
	finite := values[:0]
	for _, v := range values {
		if s.finite(v) {
			finite = append(finite, v)
		}
	}
	if len(finite) == 0 {
		return s
	}
	sum, squares, rest := newSequential()
	sum.addAll(finite)
	s.Min, s.Max, s.Mean = slices.Min(finite), slices.Max(finite), sum.total()/float64(len(finite))
	spread := newSpread(s, len(finite), bins, squares, rest)
	for part := range slices.Chunk(finite, visited) {
		spread.add(part)
	}
	s.Std = spread.deviation()
	spread.histogram()
	slices.Sort(finite)
	s.Median = quantile(0.5, finite)
	if quantiles == nil {
		quantiles = DefaultQuantiles()
	}
	for _, p := range quantiles {
		s.Quantiles = append(s.Quantiles, Quantile{p, quantile(p, finite)})
	}
	return s
}

// finite counts v if it is missing or infinite, and reports whether it is neither.
func (s *Statistics) finite(v float64) bool {
	switch {
	case math.IsNaN(v):
		s.Missing++
	case math.IsInf(v, 0):
		s.Infinite++
	default:
		return true
	}
	return false
}

// quantile interpolates between the two values around position p·(n-1), as numpy does by default.
func quantile(p float64, sorted []float64) float64 {
	i, next, part := rankOf(p, len(sorted))
	return between(sorted[i], sorted[next], part)
}

// rankOf returns the ranks of the two of n sorted values that quantile p lies between, and which
// part of the way from the first to the second it is.
func rankOf(p float64, n int) (i, next int, part float64) {
	at := float64(p * float64(n-1))
	i = min(int(at), n-1)
	return i, min(i+1, n-1), at - float64(i)
}

func between(a, b, part float64) float64 { return a + float64((b-a)*part) }

// newHistogram returns the histogram of n values from low to high, and between which numbers the
// values of each bin lie; without these there is one bin, of all values.
func newHistogram(low, high float64, n, bins int) (h *Histogram, dividers []float64) {
	if bins <= 0 {
		bins = DefaultBins
	}
	one := &Histogram{Edges: []float64{low, high}, Counts: []float64{float64(n)}}
	if low == high {
		return one, nil
	}
	h = &Histogram{Edges: make([]float64, bins+1), Counts: make([]float64, bins)}
	floats.Span(h.Edges, low, high)
	if !slices.IsSorted(h.Edges) || h.Edges[bins-1] >= high || math.IsInf(high-low, 0) {
		return one, nil // too close, or too far
	}
	dividers = slices.Clone(h.Edges)
	dividers[bins] = math.Nextafter(high, math.Inf(1)) // the last bin holds its upper end
	return h, dividers
}
