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
