package tonetcdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// A File is one netCDF file to write.
type File struct {
	// Name is the name of the file without an extension if there are several files, else empty.
	Name string
	Kind netcdf.Kind

	root    *ncwrite.Group
	vars    []*variable
	written string // by what: the attribute _NCProperties
	bare    bool   // without that attribute, as the source
	free    int64  // bytes after the header of a classic file
	rest    mapping.LayoutLeftovers
	opts    *Options
}

// Variables returns the number of variables.
func (f *File) Variables() int { return len(f.vars) }

// Bytes returns the approximate size of the values of all variables, for showing progress.
func (f *File) Bytes() int64 {
	n := int64(0)
	for j := range f.jobs() {
		n += j.bytes
	}
	return n
}

func (f *File) jobs() iter.Seq[job] {
	return func(yield func(job) bool) {
		for _, v := range f.vars {
			for j := range v.jobs {
				if !yield(j) {
					return
				}
			}
		}
	}
}

// Write writes the file to sink: in any order if that is an io.WriterAt, else through a temporary
// file. Objects are read and converted on several cores and written in order, so that the file does
// not depend on their number.
func (f *File) Write(ctx context.Context, sink io.Writer) error {
	opts := []ncwrite.Option{ncwrite.WithWorkers(f.workers()), ncwrite.WithTempDir(f.opts.TempDir),
		ncwrite.WithHeaderFree(f.free, f.rest.Header), ncwrite.WithTail(f.rest.Tail, f.rest.Zeros)}
	if f.written != "" || f.bare {
		opts = append(opts, ncwrite.WithProperties(f.written))
	}
	w, err := ncwrite.Create(sink, f.Kind, f.root, opts...)
	if err != nil {
		return err
	}
	defer w.Abort()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for r := range readAhead(ctx, f.jobs(), f.workers()) {
		err := r.err
		if err == nil {
			err = write(ctx, w, &r)
		}
		var named *ncwrite.WriteError
		if err != nil && !errors.As(err, &named) {
			err = fmt.Errorf("variable %s: %w", r.v.path, err)
		}
		if err != nil {
			return err
		}
		if r.content.buffer != nil {
			slabBuffers.Put(r.content.buffer)
		}
		if f.opts.Progress != nil {
			f.opts.Progress(r.bytes)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.Close()
}

func (f *File) workers() int {
	if f.opts.Workers > 0 {
		return f.opts.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func write(ctx context.Context, w *ncwrite.Writer, r *result) error {
	v := r.v.out
	switch {
	case r.content.text != nil:
		return w.WriteStrings(ctx, v, r.start, r.count, r.content.text)
	case r.content.columns != nil:
		return writeColumns(ctx, w, r)
	case r.content.ragged != nil:
		return w.WriteRagged(ctx, v, r.start, r.count, r.content.ragged)
	}
	return w.Write(ctx, v, r.start, r.count, r.content.data)
}

// A result is the content of a job, or why there is none.
type result struct {
	job
	content content
	err     error
}

// What is read before it is written is bounded in bytes, except for one job, whatever its size:
// enough for each worker to have a field of 0.25° in hand and another one at hand.
const (
	leastAhead  = 128 << 20
	workerAhead = 16 << 20
)

// readAhead reads the content of jobs on several goroutines and yields it in their order.
func readAhead(ctx context.Context, jobs iter.Seq[job], workers int) iter.Seq[result] {
	return func(yield func(result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		held := newHeld(max(leastAhead, workerAhead*int64(workers)))
		queue := make(chan chan result, workers+2)
		var running sync.WaitGroup
		defer running.Wait()
		defer held.stop()
		defer cancel()
		running.Go(func() {
			defer close(queue)
			limit := make(chan struct{}, workers)
			for j := range jobs {
				if !held.take(j.bytes) {
					return
				}
				done := make(chan result, 1)
				select {
				case queue <- done:
				case <-ctx.Done():
					return
				}
				limit <- struct{}{}
				running.Go(func() {
					defer func() { <-limit }()
					r := result{job: j}
					if r.err = ctx.Err(); r.err == nil {
						r.content, r.err = j.read(ctx)
					}
					done <- r
				})
			}
		})
		for done := range queue {
			r := <-done
			if !yield(r) {
				return
			}
			held.give(r.bytes)
		}
	}
}

// held counts bytes that are in memory.
type held struct {
	mu      sync.Mutex
	changed *sync.Cond
	limit   int64
	now     int64
	stopped bool
}

func newHeld(limit int64) *held {
	h := &held{limit: limit}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// take waits until there is room for n bytes, or nothing is held. It reports false after stop.
func (h *held) take(n int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.now > 0 && h.now+n > h.limit && !h.stopped {
		h.changed.Wait()
	}
	h.now += n
	return !h.stopped
}

func (h *held) give(n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now -= n
	h.changed.Broadcast()
}

func (h *held) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopped = true
	h.changed.Broadcast()
}
