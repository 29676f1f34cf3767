package netcdf

import (
	"errors"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/reading"
	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// File is an open netCDF file.
type File struct {
	Kind Kind
	// Properties names the libraries that wrote a netCDF-4 file, "" if the file does not name
	// them. It is the attribute _NCProperties, which the netCDF library hides.
	Properties string
	// HeaderFree is the number of bytes between the header of a classic file and its elements.
	// Some writers reserve them for attributes that are added later.
	HeaderFree int64
	// Leftovers are the bytes of a classic file that belong neither to its header nor to a
	// variable.
	Leftovers Leftovers

	root    *Group
	pathOf  func(Ref) string // nil of classic files
	closers []io.Closer
}

// Option changes how a file is read.
type Option func(*options)

type options struct {
	hdf5 []hdf5.Option
}

// Opener opens a file that another refers to, by its path relative to the folder of the
// first opened file. See [WithOpener].
type Opener = hdf5.Opener

// WithOpener sets the function that opens other files. External links, virtual datasets and
// external data of an HDF5 file refer to such files. The name is the file's own, as others of its
// folder would refer to it; it may be empty. Without an opener other files are not opened: the
// author of a file would choose other files to be read.
func WithOpener(name string, open Opener) Option {
	return func(o *options) { o.hdf5 = append(o.hdf5, hdf5.WithOpener(name, open)) }
}

// InFolder opens the files in and below a folder, except hidden files, and no others.
func InFolder(folder string) Opener { return hdf5.InFolder(folder) }

// WithChunkCache sets how many bytes of decoded HDF5 chunks are kept for later calls of Read. The
// default is 64 MiB, 0 keeps none.
func WithChunkCache(bytes int64) Option {
	return func(o *options) { o.hdf5 = append(o.hdf5, hdf5.WithChunkCache(bytes)) }
}

// Open opens the file at a path. Close releases it.
func Open(path string, opts ...Option) (*File, error) {
	r, size, err := wire.OpenFile(path)
	if err != nil {
		return nil, err
	}
	f, err := NewFile(r, size, opts...)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.closers = append(f.closers, r)
	return f, nil
}

// NewFile reads the metadata of a file of size bytes. Elements are read from r later, by several
// goroutines at once. Damaged objects may be left out, see [Group.Skipped]; it is an error if something
// cannot be read.
func NewFile(r io.ReaderAt, size int64, opts ...Option) (*File, error) {
	var o options
	for _, set := range opts {
		set(&o)
	}
	read := reading.Of(r, size)
	src := wire.Source{R: read, Size: size}
	kind, err := Detect(read, size)
	if err != nil {
		return nil, err
	}
	f := &File{Kind: kind}
	switch kind {
	case CDF1, CDF2, CDF5:
		err = f.readClassic(src)
	default:
		err = f.readNetCDF4(src, o.hdf5)
	}
	if failed := read.Failure(); failed != nil {
		err = fault.Errorf("netcdf", "%w", failed)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Root returns the root group.
func (f *File) Root() *Group { return f.root }

// PathOf returns the path of the variable, group or type that a reference points to, "" when it
// points to none.
func (f *File) PathOf(r Ref) string {
	if f.pathOf == nil {
		return ""
	}
	return f.pathOf(r)
}

// Close closes the files that were opened: by Open, and the files that the file refers to.
func (f *File) Close() error {
	var errs []error
	for _, c := range f.closers {
		errs = append(errs, c.Close())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// Detect returns the format by the first bytes. These are "CDF" and a version byte, or the HDF5
// signature at byte 0, 512, 1024, 2048, …. It is NetCDF4 for files of kind NetCDF4Classic as well.
func Detect(r io.ReaderAt, size int64) (Kind, error) {
	src := wire.Source{R: r, Size: size}
	magic, err := src.Bytes("file signature", 0, min(size, 4))
	if err != nil {
		return "", err
	}
	if len(magic) == 4 && string(magic[:3]) == "CDF" {
		switch magic[3] {
		case 1:
			return CDF1, nil
		case 2:
			return CDF2, nil
		case 5:
			return CDF5, nil
		}
		return "", wire.Unsupported("file signature", 3, "classic format version %d", magic[3])
	}
	if _, err := hdf5Start(src); err != nil {
		return "", wire.Errorf("file signature", 0, "neither netCDF nor HDF5: the file begins with % x", magic)
	}
	return NetCDF4, nil
}
