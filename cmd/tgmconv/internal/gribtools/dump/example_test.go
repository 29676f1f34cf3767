package dump_test

import (
	"context"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/dump"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

func Example() {
	f, err := os.Open("../../../../../fixtures/grib/sanity.grib2")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	d := dump.New(os.Stdout, dump.Options{Keys: []string{"centre", "shortName"}, JSON: true})
	s := fields.Scanner{Reader: f, Size: info.Size(), Name: f.Name()}
	if _, err := s.Each(context.Background(), d.Field); err != nil {
		log.Fatal(err)
	}
	if err := d.End(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// { "messages" : [
	//   [
	//     {
	//       "key" : "centre",
	//       "value" : 98
	//     },
	//     {
	//       "key" : "shortName",
	//       "value" : "2t"
	//     }
	//   ]
	// ]}
}
