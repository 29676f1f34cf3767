package tetquery_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/internal/tetquery"
	"github.com/tgmconv/tgmconv/tet"
)

func ExampleRun() {
	f, err := tet.Open("../../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	d, _ := f.Dataset("t2m")
	r, err := tetquery.Run(context.Background(), d, tetquery.Query{Op: "mean", Axes: []string{"lat", "lon"}}, tet.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Shape, r.Values)
	// Output: [2] [4.25 13]
}
