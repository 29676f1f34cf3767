package tonetcdf_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/internal/archive"
)

func Example() {
	ctx := context.Background()
	var objects []dataset.Object
	a, err := archive.List(ctx, []string{"../../fixtures/tgm/metadata_parity.tgm"}, archive.Options{Select: func(o *dataset.Object) bool {
		objects = append(objects, *o)
		return true
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	plan, err := tonetcdf.NewPlan(ctx, dataset.ObjectList(objects), a, tonetcdf.Options{})
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
