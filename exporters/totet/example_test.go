package totet_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/storage"
)

func Example() {
	objects, err := tgmconv.OpenObjects(context.Background(), "../../fixtures/tgm/v0.17/multi_object.tgm")
	if err != nil {
		log.Fatal(err)
	}
	defer objects.Close()
	dir, err := os.MkdirTemp("", "totet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := new(storage.Client).Create(context.Background(), filepath.Join(dir, "out.tet"))
	if err != nil {
		log.Fatal(err)
	}
	out, err := storage.Random(w, "") // which would write to an object store by way of a temporary file
	if err != nil {
		log.Fatal(err)
	}
	defer out.Abort()
	report, err := totet.Export(context.Background(), dataset.ObjectList(objects.List), objects.Fields(), out, totet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Datasets)
	// Output: 3
}
