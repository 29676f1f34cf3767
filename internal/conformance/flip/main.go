// Command flip changes single bits of files, one at a time, and reads the result: every
// change that a reader does not notice although it gets other metadata or other values is printed.
//
//	go run ./internal/conformance/flip [-bits 100] FILE...
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/tgmconv/tgmconv/internal/conformance"
)

func main() {
	bits := flag.Int("bits", 100, "bits of each file")
	seed := flag.Uint64("seed", 1, "of the choice of bits")
	flag.Parse()
	rng := rand.New(rand.NewPCG(*seed, 0))
	flips, wrong := 0, 0
	for _, name := range flag.Args() {
		file, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "flip:", err)
			os.Exit(1)
		}
		silent, tried, err := conformance.Flip(file, *bits, rng)
		if err != nil {
			fmt.Fprintf(os.Stderr, "flip: %s: %v\n", name, err)
			os.Exit(1)
		}
		flips += tried
		wrong += len(silent)
		for _, s := range silent {
			fmt.Printf("%s: bit %d of byte %d: read by %s without an error\n", name, s.Bit%8, s.Bit/8, s.Reader)
		}
	}
	fmt.Printf("%d files, %d flipped bits, %d read with other content and without an error\n", flag.NArg(), flips, wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}
