package fields

import (
	"context"
	"errors"
	"runtime"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/internal/parallel"
)

// A batch is full when it has this many fields or bytes.
const (
	batchLen   = 32
	batchBytes = 1 << 20
)

// EachParallel calls look for every field of a file on all cores, and take with the results. It
// calls take in the order of the fields, until one of them returns an error. It returns the number
// of fields that take was called for, or that were looked at when it returned ErrStop.
func EachParallel[T any](ctx context.Context, s Scanner, look func(Field) (T, error), take func(T) error) (int, error) {
	workers := runtime.GOMAXPROCS(0)
	readers := make(chan *keys.Reader, workers)
	for range workers {
		readers <- new(keys.Reader)
	}
	var scanErr error
	batches := func(yield func([]Field) bool) { scanErr = scanBatches(ctx, s, yield) }
	taken := 0
	for looked, err := range parallel.Ordered(ctx, batches, parallel.Window[[]Field]{Workers: workers, Ahead: workers}, func(_ context.Context, batch []Field) ([]T, error) {
		reader := <-readers
		defer func() { readers <- reader }()
		return lookAt(reader, batch, look)
	}) {
		for _, x := range looked {
			taken++
			if takeErr := take(x); takeErr != nil {
				err = takeErr
				break
			}
		}
		if errors.Is(err, ErrStop) {
			return taken, nil
		}
		if err != nil {
			return taken, err
		}
	}
	return taken, scanErr
}

// scanBatches hands out the fields of a file in batches, until hand returns false.
func scanBatches(ctx context.Context, s Scanner, hand func([]Field) bool) error {
	var batch []Field
	bytes := 0
	flush := func() error {
		full := batch
		batch, bytes = nil, 0
		if !hand(full) {
			return ErrStop
		}
		return nil
	}
	_, err := s.scan(ctx, func(f Field) error {
		batch = append(batch, f)
		if bytes += len(f.Message()); len(batch) == batchLen || bytes >= batchBytes {
			return flush()
		}
		return nil
	})
	if len(batch) > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	return err
}

// lookAt looks at fields, up to an error.
func lookAt[T any](reader *keys.Reader, fields []Field, look func(Field) (T, error)) (looked []T, err error) {
	for _, f := range fields {
		x, err := one(reader, f, look)
		if err != nil {
			return looked, err
		}
		looked = append(looked, x)
	}
	return looked, nil
}

func one[T any](reader *keys.Reader, f Field, look func(Field) (T, error)) (x T, err error) {
	if err := f.open(reader); err != nil {
		return x, err
	}
	f.data.parallel = true
	x, err = look(f)
	return x, f.looked(err)
}
