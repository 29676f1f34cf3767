package importers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
)

// Listing the parts to convert, without reading values.
func Example() {
	ctx := context.Background()
	src := fromgrib.New([]importers.Input{{Name: "../fixtures/grib/earthkit/t_pl.grib"}}, fromgrib.Options{})
	defer src.Close()
	for part, err := range src.Parts(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		for f, err := range src.Read(ctx, part, nil) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(f.Name, f.Shape, f.DType)
		}
	}
	// Output:
	// t [7 12] float64
	// t [7 12] float64
	// t [7 12] float64
	// t [7 12] float64
	// t [7 12] float64
	// t [7 12] float64
}
