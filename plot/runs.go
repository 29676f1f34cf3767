package plot

import (
	"cmp"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/look"
)

// sampleOf takes about most values at equal distances of the n of a large field, in their order, and
// the least and the greatest of all.
func sampleOf(runs look.Runs, n uint64, most int) ([]float64, error) {
	stride := n/uint64(most) + 1
	type numbered struct {
		number uint64
		value  float64
	}
	var some []numbered
	low, high := math.Inf(1), math.Inf(-1)
	for r, err := range runs() {
		if err != nil {
			return nil, err
		}
		for _, v := range r.Values {
			if v-v == 0 { // finite
				low, high = min(low, v), max(high, v)
			}
		}
		for i := (stride - r.First%stride) % stride; i < uint64(len(r.Values)); i += stride {
			some = append(some, numbered{r.First + i, r.Values[i]})
		}
	}
	slices.SortFunc(some, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	sample := make([]float64, 0, len(some)+2)
	for _, s := range some {
		sample = append(sample, s.value)
	}
	if low <= high {
		sample = append(sample, low, high)
	}
	return sample, nil
}

// valuesAt returns the values of a large field with the given numbers, NaN for negative ones.
func valuesAt(runs look.Runs, numbers []int32) ([]float64, error) {
	order := make([]int32, 0, len(numbers)) // positions in numbers, by number
	values := make([]float64, len(numbers))
	for k, n := range numbers {
		if values[k] = math.NaN(); n >= 0 {
			order = append(order, int32(k))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(numbers[a], numbers[b]) })
	for r, err := range runs() {
		if err != nil {
			return nil, err
		}
		end := r.First + uint64(len(r.Values))
		at, _ := slices.BinarySearchFunc(order, r.First, func(k int32, first uint64) int { return cmp.Compare(uint64(numbers[k]), first) })
		for _, k := range order[at:] {
			n := uint64(numbers[k])
			if n >= end {
				break
			}
			values[k] = r.Values[n-r.First]
		}
	}
	return values, nil
}
