// Command read reads a Zarr array as a whole with package zarr, several times, and prints the wall and
// CPU seconds of each read:
//
//	read FOLDER TIMES
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/tgmconv/tgmconv/bench/peer/cputime"
	"github.com/tgmconv/tgmconv/zarr"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: read FOLDER TIMES")
		os.Exit(2)
	}
	times, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = measure(os.Args[1], times)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "read:", err)
		os.Exit(1)
	}
}

func measure(folder string, times int) error {
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
	for range times {
		start, before := time.Now(), cputime.Used()
		if err := a.Read(ctx, make([]byte, size)); err != nil {
			return err
		}
		fmt.Printf("%.3f %.3f\n", time.Since(start).Seconds(), (cputime.Used() - before).Seconds())
	}
	return nil
}
