package packing_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

func Example() {
	temperatures := []float64{271.25, 280.5, 283.75, 290}
	params, err := packing.Compute(temperatures, 12, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	packed, err := packing.Encode(nil, temperatures, params)
	if err != nil {
		fmt.Println(err)
		return
	}
	back := make([]float64, len(temperatures))
	err = packing.Decode(back, packed, params)
	fmt.Println(len(packed), back, err)
	// Output: 6 [271.25 280.5 283.75 290] <nil>
}
