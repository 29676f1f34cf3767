package keys_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func Example() {
	message, err := os.ReadFile("../../fixtures/grib/earthkit/test_single.grib")
	if err != nil {
		log.Fatal(err)
	}
	h, err := keys.New(message, nil)
	if err != nil {
		log.Fatal(err)
	}
	name, err := h.String("shortName")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name)
	for _, k := range h.Namespace("time") {
		fmt.Println(k.Name, k.Value)
	}
	// Output:
	// 2t
	// dataDate 20170427
	// dataTime 1200
	// stepUnits 1
	// stepType instant
	// stepRange 0
	// startStep 0
	// endStep 0
	// validityDate 20170427
	// validityTime 1200
}
