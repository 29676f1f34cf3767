package list_test

import (
	"context"
	"log"
	"os"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/list"
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
	l := list.New(os.Stdout, list.Options{
		Keys:   fields.ParseKeys([]string{"shortName", "level", "dataTime"}),
		Select: func(f fields.Field) (ok, last bool) { return f.Count%2 == 1, false },
	})
	if err := l.File(context.Background(), fields.Scanner{Reader: f, Size: info.Size(), Name: f.Name()}); err != nil {
		log.Fatal(err)
	}
	if err := l.End(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// t 1000 1200
	// t 700 1200
	// t 400 1200
}
