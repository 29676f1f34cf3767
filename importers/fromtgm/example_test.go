package fromtgm_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtgm"
)

// Example stores the values of a file in another way.
func Example() {
	s := fromtgm.New([]importers.Input{{Name: "../../fixtures/tgm/named_axes.tgm"}}, fromtgm.Options{})
	defer s.Close()
	var out bytes.Buffer
	report, err := importers.Convert(context.Background(), s, &out, importers.Options{Encoding: importers.Encoding{Compression: "zstd", Encoding: importers.EncodingNone}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Fields, report.Messages)
	// Output: 6 1
}
