package bitmask_test

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

func Example() {
	m := bitmask.New(1_000_000)
	m.Set(3)
	m.Set(999_999)
	coded, err := bitmask.Encode(nil, m, bitmask.Roaring)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := bitmask.Decode(coded, 1_000_000, bitmask.Roaring)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back.Count(), slices.Collect(back.Indices()), len(coded) < 50)
	// Output: 2 [3 999999] true
}
