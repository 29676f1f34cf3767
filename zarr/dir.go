package zarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// NewDir returns a store of a folder of files, such as zarr-python's LocalStore writes. With the
// file system of an os.Root, as [os.Root.FS] gives it, no key and no symbolic link leads out of the
// folder.
func NewDir(files fs.FS) Store { return &dirStore{files} }

type dirStore struct{ files fs.FS }

// Open implements Store. The files must be readable at an offset, as files on a disk are.
func (s *dirStore) Open(_ context.Context, key string) (Value, error) {
	if !ValidKey(key) {
		return nil, KeyNotFound(key)
	}
	file, err := s.files.Open(key)
	if err != nil {
		return nil, dirError(key, err)
	}
	value, err := newFileValue(file, key)
	if err != nil {
		file.Close()
		return nil, err
	}
	return value, nil
}

// A fileValue is a value in a file of its own.
type fileValue struct {
	io.ReaderAt
	file fs.File
	info Info
}

func newFileValue(file fs.File, key string) (*fileValue, error) {
	stat, err := file.Stat()
	if err != nil {
		return nil, dirError(key, err)
	}
	if !stat.Mode().IsRegular() {
		return nil, KeyNotFound(key)
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		return nil, fault.Errorf("zarr", "%s: %T cannot be read at an offset: %w", key, file, errors.ErrUnsupported)
	}
	tag := fmt.Sprintf(`"%x-%x"`, stat.ModTime().UnixNano(), stat.Size())
	return &fileValue{at, file, Info{Size: stat.Size(), ETag: tag}}, nil
}

// Info implements Value.
func (v *fileValue) Info() Info { return v.info }

// Read implements Value.
func (v *fileValue) Read(_ context.Context, r Range) (io.ReadCloser, error) {
	return Section(v, v.info.Size, r)
}

// Close implements Value.
func (v *fileValue) Close() error { return v.file.Close() }

func dirError(key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return KeyNotFound(key)
	}
	return fault.Errorf("zarr", "%s: %w", key, err)
}

// List implements Store.
func (s *dirStore) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		folder := prefix
		if folder == "" {
			folder = "."
		}
		entries, err := fs.ReadDir(s.files, folder)
		if err != nil {
			yield("", dirError(prefix, err))
			return
		}
		for _, e := range entries {
			key := JoinKey(prefix, e.Name())
			if e.IsDir() {
				key += "/"
			}
			if !yield(key, nil) {
				return
			}
		}
	}
}

// A Folder is a store in a folder of this machine.
type Folder struct {
	Store
	root *os.Root
}

// OpenFolder opens a folder that holds a store of either format: one with one of the [Documents]. Without
// them the error is [fs.ErrNotExist].
func OpenFolder(path string) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(Documents()) { // the last error names zarr.json
		if _, err = root.Stat(name); err == nil {
			return &Folder{NewDir(root.FS()), root}, nil
		}
	}
	root.Close()
	return nil, err
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }
