package look

import (
	"context"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// A Result is the result of [Each] for a field.
type Result[T any] struct {
	Field *Field
	Value T
	Err   error
}

// atOnce is the largest size in bytes of fields that are read several at once. A larger field is
// read alone.
const atOnce = 128 << 20

// Each calls do for the fields on all cores and yields the results in order, until the context ends.
// Large fields are read one after the other.
func Each[T any](ctx context.Context, fields []*Field, do func(context.Context, *Field) (T, error)) iter.Seq[Result[T]] {
	window := parallel.Window[*Field]{Memory: atOnce, Bytes: (*Field).bytes}
	results := parallel.Ordered(ctx, slices.Values(fields), window, func(ctx context.Context, f *Field) (Result[T], error) {
		v, err := do(ctx, f)
		return Result[T]{f, v, err}, nil
	})
	return func(yield func(Result[T]) bool) {
		for r, err := range results {
			if err != nil || !yield(r) {
				return // also when the context has ended
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
