package sz3_test

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/codec/sz3"
)

func Example() {
	values := make([]float64, 10_000)
	for i := range values {
		values[i] = 280 + 30*math.Sin(float64(i)/100)
	}
	stream, err := sz3.Encode(nil, values, sz3.Params{Mode: sz3.Abs, Bound: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := sz3.Values(stream)
	if err != nil || n > 1<<20 { // more than this program expects
		fmt.Println(n, err)
		return
	}
	back := make([]float64, n)
	if err := sz3.Decode(back, stream); err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for i := range back {
		worst = max(worst, math.Abs(back[i]-values[i]))
	}
	fmt.Println(len(stream) < 8*len(values)/20, worst <= 0.01)
	// Output: true true
}
