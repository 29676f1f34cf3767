package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// A Window bounds the items that are begun and not over: items being worked on, and results that wait for
// their turn. The zero value works on GOMAXPROCS items.
type Window[I any] struct {
	Workers int           // items that are worked on at the same time; 0 means GOMAXPROCS
	Ahead   int           // further items that may wait
	Memory  int64         // bytes that items may take together; a larger item is worked on alone
	Bytes   func(I) int64 // of an item and its result; nil if Memory is not bounded
}

func (w *Window[I]) bytes(item I) int64 {
	if w.Bytes == nil {
		return 0
	}
	return max(0, min(w.Bytes(item), w.Memory))
}

// A pending item has its result when done is closed.
type pending[T any] struct {
	value T
	err   error
	bytes int64
	done  chan struct{}
}

// Ordered calls work for items on several goroutines and yields the results in the order of the
// items. An error does not end the work on others: the caller decides whether to go on. Only when
// ctx ends, its error is yielded and is the last.
//
// An item is over when the next result is asked for. Memory is then given back. All goroutines have
// ended when the iteration has; the context of working ones is cancelled.
func Ordered[I, T any](ctx context.Context, items iter.Seq[I], w Window[I], work func(context.Context, I) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		workers := w.Workers
		if workers <= 0 {
			workers = runtime.GOMAXPROCS(0)
		}
		memory, busy := semaphore.NewWeighted(w.Memory), make(chan struct{}, workers)
		order := make(chan *pending[T], workers+w.Ahead)
		running.Go(func() {
			defer close(order)
			for item := range items {
				p := &pending[T]{bytes: w.bytes(item), done: make(chan struct{})}
				if memory.Acquire(ctx, p.bytes) != nil {
					return
				}
				select {
				case order <- p:
				case <-ctx.Done():
					return
				}
				select {
				case busy <- struct{}{}:
				case <-ctx.Done():
					return
				}
				running.Go(func() {
					p.value, p.err = work(ctx, item)
					<-busy
					close(p.done)
				})
			}
		})
		for p := range order {
			select {
			case <-p.done:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				break
			}
			if !yield(p.value, p.err) {
				return
			}
			memory.Release(p.bytes)
		}
		if err := ctx.Err(); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// Each calls do for the numbers below n, on up to GOMAXPROCS goroutines.
func Each(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	all.Wait()
}
