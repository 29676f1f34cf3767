// Command read reads Zarr arrays as a whole with package zarr, and prints the wall and CPU seconds of each, the
// least of five:
//
//	read FOLDER...
package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

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
		start, before := time.Now(), cpu()
		if err := a.Read(ctx, make([]byte, size)); err != nil {
			return err
		}
		wall, used = min(wall, time.Since(start)), min(used, cpu()-before)
	}
	_, err = fmt.Printf("%.3f %.3f\n", wall.Seconds(), used.Seconds())
	return err
}

// cpu is the processor time of this process.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
