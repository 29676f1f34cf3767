package storage

import (
	"os"

	"golang.org/x/sys/unix"
)

// SyncFileSystem waits until everything that was written to the file system of a folder has reached
// the disk.
func SyncFileSystem(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}

// beginWriteBack tells the system to begin to write its cached bytes of a file to the disk. It
// does not wait; errors are known when the file is synced.
func beginWriteBack(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}
