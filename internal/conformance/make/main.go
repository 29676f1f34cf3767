// Command make writes the conformance suite with tgmconv.
//
//	go run ./internal/conformance/make FOLDER
package main

import (
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/internal/conformance"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: make FOLDER")
		os.Exit(2)
	}
	cases, err := conformance.Make(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
	fmt.Println(len(cases), "files")
}
