package hdf5_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
)

func ExampleOpen() {
	f, err := hdf5.Open("../../../fixtures/netcdf/made/typed.h5")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	o, err := f.Lookup("/colour")
	if err != nil {
		log.Fatal(err)
	}
	d, err := o.Dataset()
	if err != nil {
		log.Fatal(err)
	}
	elements := make([]byte, d.Space.Len())
	if err := d.Read(context.Background(), elements, []uint64{0}, d.Space.Dims); err != nil {
		log.Fatal(err)
	}
	for _, e := range elements {
		for _, m := range d.Type.Members {
			if m.Value[0] == e {
				fmt.Println(e, m.Name)
			}
		}
	}
	// Output:
	// 0 red
	// 250 blue
	// 1 green
}
