package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// maxLockText bounds the bytes that are read of a lock.
const maxLockText = 64 << 10

// errHeld is the error of locking a file that another process has locked.
var errHeld = errors.New("locked by another process")

// A localLock is a file that the operating system locks. Where the file system has no such locks, a
// second file says who has the lock.
type localLock struct {
	path string
	f    *disk.File
	bare bool // the file system has no locks
}

// take implements lockKeeper.
func (l *localLock) take(_ context.Context, about *lockText) (left string, err error) {
	for !l.bare {
		f, err := l.open()
		if err != nil {
			return "", err
		}
		switch err := lockFile(f.File); {
		case err == nil:
		case errors.Is(err, errHeld):
			defer f.Close()
			return "", l.held(f)
		case errors.Is(err, errors.ErrUnsupported):
			f.Close()
			return l.takeBare(about)
		default:
			f.Close()
			return "", err
		}
		if !l.stillThere(f) { // its holder has removed it in between
			f.Close()
			continue
		}
		before := readLockText(f)
		l.f = f
		if err := l.put(about); err != nil {
			return "", errors.Join(err, l.release())
		}
		return before.Note, nil
	}
	return l.takeBare(about)
}

// open opens the file of the lock, which it makes if there is none. Its folder may be removed
// meanwhile, by a holder that has made it for its lock.
func (l *localLock) open() (*disk.File, error) {
	for attempt := 1; ; attempt++ {
		f, err := disk.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o666)
		if !errors.Is(err, fs.ErrNotExist) || attempt == 100 {
			return f, err
		}
		err = os.MkdirAll(filepath.Dir(l.path), 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// stillThere reports whether the name still stands for an open file.
func (l *localLock) stillThere(f *disk.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.path)
	return err == nil && os.SameFile(opened, named)
}

func readLockText(f *disk.File) lockText {
	b, _ := io.ReadAll(io.NewSectionReader(f, 0, maxLockText)) // a lock that cannot be read tells nothing
	return parseLockText(b)
}

func (l *localLock) held(f *disk.File) error {
	t := readLockText(f)
	return &LockedError{Location: l.path, Holder: t.holder()}
}

// takeBare makes a file that says who has the lock, unless such a file is there. It removes the
// file of a process of this machine that has ended; of processes of other machines that is not
// known.
func (l *localLock) takeBare(about *lockText) (left string, err error) {
	if !l.bare {
		os.Remove(l.path)
		l.path, l.bare = l.path+"-holder", true
	}
	for {
		f, err := disk.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			f.Close()
			return left, l.put(about)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		b, err := os.ReadFile(l.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		before := parseLockText(b)
		if before.PID == 0 || before.Host != about.Host || running(before.PID) {
			return "", &LockedError{Location: l.path, Holder: before.holder()}
		}
		stale := l.path + "-" + randomName()
		if err := disk.MoveFile(l.path, stale); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		left = before.Note
		os.Remove(stale)
	}
}

// put implements lockKeeper.
func (l *localLock) put(about *lockText) error {
	f := l.f
	if f == nil {
		var err error
		if f, err = disk.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return err
		}
		defer f.Close()
	}
	text := about.bytes()
	_, err := f.WriteAt(text, 0)
	if err == nil {
		err = f.Truncate(int64(len(text)))
	}
	if err == nil && about.Note != "" {
		err = f.Sync() // before the data that the note describes
	}
	return err
}

// check implements lockKeeper.
func (l *localLock) check(context.Context) error {
	if l.f != nil && !l.stillThere(l.f) {
		return &LockedError{Location: l.path}
	}
	return nil
}

// release implements lockKeeper.
func (l *localLock) release() error {
	if l.f == nil {
		return os.Remove(l.path)
	}
	f := l.f
	l.f = nil
	if runtime.GOOS == "windows" { // where an open file cannot be removed, other processes that have it open keep it
		err := f.Close()
		_ = os.Remove(l.path)
		return err
	}
	return errors.Join(os.Remove(l.path), f.Close())
}
