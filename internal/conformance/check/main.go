// Command check reads the conformance suite in a folder with tgmconv, and prints what is wrong.
//
//	go run ./internal/conformance/check FOLDER
package main

import (
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/internal/conformance"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: check FOLDER")
		os.Exit(2)
	}
	folder := os.Args[1]
	cases, err := conformance.ReadManifest(folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
	wrong := 0
	for _, c := range cases {
		if err := conformance.Check(folder, c); err != nil {
			wrong++
			fmt.Printf("%s: %s of %s: %v\n", c.File, c.Pipeline, c.DType, err)
		}
	}
	fmt.Printf("%d of %d files decode to the expected values\n", len(cases)-wrong, len(cases))
	if wrong > 0 {
		os.Exit(1)
	}
}
