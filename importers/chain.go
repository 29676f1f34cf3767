package importers

import (
	"context"
	"errors"
	"iter"
)

// Chain makes one source of several, which are read one after the other.
func Chain(sources ...Source) Source { return chain(sources) }

type chain []Source

func (c chain) Pending(ctx context.Context) iter.Seq2[Pending, error] {
	return func(yield func(Pending, error) bool) {
		for _, s := range c {
			for p, err := range s.Pending(ctx) {
				if !yield(p, err) {
					return
				}
			}
		}
	}
}

func (c chain) Size() int64 {
	total := int64(0)
	for _, s := range c {
		size := s.Size()
		if size == 0 {
			return 0
		}
		total += size
	}
	return total
}

func (c chain) Close() error {
	var errs []error
	for _, s := range c {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
