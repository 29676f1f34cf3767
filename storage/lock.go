package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"
)

// A Lock is the right to change the file or object at a location. One process has the lock at a
// time, if all processes ask for it.
//
// The lock of a local file is a file beside it that the operating system locks, so that it ends with
// the process, however that ends. The lock of an object is an object that its holder renews: others
// take it over when they have seen it unchanged for a minute.
type Lock struct {
	keeper lockKeeper
	about  lockText
	left   string
	unsure bool
}

// LockOptions set how to wait while another process has the lock.
type LockOptions struct {
	// Wait is how long to wait for it; 0 means not at all.
	Wait time.Duration
	// Waiting, which may be nil, is called once before the wait.
	Waiting func(*LockedError)
}

// A LockedError says that another process has a lock.
type LockedError struct {
	Location string // of the lock
	Holder   string // such as "process 12 on host since 2026-11-24 10:00:00"; empty if it is not known
}

func (e *LockedError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "another process"
	}
	return Display(e.Location) + ": locked by " + holder
}

// NamesFile reports that the text says which file the error is about.
func (e *LockedError) NamesFile() bool { return true }

// A lockText is the content of a lock.
type lockText struct {
	About string    `json:"about"`
	ID    string    `json:"id"`
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	Note  string    `json:"note,omitempty"`
	Count int       `json:"count,omitempty"` // of renewals
}

func newLockText() lockText {
	host, _ := os.Hostname()
	return lockText{
		About: "tgmconv is changing what lies here", ID: randomName(), PID: os.Getpid(), Host: host,
		Since: time.Now().Truncate(time.Second),
	}
}

func (t *lockText) bytes() []byte {
	b, _ := json.Marshal(t) // of texts and numbers
	return append(b, '\n')
}

// parseLockText reads the content of a lock, which may be empty or half written.
func parseLockText(b []byte) (t lockText) {
	_ = json.Unmarshal(b, &t)
	return t
}

func (t *lockText) holder() string {
	if t.PID == 0 {
		return ""
	}
	return fmt.Sprintf("process %d on %s since %s", t.PID, t.Host, t.Since.Format(time.DateTime))
}

// A lockKeeper is where a lock is kept.
type lockKeeper interface {
	// take takes the lock unless another has it, which is a *LockedError. The result left is
	// the note of a holder that ended without giving the lock back.
	take(ctx context.Context, about *lockText) (left string, err error)
	// put replaces the content of the lock that is held.
	put(about *lockText) error
	// check returns an error if the lock is no longer held.
	check(ctx context.Context) error
	release() error
}

// LockName is the location of the lock of a file or object: a hidden file or object beside it. The
// lock of a symbolic link is the lock of its target.
func LockName(location string) string {
	if IsRemote(location) {
		folder, base := path.Split(location)
		return folder + "." + base + lockSuffix
	}
	local := followLinks(LocalPath(location))
	return filepath.Join(filepath.Dir(local), "."+filepath.Base(local)+lockSuffix)
}

const lockSuffix = ".tgmconv-lock"

// How long a process sleeps before it asks again for a lock that another process has.
const (
	firstLockPause = 20 * time.Millisecond
	lastLockPause  = 500 * time.Millisecond
)

// Lock takes the lock at a location, a file or an object that is made for it; see [LockName]. If
// another process has it for longer than the options allow to wait, the error is a [*LockedError].
// [Lock.Unlock] must follow.
func (c *Client) Lock(ctx context.Context, location string, opts LockOptions) (*Lock, error) {
	b, name, err := c.Resolve(location)
	if err != nil {
		return nil, err
	}
	var keeper lockKeeper
	switch b := b.(type) {
	case localBucket:
		keeper = &localLock{path: name}
	case conditional:
		keeper = newLease(c, b, location, name)
	default:
		return nil, fmt.Errorf("%s: cannot be locked: %w", Display(location), errors.ErrUnsupported)
	}
	l := &Lock{keeper: keeper, about: newLockText()}
	end := time.Now().Add(opts.Wait)
	said := false
	for wait := firstLockPause; ; wait = min(2*wait, lastLockPause) {
		l.left, err = keeper.take(ctx, &l.about)
		locked, ok := errors.AsType[*LockedError](err)
		if !ok {
			break
		}
		locked.Location = location
		if !time.Now().Add(wait).Before(end) {
			return nil, locked
		}
		if !said && opts.Waiting != nil {
			opts.Waiting(locked)
		}
		said = true
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, located(location, err)
	}
	if lease, ok := keeper.(*lease); ok {
		l.unsure = lease.unsure
	}
	return l, nil
}

// Left returns the note of an earlier holder that ended without Unlock, such as a killed process. It
// is empty if there was none.
func (l *Lock) Left() string { return l.left }

// Unsure reports whether others may hold the lock at the same time. This is so if the server of an
// object does not heed conditions of requests.
func (l *Lock) Unsure() bool { return l.unsure }

// Note keeps a text with the lock, which the next holder gets from [Lock.Left] if this process ends
// before Unlock.
func (l *Lock) Note(text string) error {
	l.about.Note = text
	return l.keeper.put(&l.about)
}

// Check returns an error if the lock is held no longer. The lock of an object ends when it could
// not be renewed for a minute.
func (l *Lock) Check(ctx context.Context) error { return l.keeper.check(ctx) }

// Unlock gives the lock back.
func (l *Lock) Unlock() error { return l.keeper.release() }
