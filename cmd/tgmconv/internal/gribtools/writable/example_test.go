package writable_test

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/writable"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Fields of a file that match a clause, as [togrib.Export] takes them.
func ExampleOfTensogram() {
	const path = "../../../../../fixtures/tgm/named_axes.tgm"
	f, err := tgm.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	clauses, err := mapping.ParseClauses([]string{"name=nothing"})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for _, err := range writable.OfTensogram(context.Background(), f, writable.Options{Where: clauses, Name: path, Location: path}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		n++
	}
	fmt.Println(n)
	// Output: 0
}
