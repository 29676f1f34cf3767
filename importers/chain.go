package importers

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Chain combines several sources into one, which reads them one after the other. Their parts carry
// the number of the source they belong to.
func Chain(sources ...Source) Source {
	var c chain
	for _, s := range sources {
		if inner, ok := s.(chain); ok {
			c = append(c, inner...)
		} else {
			c = append(c, s)
		}
	}
	return c
}

type chain []Source

func (c chain) Parts(ctx context.Context) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		for i, s := range c {
			for p, err := range s.Parts(ctx) {
				p.Source = i
				if !yield(p, err) {
					return
				}
			}
		}
	}
}

func (c chain) Read(ctx context.Context, p Part, scratch *Scratch) iter.Seq2[*Field, error] {
	if p.Source < 0 || p.Source >= len(c) {
		return func(yield func(*Field, error) bool) {
			yield(nil, &BadInput{p.Where(), fmt.Errorf("the part belongs to source %d of a chain of %d", p.Source, len(c))})
		}
	}
	return c[p.Source].Read(ctx, p, scratch)
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
