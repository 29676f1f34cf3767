package look

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDescribeParts: values in parts are described as they are together.
func TestDescribeParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise, whole, equal := make([]float64, 10007), make([]float64, 5000), make([]float64, 300)
	for i := range noise {
		noise[i] = math.Float64frombits(r.Uint64())
	}
	for i := range whole {
		whole[i] = math.Round(20*r.NormFloat64()) / 4
	}
	for i := range equal {
		equal[i] = 273.15
	}
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), -1e300, 5e-324, math.Inf(-1), 1e300}
	many := make([]float64, 101)
	for i := range many {
		many[i] = float64(i) / 100
	}
	for name, values := range map[string][]float64{
		"noise": noise, "whole": whole, "equal": equal, "special": special, "none": {}, "missing": {math.NaN(), math.NaN()}, "one": {-3},
	} {
		for _, quantiles := range [][]float64{nil, {}, {0, 1}, many} {
			passes := 0
			parts := func() iter.Seq2[[]float64, error] {
				passes++
				return func(yield func([]float64, error) bool) {
					for part := range slices.Chunk(values, 997) {
						if !yield(part, nil) {
							return
						}
					}
				}
			}
			got, err := describeParts(parts, quantiles, 7)
			if err != nil {
				t.Fatal(name, err)
			}
			if passes > 4 && len(quantiles) < 16 {
				t.Errorf("%s: %d passes over the values, expected at most 4", name, passes)
			}
			checkAlike(t, name, got, Describe(slices.Clone(values), quantiles, 7))
		}
	}
}

func checkAlike(t *testing.T, name string, got, want *Statistics) {
	t.Helper()
	near := func(a, b float64) bool { return a == b || a != a && b != b || math.Abs(a-b) <= 1e-13*math.Abs(b) }
	if got.Count != want.Count || got.Missing != want.Missing || got.Infinite != want.Infinite || !near(got.Min, want.Min) ||
		!near(got.Max, want.Max) || !near(got.Median, want.Median) || !slices.Equal(got.Quantiles, want.Quantiles) {
		t.Errorf("%s: %+v, expected %+v", name, got, want)
	}
	if name != "noise" && name != "special" && (!near(got.Mean, want.Mean) || !near(got.Std, want.Std)) { // those overflow
		t.Errorf("%s: mean %v and deviation %v, expected %v and %v", name, got.Mean, got.Std, want.Mean, want.Std)
	}
	if (got.Histogram == nil) != (want.Histogram == nil) {
		t.Fatalf("%s: histogram %v, expected %v", name, got.Histogram, want.Histogram)
	}
	if h := want.Histogram; h != nil && (!slices.Equal(got.Histogram.Counts, h.Counts) || !slices.Equal(got.Histogram.Edges, h.Edges)) {
		t.Errorf("%s: histogram %v, expected %v", name, got.Histogram, h)
	}
}
