package storage

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sync/semaphore"
)

// A lock of an object store is a lease, which its holder renews. Others take it over when they have
// seen it unchanged for four times as long.
const renewEvery = 15 * time.Second

// conditional is a bucket whose objects can be stored on conditions.
type conditional interface {
	Bucket
	Remover
	// fetch reads the present content of a small object. The state identifies this content for putIf.
	fetch(ctx context.Context, name string) (data []byte, state string, err error)
	// putIf stores a small object if the present object has the state or, for an empty state,
	// none exists. Otherwise the error wraps ErrChanged. It returns the new state.
	putIf(ctx context.Context, name string, data []byte, state string) (string, error)
}

// A lease is the lock of an object.
type lease struct {
	bucket   conditional
	location string
	name     string
	every    time.Duration // between renewals

	unsure bool // the server does not heed conditions

	// Of another holder: the state that was seen, and since when.
	seen  string
	since time.Time

	// turn is held while the fields below are used, also while the server is asked. A caller can stop waiting
	// for it.
	turn  *semaphore.Weighted
	about lockText
	state string
	last  time.Time // when it was renewed
	lost  error
	stop  context.CancelFunc
	ended chan struct{} // closed when nothing renews it any more
}

func newLease(c *Client, b conditional, location, name string) *lease {
	l := &lease{bucket: b, location: location, name: name, every: c.renewEvery, turn: semaphore.NewWeighted(1)}
	if l.every == 0 {
		l.every = renewEvery
	}
	return l
}

// patience is how long another's lease must have been unchanged to be taken over.
func (l *lease) patience() time.Duration { return 4 * l.every }

// take implements lockKeeper.
func (l *lease) take(ctx context.Context, about *lockText) (left string, err error) {
	data, state, err := l.bucket.fetch(ctx, l.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		state, err = "", nil
	case err != nil:
		return "", err
	}
	before := parseLockText(data)
	if state != "" && before.ID != about.ID {
		if state != l.seen {
			l.seen, l.since = state, time.Now()
		}
		if time.Since(l.since) < l.patience() {
			return "", &LockedError{Location: l.location, Holder: before.holder()}
		}
	}
	switch l.state, err = l.bucket.putIf(ctx, l.name, about.bytes(), state); {
	case errors.Is(err, ErrChanged): // another was faster, or this is the second answer to one request
		return "", &LockedError{Location: l.location}
	case err != nil:
		return "", err
	}
	l.about, l.last = *about, time.Now()
	if err := l.tryConditions(ctx); err != nil {
		return "", err
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.stop, l.ended = stop, make(chan struct{})
	go l.keep(renewing)
	if before.ID == about.ID {
		before.Note = ""
	}
	return before.Note, nil
}

// tryConditions finds out whether the server heeds conditions. The object is there, and must not be
// stored as a new object.
func (l *lease) tryConditions(ctx context.Context) error {
	state, err := l.bucket.putIf(ctx, l.name, l.about.bytes(), "")
	if errors.Is(err, ErrChanged) {
		return nil
	}
	if err == nil {
		l.unsure, l.state = true, state
	}
	return err
}

// keep renews the lease until ctx is done.
func (l *lease) keep(ctx context.Context) {
	defer close(l.ended)
	for pause(ctx, l.every) == nil {
		if l.turn.Acquire(ctx, 1) != nil {
			return
		}
		if l.lost == nil {
			_ = l.renew(ctx) // check tells
		}
		l.turn.Release(1)
	}
}

// renew stores the lease again. Its caller holds turn.
func (l *lease) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*l.every)
	defer cancel()
	l.about.Count++
	state, err := l.bucket.putIf(ctx, l.name, l.about.bytes(), l.state)
	if errors.Is(err, ErrChanged) {
		// An earlier renewal may have arrived whose answer was lost.
		var data []byte
		if data, state, err = l.bucket.fetch(ctx, l.name); err == nil || errors.Is(err, fs.ErrNotExist) {
			if found := parseLockText(data); found.ID != l.about.ID {
				l.lost = &LockedError{Location: l.location, Holder: found.holder()}
				return l.lost
			}
		}
	}
	if err == nil {
		l.state, l.last = state, time.Now()
	}
	return err
}

// put implements lockKeeper.
func (l *lease) put(about *lockText) error {
	ctx := context.Background()
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.turn.Release(1)
	l.about.Note = about.Note
	if l.lost != nil {
		return l.lost
	}
	return l.renew(ctx)
}

// check implements lockKeeper.
func (l *lease) check(ctx context.Context) error {
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.turn.Release(1)
	if l.lost != nil || time.Since(l.last) < l.every {
		return l.lost
	}
	return l.renew(ctx)
}

// release implements lockKeeper.
func (l *lease) release() error {
	l.stop()
	<-l.ended
	ctx, cancel := context.WithTimeout(context.Background(), defaultPatience)
	defer cancel()
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.turn.Release(1)
	if l.lost != nil {
		return l.lost
	}
	if err := l.renew(ctx); err != nil { // nobody takes it over while it is removed
		return err
	}
	return l.bucket.Remove(ctx, l.name)
}
