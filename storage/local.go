package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// localBucket is the file system of this machine.
type localBucket struct{ c *Client }

// Open implements Bucket. A named pipe is copied to a temporary file.
func (l localBucket) Open(ctx context.Context, name string) (Blob, error) {
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, errIsFolder
	case !st.Mode().IsRegular():
		return l.c.objects.get(name, func() (Blob, bool, error) {
			f, err := openPipe(ctx, name)
			if err != nil {
				return nil, false, err
			}
			defer f.Close()
			b, err := l.c.spool(ctx, f)
			return b, true, err
		})
	}
	f, err := disk.OpenRead(name)
	if err != nil {
		return nil, err
	}
	if st, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	return newLocalBlob(f, st), nil
}

// stateOf identifies a state of a file.
func stateOf(st fs.FileInfo) string { return fmt.Sprintf("%x-%x", st.ModTime().UnixNano(), st.Size()) }

// openPipe opens a file that is not regular. A named pipe opens only when somebody writes to it;
// this is not waited for when ctx is done.
func openPipe(ctx context.Context, name string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// localBlob is an open file.
type localBlob struct {
	file   io.ReaderAt
	size   int64
	etag   string
	closer func() error
}

// ReadAt implements Blob.
func (b *localBlob) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.file.ReadAt(p, off)
	switch {
	case err == io.EOF && n < len(p) && off >= 0 && off+int64(n) < b.size:
		err = &shorterError{off + int64(n), b.size}
	case err != nil && err != io.EOF:
		err = withoutPath(err) // callers name the file
	}
	return n, err
}

// A shorterError says that a file became shorter after it was opened. It is no io.EOF, because readers
// take io.EOF for the end of a whole file.
type shorterError struct{ at, size int64 }

func (e *shorterError) Error() string {
	return fmt.Sprintf("the file ends at byte %d, and had %d bytes when it was opened", e.at, e.size)
}

// Size implements Blob.
func (b *localBlob) Size() int64 { return b.size }

// ETag implements Blob.
func (b *localBlob) ETag() string { return b.etag }

// Close implements Blob.
func (b *localBlob) Close() error {
	if b.closer == nil {
		return nil
	}
	return b.closer()
}

// List implements Bucket: the regular files in and below the folder that the prefix ends in, hidden
// ones left out.
func (l localBucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		folder := prefix
		if !strings.HasSuffix(prefix, string(filepath.Separator)) && !strings.HasSuffix(prefix, "/") {
			if st, err := os.Stat(prefix); err != nil || !st.IsDir() {
				folder = filepath.Dir(prefix)
			}
		}
		none := func(string) bool { return false }
		err := walkFolder(ctx, folder, none, func(path string, st fs.FileInfo, _ bool) error {
			if strings.HasPrefix(path, prefix) && st.Mode().IsRegular() && !yield(Entry{path, st.Size(), st.ModTime(), stateOf(st)}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

// Remove implements Remover, for folders as well if they are empty.
func (localBucket) Remove(_ context.Context, name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// walkFolder calls found for every regular file in and below a folder in lexical order, without
// hidden files. The argument link says whether it is a symbolic link. A link that leads to nothing
// counts as a file: opening it gives the error. isOne reports whether a folder below is found as an
// input, and not gone into.
func walkFolder(ctx context.Context, folder string, isOne func(path string) bool, found func(path string, st fs.FileInfo, link bool) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return located(path, err)
		case path != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		link := d.Type()&fs.ModeSymlink != 0
		if d.IsDir() && path != folder && isOne(path) {
			st, err := d.Info()
			if err == nil {
				err = found(path, st, link)
			}
			return cmp.Or(err, fs.SkipDir)
		}
		st, err := os.Stat(path) // follows links
		if err != nil && link {
			if st, err = d.Info(); err == nil { // of the link
				return found(path, st, link)
			}
		}
		if err != nil || !st.Mode().IsRegular() {
			return nil
		}
		return found(path, st, link)
	})
}
