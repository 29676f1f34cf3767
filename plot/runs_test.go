package plot

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/look"
)

// TestRuns takes values of a field that is read in runs, which are not in order.
func TestRuns(t *testing.T) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i)
	}
	values[0] = math.NaN()
	runs := func() iter.Seq2[look.Run, error] {
		return func(yield func(look.Run, error) bool) {
			for _, first := range []int{600, 0, 900, 300} {
				end := min(first+300, 1000)
				if first == 600 {
					end = 900
				}
				if !yield(look.Run{First: uint64(first), Values: values[first:end]}, nil) {
					return
				}
			}
		}
	}
	sample, err := sampleOf(runs, 1000, 9) // every 112th
	if err != nil || len(sample) != 11 || sample[1] != 112 || sample[8] != 896 || sample[9] != 1 || sample[10] != 999 {
		t.Errorf("sample %v, %v", sample, err)
	}
	numbers := []int32{999, -1, 5, 5, 300, 299, 899, 900}
	got, err := valuesAt(runs, numbers)
	if err != nil || !math.IsNaN(got[1]) {
		t.Fatal(got, err)
	}
	got[1] = -1
	if want := []float64{999, -1, 5, 5, 300, 299, 899, 900}; !slices.Equal(got, want) {
		t.Errorf("values %v, expected %v", got, want)
	}
}
