package coast_test

import (
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/internal/plot/coast"
)

func Example() {
	lines, err := coast.Lines(coast.Scale110m)
	if err != nil {
		log.Fatal(err)
	}
	borders := 0
	for _, l := range lines {
		if l.Border {
			borders++
		}
	}
	fmt.Println(len(lines)-borders, "coasts,", borders, "borders")
	// Output: 272 coasts, 327 borders
}
