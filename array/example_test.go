package array_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/array"
)

// Two fields are one array with a new outer dimension, and a column of it is read.
func Example() {
	first := array.Memory([]uint64{1, 2, 2}, array.Uint8, []byte{1, 2, 3, 4})
	second := array.Memory([]uint64{1, 2, 2}, array.Uint8, []byte{5, 6, 7, 8})
	both, err := array.Join(0, first, second)
	if err != nil {
		log.Fatal(err)
	}
	column := array.Region{Start: []uint64{0, 0, 1}, Count: []uint64{2, 2, 1}}
	values, err := array.Read(context.Background(), both, column, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(both.Info().Shape, values)
	// Output: [2 2 2] [2 4 6 8]
}
