package tonetcdf_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
)

// GRIB as netCDF, without a file between them.
func Example() {
	ctx := context.Background()
	objects, err := tgmconv.OpenObjects(ctx, "../../fixtures/grib/sanity.grib2")
	if err != nil {
		log.Fatal(err)
	}
	defer objects.Close()
	plan, err := tonetcdf.NewPlan(ctx, dataset.ObjectList(objects.List), objects.Fields(), tonetcdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range plan.Files {
		var out bytes.Buffer
		if err := f.Write(ctx, &out); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q\n", out.Bytes()[:4])
	}
	// Output: "\x89HDF"
}
