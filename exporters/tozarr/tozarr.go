// Package tozarr writes a Zarr v3 store with the arrays of a view, such as a labelled dataset
// (serve.DatasetView).
//
// Most callers make a [Target], such as [NewFolder], and call [Write]. The view shows the same
// arrays and attributes to clients of a server; chunks, shards, codecs and the data type of floats
// can be chosen.
//
// # How a store is written
//
// An array is cut into slabs of whole chunks (or shards) that fit the memory. For a slab, the
// chunks of the view that it touches are decoded, each once, then its own chunks are encoded and
// put. Documents are written last, the root's last of all, so that an incomplete store cannot be
// opened. Until then a folder .tgmconv-unfinished in it describes the store and lists the values
// that have been put, with hashes: a later run with the same plan continues from there.
//
// One process writes to a store at a time: a lock in the same folder keeps others waiting.
//
// A store grows along a dimension by additional chunks. Readers see them when the documents are
// replaced, the root's last.
package tozarr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/exporters/tozarr/internal/spill"
	"github.com/tgmconv/tgmconv/internal/reuse"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// Options configure [Write]. The zero value keeps the chunks of the view, up to 32 MiB each, and
// compresses them with Blosc.
type Options struct {
	// Chunks is the length of chunks along dimensions, by name, and Shards the length of shards. Other
	// dimensions have the length of the chunks of the view, and shards the length of the chunks.
	Chunks, Shards Lengths
	Codec          Codec
	// DType is the type of floating-point variables that are data: float32, float64, or empty for the type in
	// the view. Coordinates, bounds and all that cf.RoleOf knows keep their type.
	DType zarr.DataType
	// Variables are the paths of arrays to write, with the coordinates that they name; none means
	// all.
	Variables []string
	// Append is the dimension along which an existing store grows; a new one is written if there is
	// none. If Append is empty, there must not be a store.
	Append string
	// MaxMemory bounds the memory for elements; 0 means 1 GiB.
	MaxMemory int64
	// TempDir is the folder of the temporary file. The file holds elements that are read several times
	// and do not fit the memory. Empty means the system's folder.
	TempDir string
	// Workers is the number of chunks decoded or encoded at the same time; 0 means one a core.
	Workers int
	// Source identifies the state of the data of the view. A run continues an unfinished one with
	// the same source, view and options.
	Source string
	// Lock says how long to wait while another process writes to the target.
	Lock storage.LockOptions
	// Progress is called after each slab with the bytes of elements written so far, and in all. Calls do not
	// overlap. It may be nil.
	Progress func(done, total int64)
}

// A Report counts the arrays and chunks that were written.
type Report struct {
	Groups, Arrays int
	Exact          int   // arrays that kept another type than Options.DType
	Chunks         int   // chunks and shards that were put
	Kept           int   // chunks and shards of an earlier run that were kept
	BytesOut       int64 // put, without values that were kept
	Notes          []string
}

// ErrExists is the error if the target already has a store.
var ErrExists = errors.New("there is a Zarr store already")

// Write writes the arrays and groups of a view to a target, as a Zarr v3 store.
func Write(ctx context.Context, view serve.View, target Target, opts Options) (*Report, error) {
	if opts.MaxMemory <= 0 {
		opts.MaxMemory = 1 << 30
	}
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	hold, err := target.Lock(ctx, opts.Lock)
	if err != nil {
		return nil, err
	}
	report, err := write(ctx, view, target, hold, opts)
	if releaseErr := hold.Release(); err == nil {
		err = releaseErr
	}
	return report, err
}

