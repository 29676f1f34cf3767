package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tet/query"
)

func ExampleRun() {
	f, err := tet.Open("../../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	d, _ := f.Dataset("t2m")
	r, err := query.Run(context.Background(), d, query.Query{Op: "mean", Axes: []string{"lat", "lon"}}, tet.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Shape, r.Values)
	// Output: [2] [4.25 13]
}
