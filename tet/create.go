package tet

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Create begins a file that appears at path when the writer is closed. Until then it has another
// name in the same folder.
func Create(path string, specs []DatasetSpec, o WriterOptions) (*Writer, error) {
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(f, specs, o)
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	done := false
	w.finished = func(err error) error {
		if done {
			return err
		}
		done = true
		if err == nil {
			err = f.Sync()
		}
		closeErr := f.Close()
		if err == nil {
			err = closeErr
		}
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			os.Remove(f.Name())
		}
		return err
	}
	return w, nil
}

// createBeside makes a new file in the folder of path.
func createBeside(path string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), ".tet-"+rand.Text()[:10]+".tmp")
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
