package fromnetcdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// An externalFile is a file that an input refers to.
type externalFile struct {
	storage.Blob
	location string
}

// ReadAt implements io.ReaderAt.
func (e *externalFile) ReadAt(p []byte, off int64) (int, error) {
	return e.Blob.ReadAt(context.Background(), p, off)
}

// openExternal is the netcdf.Opener of the file.
func (f *file) openExternal(name string) (io.ReaderAt, int64, error) {
	location, blob, err := f.source.files.OpenExternal(f.InputFile, name)
	if err != nil {
		return nil, 0, err
	}
	e := &externalFile{blob, location}
	f.externals.Store(name, e)
	return e, blob.Size(), nil
}

// external is a file that the input refers to by name, nil if it was not opened.
func (f *file) external(name string) *externalFile {
	e, _ := f.externals.Load(name)
	found, _ := e.(*externalFile)
	return found
}

// nameOf is the name by which other files of its folder refer to an input; "" if it has none.
func nameOf(in *importers.InputFile) string {
	if path := storage.LocalPath(in.Location); path != "" {
		return filepath.Base(path)
	}
	return ""
}

// refuses notes that a variable or link is not converted because other files are not read, if err says so.
// That is an error: it is nothing that the input lacks.
func (f *file) refuses(path string, err error) bool {
	if !errors.Is(err, storage.ErrExternal) {
		return false
	}
	f.refused = append(f.refused, fmt.Errorf("%s: %w", text(strings.TrimPrefix(path, "/")), err))
	return true
}

// mayChoose reports whether the target of a group's link may be asked for: no attributes of it are known.
func (o *Options) mayChoose(g *netcdf.Group, link string) bool {
	path := pathIn(g) + link
	return o.named(&netcdf.Var{Name: link, Path: path}) && (o.inGroup(g) || o.inGroup(&netcdf.Group{Path: path}))
}

// A reopenedExternal reads a file that an input refers to, also when the input was closed and
// opened again. It fails when the file has changed by then.
type reopenedExternal struct {
	source      *Source
	input, name string
	etag        string
}

// ReadAt implements io.ReaderAt.
func (r *reopenedExternal) ReadAt(p []byte, off int64) (int, error) {
	opened, err := r.source.files.Acquire(context.Background(), r.input)
	if err != nil {
		return 0, err
	}
	defer opened.Release()
	f := opened.Parsed
	if err := f.parse(); err != nil {
		return 0, err
	}
	e := f.external(r.name)
	if e == nil || e.ETag() != r.etag {
		return 0, storage.ErrChanged
	}
	return e.ReadAt(p, off)
}
