// Command read reads Zarr arrays as a whole with package zarr, and prints the wall and CPU seconds of each, the
// least of five:
//
//	read FOLDER...
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tgmconv/tgmconv/bench/peer/cputime"
	"github.com/tgmconv/tgmconv/zarr"
)

func main() {
	for _, folder := range os.Args[1:] {
		if err := measure(folder); err != nil {
			fmt.Fprintln(os.Stderr, "read:", err)
			os.Exit(1)
		}
	}
}

func measure(folder string) error {
	ctx := context.Background()
	store, err := zarr.OpenFolder(folder)
	if err != nil {
		return err
	}
	defer store.Close()
	a, err := zarr.OpenArray(ctx, store, "")
	if err != nil {
		return err
	}
	size, err := a.Metadata().Bytes()
	if err != nil {
		return err
	}
	wall, used := time.Hour, time.Hour
	for range 5 {
		start, before := time.Now(), cputime.Used()
		if err := a.Read(ctx, make([]byte, size)); err != nil {
			return err
		}
		wall, used = min(wall, time.Since(start)), min(used, cputime.Used()-before)
	}
	_, err = fmt.Printf("%.3f %.3f\n", wall.Seconds(), used.Seconds())
	return err
}
