package storage

import (
	"io"
	"os"
	"sync"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// A TempFile is a file that is removed when it is closed. If the system has files without names, or
// can remove open files, it is also removed when the process is killed.
type TempFile struct {
	*disk.File
	location string // for errors
	close    func() error
}

// NewTempFile creates a file in a folder, or in the system's folder for temporary files if
// folder is empty.
func NewTempFile(folder string) (*TempFile, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	f, name, err := createHidden(folder)
	if err != nil {
		return nil, writing(tempLocation(folder), "create", err)
	}
	named := name != "" && os.Remove(name) != nil
	return &TempFile{f, tempLocation(folder), sync.OnceValue(func() error {
		err := f.Close()
		if named {
			os.Remove(name)
		}
		return err
	})}, nil
}

// tempLocation is the location of temporary files in a folder for error texts.
func tempLocation(folder string) string { return "temporary file in " + folder }

// Write implements io.Writer.
func (t *TempFile) Write(p []byte) (int, error) {
	n, err := t.File.Write(p)
	return n, t.named(err)
}

// WriteAt implements io.WriterAt.
func (t *TempFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := t.File.WriteAt(p, off)
	return n, t.named(err)
}

// ReadFrom implements io.ReaderFrom.
func (t *TempFile) ReadFrom(r io.Reader) (int64, error) {
	n, err := t.File.ReadFrom(r)
	if isOf(err, t.File) {
		err = t.named(err)
	}
	return n, err
}

func (t *TempFile) named(err error) error {
	if err == nil {
		return nil
	}
	return writing(t.location, "writing", err)
}

// Close closes and removes the file.
func (t *TempFile) Close() error { return t.close() }

// Blob returns the bytes written so far as a blob. Closing the blob closes the file.
func (t *TempFile) Blob() (Blob, error) {
	st, err := t.Stat()
	if err != nil {
		return nil, err
	}
	return &localBlob{file: t, size: st.Size(), closer: t.Close}, nil
}
