package compare_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/compare"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// first calls look for the first field of a file.
func first(name string, look func(fields.Field) error) error {
	f, err := os.Open("../../../../../fixtures/grib/earthkit/" + name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	for field, err := range (fields.Scanner{Reader: f, Size: info.Size(), Name: name}).All(context.Background()) {
		if err != nil {
			return err
		}
		return look(field)
	}
	return nil
}

func Example() {
	c := compare.New(os.Stdout, compare.Options{Keys: []compare.Key{{Key: fields.ParseKey("shortName")}, {Key: fields.ParseKey("level")}}})
	err := first("t_pl.grib", func(a fields.Field) error {
		return first("u_pl.grib", func(b fields.Field) error {
			same, err := c.Fields(a, b)
			fmt.Println("the same:", same)
			return err
		})
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// -- GRIB #1 -- shortName=t paramId=130 stepRange=0 levelType=pl level=1000 packingType=grid_simple gridType=regular_ll --
	// string [shortName]: [t] != [u]
	// the same: false
}
