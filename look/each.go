package look

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A Result is the result of [Each] for a field.
type Result[T any] struct {
	Field *Field
	Value T
	Err   error
}

// atOnce is how many bytes fields may have of which several are read at once. A larger one is read
// alone.
const atOnce = 128 << 20

// Each calls do for the fields on all cores and yields the results in order. It holds at most as
// many fields and results at a time as there are cores; large fields are read one after the other.
func Each[T any](ctx context.Context, fields []*Field, do func(context.Context, *Field) (T, error)) iter.Seq[Result[T]] {
	return func(yield func(Result[T]) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		workers := max(1, runtime.GOMAXPROCS(0))
		results := make(chan chan Result[T], workers-1)
		room := semaphore.NewWeighted(atOnce)
		running.Go(func() {
			defer close(results)
			for _, f := range fields {
				result := make(chan Result[T], 1)
				select {
				case results <- result:
				case <-ctx.Done():
					return
				}
				bytes := f.bytes()
				if room.Acquire(ctx, bytes) != nil {
					close(result)
					return
				}
				running.Go(func() {
					v, err := do(ctx, f)
					room.Release(bytes)
					result <- Result[T]{f, v, err}
				})
			}
		})
		for result := range results {
			if r, ok := <-result; !ok || !yield(r) {
				return
			}
		}
	}
}

// bytes is the memory that the values of the field take, at most atOnce.
func (f *Field) bytes() int64 {
	n := uint64(8)
	for _, d := range f.Shape {
		if n > 0 && d > atOnce/n {
			return atOnce
		}
		n *= d
	}
	return int64(n)
}
