package tgmconv_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv"
)

func Example() {
	ctx := context.Background()
	ds, err := tgmconv.Open(ctx, "fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		log.Fatal(err)
	}
	defer ds.Close()
	for _, v := range ds.Variables() {
		fmt.Println(v)
	}
	europe, err := ds.Sel(ctx, "time=2017-01-01T12", "number=0", "level=850", "lat=45:55,lon=0:9")
	if err != nil {
		log.Fatal(err)
	}
	defer europe.Close()
	t := europe.Variable("t")
	values, err := t.Float64s(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Shape(), len(values), values[0])
	// Output:
	// z [number time isobaricInhPa latitude longitude] float64 [m**2 s**-2]
	// t [number time isobaricInhPa latitude longitude] float64 [K]
	// valid_time [time] int64 2017-01-01T00:00:00 2017-01-01T12:00:00 2017-01-02T00:00:00 2017-01-02T12:00:00
	// number [number] int64 0 1 2 ... 7 8 9
	// time [time] int64 2017-01-01T00:00:00 2017-01-01T12:00:00 2017-01-02T00:00:00 2017-01-02T12:00:00
	// step [] int64 0s
	// isobaricInhPa [isobaricInhPa] float64 850 500
	// latitude [latitude] float64 90 87 84 ... -84 -87 -90
	// longitude [longitude] float64 0 3 6 ... 351 354 357
	// crs [] int32
	// [1 1 1 4 4] 16 268.3933868408203
}
