package fromzarr_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/importers/fromzarr"
	"github.com/tgmconv/tgmconv/zarr"
)

// A Zarr store, of either format, in the model of netCDF.
func ExampleModel() {
	ctx := context.Background()
	f, err := os.Open("../../fixtures/zarr/xarray-tree-v2.zarr.zip")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	store, err := zarr.NewZip(f, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	file, err := fromzarr.Model(ctx, store, "tree")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range file.Root().Vars {
		fmt.Println(v)
	}
	// Output:
	// double lat(lat)
	// double lon(lon)
	// double t(lat, lon)
}
