package cf_test

import (
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/cf"
)

func Example() {
	units, err := cf.ParseTimeUnits("days since 2000-02-28", "noleap")
	if err != nil {
		log.Fatal(err)
	}
	date, _ := units.Date(1.25)
	fmt.Println(date)
	// Output: 2000-03-01T06:00:00
}
