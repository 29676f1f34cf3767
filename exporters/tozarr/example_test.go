package tozarr_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/storage"
)

func ExampleWrite() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	target, err := tozarr.NewFolder(new(storage.Client), folder+"/out.zarr")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := tozarr.Write(context.Background(), sample(), target, tozarr.Options{
		Chunks: tozarr.Lengths{"step": tozarr.All, "y": 5},
	})
	fmt.Println(report.Arrays, "arrays,", report.Chunks, "chunks,", err)
	// Output: 5 arrays, 10 chunks, <nil>
}
