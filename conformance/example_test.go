package conformance_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/conformance"
)

func Example() {
	folder, err := os.MkdirTemp("", "suite")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	cases, err := conformance.Make(folder)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cases[0].File, conformance.Check(folder, cases[0]))
}
