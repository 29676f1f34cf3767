package tonetcdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/parallel"
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
	written string // the writing programs: the attribute _NCProperties
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
	for r, err := range readAhead(ctx, f.jobs(), f.workers()) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = write(ctx, w, &r)
		}
		var named *ncwrite.WriteError
		if err != nil && !errors.As(err, &named) && !fault.NamesFile(err) {
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

// A result is the content of a job.
type result struct {
	job
	content content
}

// The bounds in bytes on elements that are read before they are written, except for one job, whatever its
// size: enough for each worker to have a field of 0.25° in hand and another one at hand.
const (
	leastAhead  = 128 << 20
	workerAhead = 16 << 20
)

// readAhead reads the content of jobs on several goroutines and yields it in their order. An error
// takes the place of content.
func readAhead(ctx context.Context, jobs iter.Seq[job], workers int) iter.Seq2[result, error] {
	w := parallel.Window[job]{Workers: workers, Ahead: 2, Memory: max(leastAhead, workerAhead*int64(workers)), Bytes: func(j job) int64 { return j.bytes }}
	return parallel.Ordered(ctx, jobs, w, func(ctx context.Context, j job) (result, error) {
		content, err := j.read(ctx)
		return result{j, content}, err
	})
}
