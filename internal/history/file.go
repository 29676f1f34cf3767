package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/storage"
)

// A File keeps a history, which several servers may have at a time. Without a path it is in memory.
type File struct {
	Path string
	// Warn, which may be nil, is called for a file that cannot be used.
	Warn func(text string)

	mu       sync.Mutex
	last     *History // as last read or written
	warned   string
	state    atomic.Pointer[os.FileInfo] // of the file then; nil if there was none
	inMemory atomic.Bool                 // because it cannot be written
}

// lockWait is how long a server waits for another server that writes.
const lockWait = 30 * time.Second

// Changed reports whether another server has written the history since it was last read or written.
func (f *File) Changed() bool {
	if f.Path == "" || f.inMemory.Load() {
		return false
	}
	st, err := os.Stat(f.Path)
	state := f.state.Load()
	return err == nil && (state == nil || !sameFile(st, *state))
}

func sameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Read returns the history. A file that cannot be read is one of no history.
func (f *File) Read() *History {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read()
}

func (f *File) read() *History {
	if f.last == nil {
		f.last = new(History)
	}
	if !f.Changed() {
		return f.last
	}
	st, err := os.Stat(f.Path)
	var b []byte
	if err == nil {
		f.state.Store(&st) // also of a file that cannot be used
		b, err = disk.ReadFile(f.Path)
	}
	var h *History
	if err == nil {
		h, err = Parse(b)
	}
	if err != nil {
		f.warn(fmt.Sprintf("%s: the history of positions cannot be read: %v; clients must open datasets again", f.Path, err))
		return f.last
	}
	f.last = h
	return h
}

// warn warns once of the same problem.
func (f *File) warn(text string) {
	if f.Warn != nil && text != f.warned {
		f.Warn(text)
	}
	f.warned = text
}

// Update replaces the history by the result of change, nil for no other. No other server changes it
// meanwhile. A history that cannot be written is kept in memory, with a warning.
func (f *File) Update(ctx context.Context, change func(*History) (*History, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	unlock, err := f.lock(ctx)
	var locked *storage.LockedError
	if ctx.Err() != nil || errors.As(err, &locked) {
		return err
	}
	if err == nil {
		defer unlock() // the next server that locks it reports the error
	}
	f.keepInMemory(err)
	next, err := change(f.read())
	if err != nil || next == nil {
		return err
	}
	f.last = next
	f.keepInMemory(f.write(ctx, next))
	return nil
}

// keepInMemory gives the file up if err is not nil.
func (f *File) keepInMemory(err error) {
	if err != nil {
		f.warn(fmt.Sprintf("%s: the history of positions cannot be kept: %v; clients must open datasets again after a restart of the server", f.Path, err))
		f.inMemory.Store(true)
	}
}

// write replaces the file as a whole.
func (f *File) write(ctx context.Context, h *History) error {
	if f.Path == "" || f.inMemory.Load() {
		return nil
	}
	b, err := h.Append(nil)
	if err != nil {
		return err
	}
	var client storage.Client
	w, err := client.Create(ctx, f.Path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	st, err := os.Stat(f.Path)
	if err == nil {
		f.state.Store(&st)
	}
	return err
}

// lock makes the folder of the file and keeps other servers from it.
func (f *File) lock(ctx context.Context) (unlock func() error, err error) {
	if f.Path == "" || f.inMemory.Load() {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return nil, err
	}
	var client storage.Client
	l, err := client.Lock(ctx, storage.LockName(f.Path), storage.LockOptions{Wait: lockWait})
	if err != nil {
		return nil, err
	}
	return l.Unlock, nil
}
