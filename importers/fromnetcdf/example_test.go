package fromnetcdf_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
)

// Listing the parts to convert, without reading values.
func Example() {
	ctx := context.Background()
	src := fromnetcdf.New([]importers.Input{{Name: "../../fixtures/netcdf/cf_temperature.nc"}}, fromnetcdf.Options{})
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
	// lat [5] float32
	// lon [4] float32
	// time [3] float64
	// temperature [3 5 4] float64
}
