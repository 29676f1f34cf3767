package mars_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/mars"
)

func Example() {
	p, ok := mars.LookupParam(167)
	fmt.Println(p.ShortName, p.Name, p.Units, ok)
	// Output: 2t 2 metre temperature K true
}
