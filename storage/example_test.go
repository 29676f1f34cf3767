package storage_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/storage"
)

// Files that match a pattern are copied to a file that appears when it is complete. Any of the
// locations may be on the network: "s3://bucket/in/*.grib2".
func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	ctx, client := context.Background(), new(storage.Client)
	defer client.Close()
	inputs, err := client.Find(ctx, "../fixtures/grib/2t*.grib2")
	if err != nil {
		log.Fatal(err)
	}
	out, err := client.Create(ctx, filepath.Join(folder, "heads"))
	if err != nil {
		log.Fatal(err)
	}
	defer out.Abort()
	for _, in := range inputs {
		blob, err := client.Open(ctx, in.Name)
		if err != nil {
			log.Fatal(err)
		}
		head := make([]byte, 4)
		if _, err := blob.ReadAt(ctx, head, 0); err != nil {
			log.Fatal(err)
		}
		blob.Close()
		if _, err := out.Write(head); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s begins with %s\n", filepath.Base(in.Name), head)
	}
	if err := out.Commit(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2t.grib2 begins with GRIB
	// 2t_simple.grib2 begins with GRIB
}
