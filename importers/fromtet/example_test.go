package fromtet_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
)

func Example() {
	s := fromtet.New([]importers.Input{{Name: "../../fixtures/tet/tetpy/weather.tet"}}, fromtet.Options{})
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(context.Background(), s, &out, importers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Fields, report.Coordinates, report.Messages)
	// Output: 2 2 1
}
