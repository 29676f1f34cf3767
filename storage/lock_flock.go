//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package storage

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks a file until it is closed. If another has locked it, the error is errHeld; where
// the file system has no locks, it wraps errors.ErrUnsupported.
func lockFile(f *os.File) error {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.ENOLCK):
			return errors.ErrUnsupported
		default:
			return os.NewSyscallError("flock", err) // ENOSYS and ENOTSUP are errors.ErrUnsupported
		}
	}
}

// running reports whether a process of this machine is there.
func running(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
