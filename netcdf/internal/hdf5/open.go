package hdf5

import (
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/internal/beside"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Open opens the file at a path. Files that it refers to are not opened without [WithOpener].
// Close releases the files.
func Open(name string, opts ...Option) (*File, error) {
	r, size, err := wire.OpenFile(name)
	if err != nil {
		return nil, err
	}
	f, err := NewFile(r, size, opts...)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.others.closers = append(f.others.closers, r)
	return f, nil
}

// Errors of [InFolder] for a file that it does not open.
var (
	ErrOutside = beside.ErrOutside
	ErrHidden  = beside.ErrHidden
)

// InFolder opens the files in and below a folder, except hidden files. Symbolic links that lead
// out of it are not followed.
func InFolder(folder string) Opener {
	return func(name string) (io.ReaderAt, int64, error) {
		f, _, err := beside.Open(folder, name)
		if err != nil {
			return nil, 0, err
		}
		st, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, 0, err
		}
		return f, st.Size(), nil
	}
}
