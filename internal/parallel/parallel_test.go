package parallel

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

func TestDo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	var sum atomic.Int64
	Do(1000, 8, 16, func(first, end int) { sum.Add(int64(end - first)) })
	if sum.Load() != 1000 {
		t.Errorf("%d items done, expected 1000", sum.Load())
	}
}

func TestPieces(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	for _, n := range []int{0, 1, 7, 8, 63, 64, 65, 1000, 1003} {
		seen := make([]atomic.Int32, n)
		err := Pieces(n, 8, 16, func(first, end int) error {
			if first%8 != 0 || end > n || end-first < 16 && end != n {
				t.Errorf("piece %d to %d of %d", first, end, n)
			}
			for i := first; i < end; i++ {
				seen[i].Add(1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Fatalf("item %d of %d: done %d times", i, n, seen[i].Load())
			}
		}
	}
	first := errors.New("first")
	err := Pieces(1000, 8, 16, func(begin, _ int) error {
		if begin > 0 {
			return errors.New("later")
		}
		return first
	})
	if err != first {
		t.Errorf("error %v, expected that of the first piece", err)
	}
}
