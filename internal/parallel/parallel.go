// Package parallel divides work on one array among the processor's cores.
package parallel

import (
	"runtime"
	"sync"
)

// Pieces calls do for pieces [first, end) of n items, at the same time on up to GOMAXPROCS
// goroutines. A piece has at least the given number of items, unless there are fewer, and begins at
// a multiple of unit, which divides least. The error is the error of the first failed piece.
func Pieces(n, unit, least int, do func(first, end int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n/max(least, 1))
	if workers < 2 {
		return do(0, n)
	}
	each := (n/workers + unit - 1) / unit * unit
	errs := make([]error, (n+each-1)/each)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = do(i*each, min((i+1)*each, n)) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Do is [Pieces] for functions that cannot fail.
func Do(n, unit, least int, do func(first, end int)) {
	// The error is always nil.
	_ = Pieces(n, unit, least, func(first, end int) error {
		do(first, end)
		return nil
	})
}
