package tozarr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"time"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// unfinished is the folder that a store has until it is complete.
//
//	plan.json     the store being written
//	done-1, …     a line for each value that was put: HASH SIZE KEY
//	lock          is locked while a process writes
const unfinished = ".tgmconv-unfinished"

const planKey = unfinished + "/plan.json"

func doneKey(n int) string { return unfinished + "/done-" + strconv.Itoa(n) }

// A marker is the content of plan.json.
type marker struct {
	About string `json:"about"`
	Plan  string `json:"plan"` // fingerprint
	Root  string `json:"root"` // hash of the document of the root, which is put last
}

func hashText(data []byte) string { return fmt.Sprintf("%016x", xxh3.Hash(data)) }

// clearFinished removes the journal of a run that was interrupted after it had put the document of
// the root: its store is complete.
func clearFinished(ctx context.Context, target Target) error {
	text, err := target.Get(ctx, planKey)
	var m marker
	if err != nil || json.Unmarshal(text, &m) != nil || m.Root == "" {
		return nil // openJournal looks at it again
	}
	root, err := target.Get(ctx, rootKey)
	if err != nil || hashText(root) != m.Root {
		return nil
	}
	files := 0
	for ; err == nil; files++ {
		_, err = target.Get(ctx, doneKey(files+1))
	}
	return removeJournal(ctx, target, files)
}

// removeJournal removes the folder of the journal, with a number of files that list values put.
func removeJournal(ctx context.Context, target Target, files int) error {
	for n := range files {
		if err := target.Remove(ctx, doneKey(n+1)); err != nil {
			return err
		}
	}
	if err := target.Remove(ctx, planKey); err != nil {
		return err
	}
	// The folder stays if something else lies in it, such as a file of a run that was killed.
	// Without the plan it has no meaning.
	_ = target.Remove(ctx, unfinished)
	return nil
}

// A journal knows which values have been put, in this run and in earlier ones of the same plan.
type journal struct {
	target Target
	kept   map[string]bool
	off    bool // of targets that are written at once

	// turn is held while the following are used, also while a file is put: waiting for it can be ended.
	turn    *semaphore.Weighted
	pending bytes.Buffer
	written time.Time
	files   int
}

// An UnfinishedError says that the target has a store that another run left unfinished.
type UnfinishedError struct {
	Why    string
	Append bool // the store was complete, and the other run was adding to it
}

func (e *UnfinishedError) Error() string {
	if e.Append {
		return "a run that appends " + e.Why + " is not complete; run its command again first"
	}
	return "there is an unfinished store of " + e.Why + "; remove it first"
}

// openJournal begins the journal of a plan, or goes on with the journal of an earlier run. Values
// that have changed since they were put are dropped from it.
func openJournal(ctx context.Context, target Target, p *plan, opts *Options) (*journal, error) {
	j := &journal{target: target, kept: make(map[string]bool), turn: semaphore.NewWeighted(1), written: time.Now()}
	if _, j.off = target.(*Zip); j.off {
		return j, nil
	}
	print := p.fingerprint(opts)
	text, err := target.Get(ctx, planKey)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, _ := json.Marshal(marker{"tgmconv to-zarr is writing this store, or was interrupted: run the same command again to complete it", print, p.rootHash()})
		return j, target.Put(ctx, planKey, append(text, '\n'), true)
	case err != nil:
		return nil, err
	}
	var m marker
	if json.Unmarshal(text, &m) != nil || m.Plan != print {
		_, err := target.Get(ctx, rootKey)
		return nil, &UnfinishedError{Why: "other inputs or with other options", Append: err == nil}
	}
	return j, j.load(ctx, opts.Workers)
}

// load reads the values that earlier runs put and compares them.
func (j *journal) load(ctx context.Context, workers int) error {
	var known sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for ; ; j.files++ {
		text, err := j.target.Get(ctx, doneKey(j.files+1))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		for line := range bytes.Lines(text) {
			var hash uint64
			var size int
			var key string
			if n, _ := fmt.Sscanf(string(line), "%x %d %q\n", &hash, &size, &key); n < 3 {
				continue
			}
			group.Go(func() error {
				data, err := j.target.Get(ctx, key)
				if err == nil && len(data) == size && xxh3.Hash(data) == hash {
					known.Lock()
					j.kept[key] = true
					known.Unlock()
				}
				return ctx.Err()
			})
		}
	}
	return group.Wait()
}

// has reports whether an earlier run has put a value.
func (j *journal) has(key string) bool { return j.kept[key] }

// flushAfter is how long values that were put may be unknown to the next run.
const flushAfter = 2 * time.Second

// add notes that a value was put.
func (j *journal) add(ctx context.Context, key string, data []byte) error {
	if j.off {
		return nil
	}
	hash := xxh3.Hash(data)
	if err := j.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer j.turn.Release(1)
	fmt.Fprintf(&j.pending, "%016x %d %q\n", hash, len(data), key)
	if time.Since(j.written) < flushAfter {
		return nil
	}
	return j.flush(ctx)
}

func (j *journal) flush(ctx context.Context) error {
	if j.pending.Len() == 0 {
		return nil
	}
	j.files++
	j.written = time.Now()
	defer j.pending.Reset()
	return j.target.Put(ctx, doneKey(j.files), j.pending.Bytes(), false)
}

// close ends the journal: it is removed when the store is complete, else kept for the next run.
func (j *journal) close(ctx context.Context, complete bool) error {
	if j.off {
		return nil
	}
	always := context.WithoutCancel(ctx) // the context may be why the run ends
	if err := j.turn.Acquire(always, 1); err != nil {
		return err
	}
	defer j.turn.Release(1)
	if !complete {
		return j.flush(always)
	}
	return removeJournal(ctx, j.target, j.files)
}
