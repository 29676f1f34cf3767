package tozarr_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// Each of several runs that append at once is in the store as a whole, or fails with the reason.
func TestAppendAtOnce(t *testing.T) {
	const runs = 6
	for range 5 {
		dir := filepath.Join(t.TempDir(), "out.zarr")
		done := make([]bool, runs)
		var group sync.WaitGroup
		for run := range runs {
			group.Go(func() {
				v := sample()
				v.first["time"], v.first["t"] = float64(1000*(run+1)), float64(10000*(run+1))
				_, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{
					Append: "time", Chunks: tozarr.Lengths{"time": 2}, Source: fmt.Sprint(run), Lock: storage.LockOptions{Wait: time.Minute},
				})
				if overlap := new(*tozarr.AppendError); err != nil && !errors.As(err, overlap) {
					t.Error(err)
				}
				done[run] = err == nil
			})
		}
		group.Wait()
		if !slices.Contains(done, true) {
			t.Fatal("no run has written")
		}
		var times, values []float64
		for run := range runs {
			if done[run] {
				v := sample()
				v.first["time"], v.first["t"] = float64(1000*(run+1)), float64(10000*(run+1))
				store := serve.NewStore(v, serve.StoreOptions{})
				times, values = append(times, elements(t, store, "time")...), append(values, elements(t, store, "t")...)
			}
		}
		store := zarr.NewDir(os.DirFS(dir))
		if got := elements(t, store, "time"); !slices.Equal(got, times) {
			t.Fatalf("times are %v, expected %v", got, times)
		}
		if got := elements(t, store, "t"); fmt.Sprint(got) != fmt.Sprint(values) { // NaNs are equal
			t.Fatal("values differ")
		}
		if _, err := os.Stat(filepath.Join(dir, ".tgmconv-unfinished")); err == nil {
			t.Fatal("the folder of the lock stays")
		}
	}
}

// A run that fails leaves nothing of its lock.
func TestLockLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{Append: "none"}); err == nil {
		t.Fatal("appended along a dimension that is not there")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder is left")
	}
}

func TestLockedStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	hold, err := folder(t, dir).Lock(t.Context(), storage.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{}); !errors.As(err, new(*storage.LockedError)) {
		t.Errorf("a store that another writes to: %v", err)
	}
	if err := hold.Release(); err != nil {
		t.Error(err)
	}
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{}); err != nil {
		t.Error(err)
	}
}
