package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// createUnnamed creates a file without a name in a folder. Nothing of it is left however the
// process ends; it is nil where the file system does not know such files.
func createUnnamed(folder string) *os.File {
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o666)
	if err != nil {
		return nil
	}
	if _, err := os.Stat(procName(fd)); err != nil { // the file could get no name later
		unix.Close(fd)
		return nil
	}
	return os.NewFile(uintptr(fd), folder+"/(unnamed)")
}

func procName(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// link names a file without a name: target, or a temporary name beside it if target exists.
func link(f *os.File, target string) (string, error) {
	name := target
	for {
		err := linkNew(f, name)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		name = tempName(filepath.Dir(target))
	}
}

// linkNew gives a file without a name a new name, which must not exist.
func linkNew(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, procName(int(f.Fd())), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}
