package tozarr

import (
	"context"
	"errors"
	"os"

	"github.com/tgmconv/tgmconv/storage"
)

// lockKey is the key of the lock of a store.
const lockKey = unfinished + "/lock"

// A Hold is the right to write to a target, which one process has at a time. The zero value is for
// a target that nobody else knows.
type Hold struct {
	lock    *storage.Lock
	tidy    func() // removes folders that were made for the lock
	sources *storage.Sources
}

// Lock implements Target.
func (t *bucketTarget) Lock(ctx context.Context, opts storage.LockOptions) (*Hold, error) {
	made := false
	if t.local {
		_, err := os.Stat(t.prefix)
		made = errors.Is(err, os.ErrNotExist)
	}
	lock, err := t.client.Lock(ctx, t.location+"/"+lockKey, opts)
	if err != nil {
		return nil, err
	}
	return &Hold{lock: lock, sources: t.client.Sources, tidy: func() {
		if !t.local {
			return
		}
		// They stay if something lies in them.
		if os.Remove(t.name(unfinished)) == nil && made {
			os.Remove(t.prefix)
		}
	}}, nil
}

// Lock implements Target: a zip file appears when it is complete.
func (z *Zip) Lock(context.Context, storage.LockOptions) (*Hold, error) { return new(Hold), nil }

// Unsure reports whether others may hold the target at the same time. This is so if the server ignores
// conditions of requests.
func (h *Hold) Unsure() bool { return h.lock != nil && h.lock.Unsure() }

// Check returns an error if the target is held no longer, or if the inputs have changed.
func (h *Hold) Check(ctx context.Context) error {
	if h.lock == nil {
		return nil
	}
	return errors.Join(h.sources.Check(), h.lock.Check(ctx))
}

// Release lets others write to the target.
func (h *Hold) Release() error {
	if h.lock == nil {
		return nil
	}
	defer h.tidy()
	return h.lock.Unlock()
}
