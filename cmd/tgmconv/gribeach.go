package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// eachField calls look for every field of a GRIB file, and returns the number of fields. Broken
// messages are passed over, and reported as an error at the end.
func eachField(ctx context.Context, disk *diskFile, look func(gribField) error) (int, error) {
	var reader keys.Reader
	return scanFields(ctx, disk, func(f gribField) error {
		if err := f.open(&reader); err != nil {
			return err
		}
		return f.inMessage(look(f))
	})
}

// scanFields calls look for every field, without its keys.
func scanFields(ctx context.Context, disk *diskFile, look func(gribField) error) (int, error) {
	if disk.size == 0 {
		return 0, errors.New("the file is empty, expected GRIB messages")
	}
	file, err := grib.NewFile(disk, disk.size, grib.Options{SkipBad: true})
	if err != nil {
		return 0, err
	}
	count := 0
	for i := range file.Len() {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		message, err := file.Message(i)
		if err != nil {
			return count, err
		}
		for _, field := range message.Fields() {
			count++
			if err := look(gribField{field: field, count: count}); err != nil {
				return count, err
			}
		}
	}
	return count, skippedError(file.Skipped())
}

// open reads the structure of the field.
func (f *gribField) open(reader *keys.Reader) (err error) {
	f.Handle, err = reader.Handle(f.field.Bytes(), gribData{f.field})
	return f.inMessage(err)
}

func (f *gribField) inMessage(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("message %d at byte %d: %w", f.field.Message.Index, f.field.Message.Offset, err)
}

// skippedError names the first of the messages that could not be read.
func skippedError(skipped []grib.Skipped) error {
	if len(skipped) == 0 {
		return nil
	}
	more := ""
	if len(skipped) > 1 {
		more = fmt.Sprintf(" (and %d more broken messages)", len(skipped)-1)
	}
	return fmt.Errorf("%w%s", skipped[0].Err, more)
}

// A gribBatch is some fields that one worker looks at.
type gribBatch[T any] struct {
	fields []gribField
	bytes  int
	looked []T
	err    error
	done   chan struct{}
}

// A batch is full when it has so many fields, or bytes.
const (
	gribBatchLen   = 32
	gribBatchBytes = 1 << 20
)

// eachFieldParallel calls look for every field of a GRIB file on all cores, and take with what it
// returned in the order of the fields.
func eachFieldParallel[T any](ctx context.Context, disk *diskFile, look func(gribField) (T, error), take func(T) error) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *gribBatch[T]), make(chan *gribBatch[T], 2*workers)
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
	var count int
	var scanErr error
	running.Go(func() {
		defer close(order)
		defer close(work)
		count, scanErr = batchFields(ctx, disk, func(b *gribBatch[T]) error {
			for _, c := range []chan<- *gribBatch[T]{order, work} {
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
	for b := range order {
		select {
		case <-b.done:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		for _, x := range b.looked {
			if err := take(x); err != nil {
				return 0, err
			}
		}
		if b.err != nil {
			return 0, b.err
		}
	}
	return count, scanErr
}

// batchFields hands out the fields of a file in batches.
func batchFields[T any](ctx context.Context, disk *diskFile, hand func(*gribBatch[T]) error) (int, error) {
	next := &gribBatch[T]{done: make(chan struct{})}
	flush := func() error {
		b := next
		next = &gribBatch[T]{done: make(chan struct{})}
		return hand(b)
	}
	count, err := scanFields(ctx, disk, func(f gribField) error {
		next.fields = append(next.fields, f)
		if next.bytes += len(f.field.Message.Data); len(next.fields) == gribBatchLen || next.bytes >= gribBatchBytes {
			return flush()
		}
		return nil
	})
	if len(next.fields) > 0 {
		if err := flush(); err != nil {
			return count, err
		}
	}
	return count, err
}

func (b *gribBatch[T]) look(reader *keys.Reader, look func(gribField) (T, error)) {
	defer close(b.done)
	for _, f := range b.fields {
		x, err := b.one(reader, f, look)
		if err != nil {
			b.err = err
			return
		}
		b.looked = append(b.looked, x)
	}
	b.fields = nil
}

func (b *gribBatch[T]) one(reader *keys.Reader, f gribField, look func(gribField) (T, error)) (x T, err error) {
	if err := f.open(reader); err != nil {
		return x, err
	}
	x, err = look(f)
	return x, f.inMessage(err)
}
