package look_test

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/look"
)

func ExampleDescribe() {
	s := look.Describe([]float64{4, 1, math.NaN(), 3, 2}, []float64{0.25}, 2)
	fmt.Println(s.Count, s.Missing, s.Min, s.Max, s.Mean, s.Median, s.Quantiles[0].Value)
	fmt.Println(s.Histogram.Edges, s.Histogram.Counts)
	// Output:
	// 5 1 1 4 2.5 2.5 1.75
	// [1 2.5 4] [2 2]
}