// write is Write for a target that is held.
func write(ctx context.Context, view serve.View, target Target, hold *Hold, opts Options) (*Report, error) {
	if err := clearFinished(ctx, target); err != nil {
		return nil, err
	}
	p, err := newPlan(ctx, view, target, &opts)
	if err != nil {
		return nil, err
	}
	w := &writer{
		plan: p, target: target, opts: &opts, report: &Report{Groups: p.groups, Arrays: len(p.arrays), Notes: p.notes},
		memory: semaphore.NewWeighted(opts.MaxMemory), cpu: semaphore.NewWeighted(int64(opts.Workers)),
	}
	if w.journal, err = openJournal(ctx, target, p, &opts); err != nil {
		return nil, err
	}
	if hold.Unsure() {
		w.report.Notes = append(w.report.Notes, "the server of the store does not heed conditions of requests: no other process may write to it at the same time")
	}
	kept := spill.New(opts.TempDir)
	for _, a := range p.arrays {
		a.spill = kept
	}
	err = w.arrays(ctx)
	if closeErr := kept.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = hold.Check(ctx)
	}
	if err == nil {
		err = putDocuments(ctx, target, p.documents)
	}
	if closeErr := w.journal.close(ctx, err == nil); err == nil {
		err = closeErr
	}
	for _, a := range p.arrays {
		if a.exact {
			w.report.Exact++
		}
	}
	w.report.Chunks, w.report.Kept = int(w.put.Load()), int(w.kept.Load())
	w.report.BytesOut = w.out.Load()
	return w.report, err
}

// Slabs are begun while others are written as long as these take less memory than this, in bytes:
// enough for each worker to have a field of 0.25° in hand and another one at hand; more would only
// wait. Two slabs are begun if Options.MaxMemory permits it, whatever they take.
const (
	leastInFlight  = 256 << 20
	workerInFlight = 32 << 20
)

// A writer writes the slabs of a plan.
type writer struct {
	plan    *plan
	target  Target
	opts    *Options
	journal *journal
	report  *Report
	memory  *semaphore.Weighted // bytes of elements
	cpu     *semaphore.Weighted
	free    reuse.Buffers // of chunks that have been encoded
	slabs   slabBuffers

	put, kept, out, done atomic.Int64
	progress             chan struct{} // one may report
}

// arrays writes the slabs of all arrays, as many at a time as fit the memory.
func (w *writer) arrays(ctx context.Context) error {
	total := int64(0)
	for _, a := range w.plan.arrays {
		total += a.bytes()
	}
	w.progress = make(chan struct{}, 1)
	group, ctx := errgroup.WithContext(ctx)
	inFlight := max(leastInFlight, workerInFlight*int64(w.opts.Workers))
	begun := semaphore.NewWeighted(inFlight)
	var before chan struct{} // is closed when the slab before has been put
	for _, a := range w.plan.arrays {
		for s := range a.slabs() {
			o := &slabOutput{writer: w, array: a, before: before, done: make(chan struct{})}
			s.out, before = o, o.done
			weight := a.weight(s)
			memory, share := min(weight, w.opts.MaxMemory), min(weight, inFlight/2)
			if err := begun.Acquire(ctx, share); err != nil {
				return cmp.Or(group.Wait(), err)
			}
			if err := w.memory.Acquire(ctx, memory); err != nil {
				return cmp.Or(group.Wait(), err)
			}
			group.Go(func() error {
				defer begun.Release(share)
				defer w.memory.Release(memory)
				err := w.slab(ctx, s)
				if err == nil {
					err = s.out.flush(ctx)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", a.path, err)
				}
				w.note(w.done.Add(s.bytes()), total)
				return nil
			})
		}
	}
	return group.Wait()
}

func (w *writer) note(done, total int64) {
	if w.opts.Progress == nil {
		return
	}
	w.progress <- struct{}{}
	w.opts.Progress(done, total)
	<-w.progress
}

// PutDocuments writes the metadata documents of groups and arrays, by their paths, with
// consolidated metadata. The document of the root appears after everything else has reached the
// disk.
func PutDocuments(ctx context.Context, target Target, nodes map[string]serve.Node) error {
	documents, err := documentsOf(ctx, nodes)
	if err != nil {
		return err
	}
	return putDocuments(ctx, target, documents)
}

func putDocuments(ctx context.Context, target Target, documents []document) error {
	for _, d := range documents {
		isRoot := d.key == rootKey
		if isRoot {
			if err := target.Settle(ctx); err != nil {
				return err
			}
		}
		if err := target.Put(ctx, d.key, d.data, isRoot); err != nil {
			return err
		}
	}
	return nil
}

// rootKey is the key of the document of the root.
const rootKey = "zarr.json"

// do runs a function on one of the workers.
func (w *writer) do(ctx context.Context, f func() error) error {
	if err := w.cpu.Acquire(ctx, 1); err != nil {
		return err
	}
	defer w.cpu.Release(1)
	return f()
}
