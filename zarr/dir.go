package zarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
)

// NewDir makes a store of a folder of files, such as zarr-python's LocalStore writes. With the file
// system of an os.Root, as [os.Root.FS] gives it, no key and no symbolic link leads out of the
// folder.
func NewDir(files fs.FS) Store { return &dirStore{files} }

type dirStore struct{ files fs.FS }

// Stat implements Store.
func (s *dirStore) Stat(ctx context.Context, key string) (Info, error) {
	body, info, err := s.Get(ctx, key, Range{})
	if err != nil {
		return Info{}, err
	}
	return info, body.Close()
}

// Get implements Store. The files must be readable at an offset, as those of a disk are.
func (s *dirStore) Get(_ context.Context, key string, r Range) (io.ReadCloser, Info, error) {
	if !ValidKey(key) {
		return nil, Info{}, keyNotFound(key)
	}
	file, err := s.files.Open(key)
	if err != nil {
		return nil, Info{}, dirError(key, err)
	}
	body, info, err := openFile(file, key, r)
	if err != nil {
		file.Close()
		return nil, Info{}, err
	}
	return body, info, nil
}

func openFile(file fs.File, key string, r Range) (io.ReadCloser, Info, error) {
	stat, err := file.Stat()
	if err != nil {
		return nil, Info{}, dirError(key, err)
	}
	if !stat.Mode().IsRegular() {
		return nil, Info{}, keyNotFound(key)
	}
	info := Info{
		Size: stat.Size(),
		ETag: fmt.Sprintf(`"%x-%x"`, stat.ModTime().UnixNano(), stat.Size()),
	}
	offset, length, err := r.Resolve(info.Size)
	if err != nil {
		return nil, info, err
	}
	at, ok := file.(io.ReaderAt)
	if !ok {
		return nil, info, fmt.Errorf("zarr: %s: %T cannot be read at an offset: %w", key, file, errors.ErrUnsupported)
	}
	return &fileSection{io.NewSectionReader(at, offset, length), file}, info, nil
}

// A fileSection reads a part of a file and closes the file.
type fileSection struct {
	io.Reader
	io.Closer
}

func dirError(key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return keyNotFound(key)
	}
	return fmt.Errorf("zarr: %s: %w", key, err)
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
			key := joinKey(prefix, e.Name())
			if e.IsDir() {
				key += "/"
			}
			if !yield(key, nil) {
				return
			}
		}
	}
}
