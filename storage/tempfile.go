package storage

import (
	"fmt"
	"os"
	"sync"
)

// A TempFile is a file that is removed when it is closed. If the system has files without names, or
// can remove open files, it is also removed when the process is killed.
type TempFile struct {
	*os.File
	close func() error
}

// NewTempFile creates a file in a folder, or in the system's for temporary files if folder is
// empty.
func NewTempFile(folder string) (*TempFile, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	f, name, err := createHidden(folder)
	if err != nil {
		return nil, fmt.Errorf("a temporary file: %w", err)
	}
	named := name != "" && os.Remove(name) != nil
	return &TempFile{f, sync.OnceValue(func() error {
		err := f.Close()
		if named {
			os.Remove(name)
		}
		return err
	})}, nil
}

// Close closes and removes the file.
func (t *TempFile) Close() error { return t.close() }

// Blob returns what has been written so far as a blob. Closing the blob closes the file.
func (t *TempFile) Blob() (Blob, error) {
	st, err := t.Stat()
	if err != nil {
		return nil, err
	}
	return &localBlob{file: t, size: st.Size(), closer: t.Close}, nil
}
