package unpack_test

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "day.zip")
	if err := writeZip(archive, "fields/t2m.nc", "temperature"); err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	client := unpack.NewClient(new(storage.Client))
	defer client.Close()
	found, err := client.Find(ctx, archive+"::fields/*.nc")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range found {
		blob, err := client.Open(ctx, in.Name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(filepath.Base(in.Name), blob.Size())
		blob.Close()
	}
	// Output: t2m.nc 11
}

func writeZip(name, member, data string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := zip.NewWriter(f)
	m, err := w.Create(member)
	if err != nil {
		return err
	}
	if _, err := m.Write([]byte(data)); err != nil {
		return err
	}
	return w.Close()
}
