package shuffle_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

func Example() {
	numbers := []byte{1, 0, 2, 0, 3, 0, 4, 0} // 1, 2, 3, 4 in two bytes each, little-endian
	planes := make([]byte, len(numbers))
	if err := shuffle.Encode(planes, numbers, 2); err != nil {
		fmt.Println(err)
		return
	}
	back := make([]byte, len(numbers))
	err := shuffle.Decode(back, planes, 2)
	fmt.Println(planes, back, err)
	// Output: [1 2 3 4 0 0 0 0] [1 0 2 0 3 0 4 0] <nil>
}
