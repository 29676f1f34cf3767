package fields_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

func Example() {
	f, err := os.Open("../../../../../fixtures/grib/earthkit/t_pl.grib")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	s := fields.Scanner{Reader: f, Size: info.Size(), Name: f.Name()}
	n, err := s.Each(context.Background(), func(f fields.Field) error {
		level, err := f.Text(fields.ParseKey("level:d"), "%.1f")
		if err != nil {
			return err
		}
		fmt.Println(f.Count, f.Offset(), level)
		return nil
	})
	fmt.Println(n, "fields", err)
	// Output:
	// 1 0 1000.0
	// 2 240 850.0
	// 3 480 700.0
	// 4 720 500.0
	// 5 960 400.0
	// 6 1200 300.0
	// 6 fields <nil>
}
