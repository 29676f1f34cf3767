package look

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// A Result is what [Each] made of a field.
type Result[T any] struct {
	Field *Field
	Value T
	Err   error
}

// Each calls do for the fields on all cores and yields the results in order. At most as many fields
// as there are cores, and their results, are held at a time.
func Each[T any](ctx context.Context, fields []*Field, do func(context.Context, *Field) (T, error)) iter.Seq[Result[T]] {
	return func(yield func(Result[T]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		workers := max(1, runtime.GOMAXPROCS(0))
		results := make(chan chan Result[T], workers-1)
		running.Go(func() {
			defer close(results)
			for _, f := range fields {
				result := make(chan Result[T], 1)
				select {
				case results <- result:
				case <-ctx.Done():
					return
				}
				running.Go(func() {
					v, err := do(ctx, f)
					result <- Result[T]{f, v, err}
				})
			}
		})
		for result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}
