package tet_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/tet"
)

func Example() {
	f, err := tet.OpenMapped("../fixtures/tet/tetpy/weather.tet")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for _, d := range f.Datasets() {
		fmt.Println(d.Name, d.DType, d.Shape, d.DimNames())
	}
	d, _ := f.Dataset("t2m")
	sel, err := tet.ParseSelection(`time=2026-04-05,lat="50":"30",lon=::3`)
	if err != nil {
		log.Fatal(err)
	}
	a, err := d.Read(context.Background(), sel, tet.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape, a.Float64s())
	// Output:
	// t2m f32 [2 5 7] [time lat lon]
	// group/flags u8 [9] []
	// [1 2 3] [10.5 11.25 12 12.25 13 13.75]
}

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "tet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.tet")
	w, err := tet.Create(path, []tet.DatasetSpec{
		{Name: "a", DType: tet.Uint8, Shape: []int64{2, 3}, ChunkShape: []int64{2, 2}},
	}, tet.WriterOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	if err := w.WriteArray(context.Background(), 0, bytes.NewReader([]byte{1, 2, 3, 4, 5, 6})); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	f, err := tet.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Size(), f.NumChunks())
	// Output: 342 2
}
