package fields

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// A batch is some fields that one worker looks at.
type batch[T any] struct {
	fields []Field
	bytes  int
	looked []T
	err    error
	done   chan struct{}
}

// A batch is full when it has this many fields or bytes.
const (
	batchLen   = 32
	batchBytes = 1 << 20
)

// EachParallel calls look for every field of a file on all cores, and take with what it returned in
// the order of the fields, until one of them returns an error. It returns the number of fields that
// take was called for, or that were looked at when it returned ErrStop.
func EachParallel[T any](ctx context.Context, s Scanner, look func(Field) (T, error), take func(T) error) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *batch[T]), make(chan *batch[T], 2*workers)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for range workers {
		running.Go(func() {
			var reader keys.Reader
			for b := range work {
				b.look(&reader, look)
			}
		})
	}
	var scanErr error
	running.Go(func() {
		defer close(order)
		defer close(work)
		scanErr = scanBatches(ctx, s, func(b *batch[T]) error {
			for _, c := range []chan<- *batch[T]{order, work} {
				select {
				case c <- b:
				case <-ctx.Done():
					close(b.done)
					return ctx.Err()
				}
			}
			return nil
		})
	})
	taken := 0
	for b := range order {
		select {
		case <-b.done:
		case <-ctx.Done():
			return taken, ctx.Err()
		}
		n, err := b.take(take)
		if taken += n; err != nil {
			if errors.Is(err, ErrStop) {
				err = nil
			}
			return taken, err
		}
	}
	return taken, scanErr
}

// scanBatches hands out the fields of a file in batches.
func scanBatches[T any](ctx context.Context, s Scanner, hand func(*batch[T]) error) error {
	next := &batch[T]{done: make(chan struct{})}
	flush := func() error {
		b := next
		next = &batch[T]{done: make(chan struct{})}
		return hand(b)
	}
	_, err := s.scan(ctx, func(f Field) error {
		next.fields = append(next.fields, f)
		if next.bytes += len(f.Message()); len(next.fields) == batchLen || next.bytes >= batchBytes {
			return flush()
		}
		return nil
	})
	if len(next.fields) > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return err
}

// take gives out what was found in a batch, and returns for how many fields.
func (b *batch[T]) take(take func(T) error) (int, error) {
	for i, x := range b.looked {
		if err := take(x); err != nil {
			return i + 1, err
		}
	}
	return len(b.looked), b.err
}

func (b *batch[T]) look(reader *keys.Reader, look func(Field) (T, error)) {
	defer close(b.done)
	for _, f := range b.fields {
		x, err := one(reader, f, look)
		if err != nil {
			b.err = err
			return
		}
		b.looked = append(b.looked, x)
	}
	b.fields = nil
}

func one[T any](reader *keys.Reader, f Field, look func(Field) (T, error)) (x T, err error) {
	if err := f.open(reader); err != nil {
		return x, err
	}
	x, err = look(f)
	return x, f.inMessage(err)
}
