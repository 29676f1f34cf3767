package tozarr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
)

// A Division is a store that several processes write, each some parts of it: together they put the
// same values as [Write]. Divisions of the same view with the same options are equal.
type Division struct {
	plan *plan
	opts Options
}

// A Part is a run of slabs of an array.
type Part struct {
	Array        string // path
	First, Slabs int
}

// A Document is a metadata document of a store.
type Document struct {
	Key  string
	Data []byte
}

// Divide plans a new store. [Options.Append] must not be set.
func Divide(ctx context.Context, view serve.View, opts Options) (*Division, error) {
	if opts.Append != "" {
		return nil, errors.New("a store that is divided is a new one: nothing can be appended")
	}
	if opts.MaxMemory <= 0 {
		opts.MaxMemory = 1 << 30
	}
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	p, err := newPlan(ctx, view, new(emptyTarget), &opts)
	if err != nil {
		return nil, err
	}
	return &Division{p, opts}, nil
}

// CheckFresh returns an error if a target has a store, or anything else.
func CheckFresh(ctx context.Context, target Target) error {
	if _, err := target.Get(ctx, rootKey); err == nil {
		return ErrExists
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return new(plan).checkFresh(ctx, target)
}

// Fingerprint identifies the store and its source.
func (d *Division) Fingerprint() string { return d.plan.fingerprint(&d.opts) }

// Notes are remarks for users of the store.
func (d *Division) Notes() []string { return d.plan.notes }

// Documents are the documents of the store, in the order of writing: the root's last.
func (d *Division) Documents() []Document {
	all := make([]Document, len(d.plan.documents))
	for i, doc := range d.plan.documents {
		all[i] = Document{doc.key, doc.data}
	}
	return all
}

// Parts yields parts of about a number of bytes of elements, which are all of the store.
func (d *Division) Parts(bytes int64) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for _, a := range d.plan.arrays {
			part, size := Part{Array: a.path}, int64(0)
			for s := range a.slabs() {
				if part.Slabs > 0 && size+s.bytes() > bytes {
					if !yield(part) {
						return
					}
					part, size = Part{a.path, part.First + part.Slabs, 0}, 0
				}
				part.Slabs++
				size += s.bytes()
			}
			if part.Slabs > 0 && !yield(part) {
				return
			}
		}
	}
}

// Write puts the chunks of a part in a target, and returns their keys in order.
func (d *Division) Write(ctx context.Context, target Target, part Part) ([]string, error) {
	i := slices.IndexFunc(d.plan.arrays, func(a *arrayPlan) bool { return a.path == part.Array })
	if i < 0 {
		return nil, fmt.Errorf("%s: the store has no such array", part.Array)
	}
	noted := &notingTarget{Target: target}
	w := &writer{
		plan: d.plan, target: noted, opts: &d.opts, report: new(Report), journal: &journal{off: true},
		memory: semaphore.NewWeighted(d.opts.MaxMemory), cpu: semaphore.NewWeighted(int64(d.opts.Workers)),
	}
	a, n, last := d.plan.arrays[i], 0, part.First+part.Slabs
	for s := range a.slabs() {
		if n >= last {
			break
		}
		if n++; n <= part.First {
			continue
		}
		s.out = &slabOutput{writer: w, array: a, done: make(chan struct{})}
		if err := w.slab(ctx, s); err != nil {
			return nil, fmt.Errorf("%s: %w", a.path, err)
		}
	}
	if n < last {
		return nil, fmt.Errorf("%s: the array has %d slabs, expected %d", part.Array, n, last)
	}
	slices.Sort(noted.keys)
	if len(noted.keys) == 0 {
		return nil, nil
	}
	return noted.keys, target.Settle(ctx)
}

// A notingTarget notes which keys are put.
type notingTarget struct {
	Target
	mu   sync.Mutex
	keys []string
}

// Put implements Target.
func (t *notingTarget) Put(ctx context.Context, key string, data []byte, durable bool) error {
	t.mu.Lock()
	t.keys = append(t.keys, key)
	t.mu.Unlock()
	// A file left by a killed process is not replaced: a second kill could leave a temporary file. An object
	// would cost a request.
	if folder, ok := t.Target.(*bucketTarget); ok && folder.local {
		if old, err := t.Get(ctx, key); err == nil && bytes.Equal(old, data) {
			return nil
		}
	}
	return t.Target.Put(ctx, key, data, durable)
}

// An emptyTarget has nothing, and takes nothing.
type emptyTarget struct{}

// Lock implements Target.
func (emptyTarget) Lock(context.Context, storage.LockOptions) (*Hold, error) { return new(Hold), nil }

// Put implements Target.
func (emptyTarget) Put(context.Context, string, []byte, bool) error { return errors.ErrUnsupported }

// Get implements Target.
func (emptyTarget) Get(_ context.Context, key string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: key, Err: fs.ErrNotExist}
}

// Remove implements Target.
func (emptyTarget) Remove(context.Context, string) error { return nil }

// Empty implements Target.
func (emptyTarget) Empty(context.Context) (bool, error) { return true, nil }

// Settle implements Target.
func (emptyTarget) Settle(context.Context) error { return nil }

// Ordered implements Target.
func (emptyTarget) Ordered() bool { return false }
