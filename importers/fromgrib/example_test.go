package fromgrib_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
)

// Converting the 500 hPa fields of a file, a message for each time; nothing is left behind if it
// fails.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	level, err := fromgrib.ParseWhere([]string{"level=500"})
	if err != nil {
		log.Fatal(err)
	}
	ctx, client := context.Background(), new(storage.Client)
	defer client.Close()
	inputs, err := client.Find(ctx, "../../fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		log.Fatal(err)
	}
	src := fromgrib.New(inputs, fromgrib.Options{Opener: client, Where: level, GroupBy: []string{"date", "time"}})
	defer src.Close()

	out, err := client.Create(ctx, filepath.Join(dir, "500.tgm"))
	if err != nil {
		log.Fatal(err)
	}
	defer out.Abort()
	report, err := importers.Convert(ctx, src, out, importers.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := out.Commit(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Fields, "fields in", report.Messages, "messages")
	// Output: 80 fields in 4 messages
}
