package dataset_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/dataset"
)

func Example() {
	ctx := context.Background()
	opened, err := tgmconv.Open(ctx, "../fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		log.Fatal(err)
	}
	defer opened.Close()
	set, fields := opened.Labelled()
	t := set.Variable("t")
	fmt.Println(t.Dims, t.Shape)
	ref, _ := t.Ref(make([]uint64, len(t.Shape))) // the field of the first labels
	values, err := dataset.Read(ctx, fields, ref, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values.DType, values.Shape)
	// Output:
	// [number time isobaricInhPa latitude longitude] [10 4 2 61 120]
	// float64 [61 120]
}
