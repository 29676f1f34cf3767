package catalog_test

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
)

func ExampleCatalog_AddSource() {
	inputs := []importers.Input{{Name: "../../fixtures/grib/gfs_2p50_f000.grib2"}}
	var c catalog.Catalog
	err := c.AddSource(context.Background(), fromgrib.New(inputs, fromgrib.Options{}), func(bad *importers.BadInput) error { return bad })
	if err != nil {
		fmt.Println(err)
		return
	}
	soil, err := mapping.ParseClauses([]string{"name=st,top<0.4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range c.Select(soil, nil) {
		fmt.Println(e.Name, e.Labels.Top.Value, e.Labels.Bottom.Value, e.Dims, e.Shape)
	}
	// Output:
	// st 0 0.1 [latitude longitude] [73 144]
	// st 0.1 0.4 [latitude longitude] [73 144]
}
