package togrib_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/tgmconv/tgmconv/exporters/togrib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/tgm"
)

// A field that was converted becomes a GRIB message again.
func Example() {
	ctx := context.Background()
	src := fromgrib.New([]importers.Input{{Name: "../../fixtures/grib/earthkit/test_single.grib"}}, fromgrib.Options{})
	defer src.Close()
	var message, back bytes.Buffer
	if _, err := importers.Convert(ctx, src, &message, importers.Options{}); err != nil {
		log.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(message.Bytes()), int64(message.Len()))
	if err != nil {
		log.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		log.Fatal(err)
	}
	objects := func(yield func(togrib.Object, error) bool) {
		for o, err := range m.Objects() {
			if !yield(togrib.Object{Object: o}, err) {
				return
			}
		}
	}
	report, err := togrib.Export(ctx, &back, objects, togrib.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Fields, "field in", report.Messages, "message")
	// Output: 1 field in 1 message
}
