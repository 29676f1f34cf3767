package extract_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/look"
)

// The temperature at 850 hPa of a member, at the grid point nearest to Berlin.
func ExamplePoints() {
	ctx := context.Background()
	ds, err := tgmconv.Open(ctx, "../fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		log.Fatal(err)
	}
	defer ds.Close()
	part, err := ds.Sel(ctx, "number=0", "level=850")
	if err != nil {
		log.Fatal(err)
	}
	defer part.Close()
	set, objects := part.Labelled()
	fields, err := look.DatasetFields(ctx, set, objects, look.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range extract.Points(ctx, fields, extract.Selection{Places: []extract.Place{{Name: "Berlin", Lat: 52.5, Lon: 13.4}}}) {
		if err != nil {
			log.Fatal(err)
		}
		if r.Name == "t" {
			fmt.Println(r.Point, r.Latitude, r.Longitude, r.ValidTime, string(r.AppendValue(nil)), r.Units)
		}
	}
	// Output:
	// Berlin 54 12 2017-01-01T00:00:00Z 275.47564697265625 K
	// Berlin 54 12 2017-01-01T12:00:00Z 271.8426055908203 K
	// Berlin 54 12 2017-01-02T00:00:00Z 268.2926483154297 K
	// Berlin 54 12 2017-01-02T12:00:00Z 265.00914001464844 K
}
