package zfp_test

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/codec/zfp"
)

func temperatures(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = 280 + 30*math.Sin(float64(i)/100)
	}
	return values
}

func Example() {
	values := temperatures(10_000)
	params := zfp.Params{Mode: zfp.FixedAccuracy, Tolerance: 0.01}
	stream, err := zfp.Encode(nil, values, params)
	if err != nil {
		fmt.Println(err)
		return
	}
	back := make([]float64, len(values))
	if err := zfp.Decode(back, stream, params); err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for i := range back {
		worst = max(worst, math.Abs(back[i]-values[i]))
	}
	fmt.Println(len(stream) < 8*len(values)/4, worst <= 0.01)
	// Output: true true
}

func ExampleDecodeRange() {
	params := zfp.Params{Mode: zfp.FixedRate, Rate: 16}
	stream, err := zfp.Encode(nil, temperatures(10_000), params)
	if err != nil {
		fmt.Println(err)
		return
	}
	off, size, err := params.RangeBytes(5000, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	part := make([]float64, 3)
	err = zfp.DecodeRange(part, stream[off:off+size], params, 5000)
	fmt.Printf("%d of %d bytes: %.2f %v\n", size, len(stream), part, err)
	// Output: 8 of 20000 bytes: [272.13 272.42 272.71] <nil>
}
