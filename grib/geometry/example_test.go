package geometry_test

import (
	"encoding/hex"
	"fmt"

	"github.com/tgmconv/tgmconv/grib/geometry"
)

// A section 3 with template 3.0: 4 rows of 4 points, from the equator northwards.
const section = "000000480300000000100000000006ffffffffffffffffffffffffffffff000000040000000400000000ffffffff" +
	"000000000000000030002dc6c0002dc6c0000f4240000f424040"

func Example() {
	b, err := hex.DecodeString(section)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := geometry.Parse(2, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	lat, lon, err := g.Coordinates()
	fmt.Println(g.GridType, g.Dims(), g.Shape())
	fmt.Println(lat, lon, err)
	// Output:
	// regular_ll [latitude longitude] [4 4]
	// [0 1 2 3] [0 1 2 3] <nil>
}
