package hdf5

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Open opens the file at a path. Files that it refers to are followed when they lie in the same
// folder or below it, see [InFolder]; [WithOpener] says otherwise. Close releases the files.
func Open(name string, opts ...Option) (*File, error) {
	r, size, err := wire.OpenFile(name)
	if err != nil {
		return nil, err
	}
	folder := WithOpener(filepath.Base(name), InFolder(filepath.Dir(name)))
	f, err := NewFile(r, size, append([]Option{folder}, opts...)...)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.others.closers = append(f.others.closers, r)
	return f, nil
}

// ErrOutside is the error of [InFolder] for a file that is not in the folder.
var ErrOutside = errors.New("it is outside the folder of the input")

// InFolder opens the files of a folder and of those below it; symbolic links that lead out of it
// are not followed.
func InFolder(folder string) Opener {
	return func(name string) (io.ReaderAt, int64, error) {
		name = filepath.FromSlash(name)
		if filepath.IsAbs(name) {
			if abs, err := filepath.Abs(folder); err == nil {
				if rel, err := filepath.Rel(abs, name); err == nil {
					name = rel
				}
			}
		}
		if !filepath.IsLocal(name) {
			return nil, 0, ErrOutside
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			return nil, 0, err
		}
		defer root.Close()
		st, err := root.Stat(name) // before opening: to open a pipe is to wait for its writer
		if err != nil {
			return nil, 0, err
		}
		if !st.Mode().IsRegular() {
			return nil, 0, errors.New("not a regular file")
		}
		r, err := root.Open(name)
		return r, st.Size(), err
	}
}
