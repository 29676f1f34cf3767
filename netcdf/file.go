package netcdf

import (
	"fmt"
	"io"
	"os"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// File is an open netCDF file.
type File struct {
	Kind Kind

	root   *Group
	pathOf func(Ref) string // nil of classic files
	closer io.Closer
}

// Open opens the file at path. Close releases it.
func Open(path string) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := r.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("not a regular file")
	}
	var f *File
	if err == nil {
		f, err = New(r, st.Size())
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.closer = r
	return f, nil
}

// New reads the metadata of a file of size bytes. Elements are read from r later, by several
// goroutines at once.
func New(r io.ReaderAt, size int64) (*File, error) {
	src := wire.Source{R: r, Size: size}
	kind, err := Detect(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{Kind: kind}
	switch kind {
	case CDF1, CDF2, CDF5:
		f.root, err = readClassic(src, kind)
	default:
		err = f.readNetCDF4(src)
	}
	if err != nil {
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

// Close closes what Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Detect tells the format from the first bytes: "CDF" and a version byte, or the HDF5 signature at
// byte 0, 512, 1024, 2048, …. It does not tell NetCDF4 from NetCDF4Classic.
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
