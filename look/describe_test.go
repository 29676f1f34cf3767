package look

import (
	"iter"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// TestDescribeRuns: values in parts are described as they are together.
func TestDescribeRuns(t *testing.T) {
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
			runs := func() iter.Seq2[Run, error] {
				passes++
				return func(yield func(Run, error) bool) {
					first := uint64(0)
					for part := range slices.Chunk(values, 997) {
						if !yield(Run{first, part}, nil) {
							return
						}
						first += uint64(len(part))
					}
				}
			}
			want := describeSorted(slices.Clone(values), quantiles, 7)
			got, err := describeRuns(runs, newCompensated, quantiles, 7, func(Run) {})
			if err != nil {
				t.Fatal(name, err)
			}
			if passes > 6 && len(quantiles) < 16 {
				t.Errorf("%s: %d passes over the values, expected at most 6", name, passes)
			}
			checkAlike(t, name, got, want)
			got, err = describeRuns(runs, newSequential, quantiles, 7, func(Run) {})
			if err != nil {
				t.Fatal(name, err)
			}
			checkAlike(t, name, got, want)
			if same := func(a, b float64) bool { return a == b || a != a && b != b }; runtime.GOARCH == "amd64" && (!same(got.Mean, want.Mean) || !same(got.Std, want.Std)) {
				t.Errorf("%s: mean %v and deviation %v, expected %v and %v to the last bit", name, got.Mean, got.Std, want.Mean, want.Std)
			}
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

// checkByGonum compares statistics with the statistics that gonum computes.
func checkByGonum(t *testing.T, name string, s *Statistics, values []float64) {
	t.Helper()
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	mean, std := stat.PopMeanStdDev(values, nil)
	slices.Sort(values)
	edges := slices.Clone(s.Histogram.Edges)
	if values[len(values)-1] < 1e-300 {
		return // bins of subnormal numbers have no width, of which gonum makes a panic
	}
	edges[len(edges)-1] = math.Nextafter(edges[len(edges)-1], math.Inf(1))
	if near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*math.Abs(b) }; !near(s.Mean, mean) || !near(s.Std, std) {
		t.Errorf("%s: mean %v and deviation %v, expected %v and %v", name, s.Mean, s.Std, mean, std)
	}
	if counts := stat.Histogram(nil, edges, values, nil); !slices.Equal(s.Histogram.Counts, counts) {
		t.Errorf("%s: histogram %v, expected %v", name, s.Histogram.Counts, counts)
	}
}

// TestLanes compares sums of any number of values with gonum.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 1000)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	for n := range values {
		var sum lanes
		for part := range slices.Chunk(values[:n], 1+n/3) {
			sum.addAll(part)
		}
		if got, want := sum.total(), floats.Sum(values[:n]); got != want && (runtime.GOARCH == "amd64" || math.Abs(got-want) > 1e-12) {
			t.Errorf("%d values: %v, expected %v", n, got, want)
		}
	}
}

// TestDescribeLarge: many values are described by selection as they are by sorting, also where most
// of them are alike.
func TestDescribeLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	makers := map[string]func(i int) float64{
		"normal":  func(int) float64 { return 280 + 10*r.NormFloat64() },
		"rain":    func(int) float64 { return max(0, math.Exp(5*r.NormFloat64())-1) },
		"packed":  func(int) float64 { return float64(r.IntN(400)) / 8 },
		"tiny":    func(int) float64 { return 5e-324 * float64(r.IntN(9)) },
		"outlier": func(i int) float64 { return r.Float64() + 1e100*float64(1/(i+1)) },
		"holes": func(i int) float64 {
			if i%7 == 0 {
				return math.NaN()
			}
			return float64(i)
		},
	}
	for name, at := range makers {
		values := make([]float64, 200_003)
		for i := range values {
			values[i] = at(i)
		}
		got := Describe(slices.Clone(values), nil, 0)
		want := describeSorted(slices.Clone(values), nil, 0)
		checkByGonum(t, name, got, values)
		checkAlike(t, name, got, want)
		if runtime.GOARCH == "amd64" && (got.Mean != want.Mean || got.Std != want.Std) {
			t.Errorf("%s: mean %v and deviation %v, expected %v and %v to the last bit", name, got.Mean, got.Std, want.Mean, want.Std)
		}
	}
}

func BenchmarkDescribe(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, 1<<20)
	for i := range values {
		values[i] = 280 + 10*r.NormFloat64()
	}
	b.SetBytes(int64(8 * len(values)))
	for b.Loop() {
		Describe(values, nil, 0)
	}
}
