package importers

import (
	"bytes"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/storage"
)

// Format is the format of a file, by its first bytes.
type Format string

// The formats that conversions know of.
const (
	FormatUnknown   Format = ""
	FormatEmpty     Format = "empty"
	FormatGRIB      Format = "GRIB"
	FormatNetCDF    Format = "netCDF"
	FormatTensogram Format = "Tensogram"
	FormatTet       Format = ".tet"
	FormatZarr      Format = "Zarr" // a store, which storage opens as a folder

	// Compressed files; their content is not looked at.
	FormatGzip  Format = "gzip"
	FormatBzip2 Format = "bzip2"
	FormatZstd  Format = "zstd"
	FormatXz    Format = "xz"
)

// IsSource reports whether files of the format are converted to Tensogram: each has an adapter that
// makes them a [Source].
func (f Format) IsSource() bool { return slices.Contains(Sources(), f) }

// IsData reports whether files of the format hold data that are read: the formats of [Sources] and Tensogram.
func (f Format) IsData() bool { return f == FormatTensogram || f.IsSource() }

// Sources are the formats that are converted to Tensogram, in the order in which texts name them.
func Sources() []Format { return []Format{FormatGRIB, FormatNetCDF, FormatZarr, FormatTet} }

// Unpack returns the command that writes the contents of a compressed file to its standard output;
// empty for other formats.
func (f Format) Unpack() string {
	switch f {
	case FormatGzip:
		return "gzip -dc"
	case FormatBzip2:
		return "bzip2 -dc"
	case FormatZstd:
		return "zstd -dc"
	case FormatXz:
		return "xz -dc"
	}
	return ""
}

// Signatures at the beginning of a file.
var (
	magicTensogram = []byte("TENSOGRM")
	magicCDF       = []byte("CDF")
	magicHDF5      = []byte("\x89HDF\r\n\x1a\n")
	magicGRIB      = []byte("GRIB")
	magicTet       = []byte("TETR")
	magicFolder    = []byte(storage.FolderMagic)
)

// FormatBytes is the number of bytes at the beginning of a file that are searched to find its
// format. A GRIB message need not be at the very beginning: headers of WMO bulletins and other
// bytes may come before it.
const FormatBytes = 64 << 10

// firstBytes is how many are looked at first.
const firstBytes = 512

// DetectFormat returns the format of the first size bytes of r. FormatUnknown is no error.
func DetectFormat(r io.ReaderAt, size int64) (Format, error) {
	read := func(at, limit int64) ([]byte, error) {
		data := make([]byte, min(size-at, limit))
		if n, err := r.ReadAt(data, at); n < len(data) && err != nil {
			return nil, err
		}
		return data, nil
	}
	found, err := DetectHead(func(limit int) ([]byte, error) { return read(0, int64(limit)) })
	if err != nil || found != FormatUnknown {
		return found, err
	}
	for at := int64(FormatBytes); at < size; at *= 2 { // after a large user block
		start, err := read(at, int64(len(magicHDF5)))
		if err != nil {
			return FormatUnknown, err
		}
		if bytes.HasPrefix(start, magicHDF5) {
			return FormatNetCDF, nil
		}
	}
	return FormatUnknown, nil
}

// DetectHead is like [DetectFormat] for a file whose first bytes, at most limit, are returned by
// peek. It asks for a few bytes first, which suffice for most formats.
func DetectHead(peek func(limit int) ([]byte, error)) (Format, error) {
	head, err := peek(firstBytes)
	if err != nil {
		return FormatUnknown, err
	}
	if len(head) == 0 {
		return FormatEmpty, nil
	}
	found := formatOf(head)
	if len(head) < firstBytes || found != FormatUnknown && found != FormatGRIB || bytes.HasPrefix(head, magicGRIB) {
		return found, nil
	}
	if head, err = peek(FormatBytes); err != nil {
		return FormatUnknown, err
	}
	return formatOf(head), nil
}

// formatOf returns the format of a file that begins with head.
func formatOf(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, magicTensogram):
		return FormatTensogram
	case bytes.HasPrefix(head, magicTet):
		return FormatTet
	case bytes.HasPrefix(head, magicFolder):
		return FormatZarr
	case bytes.HasPrefix(head, magicCDF) && len(head) > 3 && head[3] <= 5, bytes.HasPrefix(head, magicHDF5):
		return FormatNetCDF
	}
	// An HDF5 file may begin with a user block, of 512 bytes times a power of two.
	for at := 512; at < len(head); at *= 2 {
		if bytes.HasPrefix(head[at:], magicHDF5) {
			return FormatNetCDF
		}
	}
	if found := compression(head); found != FormatUnknown {
		return found
	}
	if holdsGRIB(head) {
		return FormatGRIB
	}
	return FormatUnknown
}

// gribEdition is the place of the edition number in section 0 of GRIB, which is the same in every edition.
const gribEdition = 7

// holdsGRIB reports whether a GRIB message begins in head. The word alone proves nothing: texts have it too,
// but never the small number that is the edition. A head that ends before the edition must begin with the word.
func holdsGRIB(head []byte) bool {
	if len(head) <= gribEdition {
		return bytes.HasPrefix(head, magicGRIB)
	}
	for at := 0; ; {
		next := bytes.Index(head[at:], magicGRIB)
		if next < 0 {
			return false
		}
		at += next
		if at+gribEdition >= len(head) {
			return false
		}
		if edition := head[at+gribEdition]; edition < '\t' {
			return true
		}
		at += len(magicGRIB)
	}
}

// compression returns the compression of a file by its signature: RFC 1952 and 8878, the headers of the .xz
// format, and of bzip2 with the first block's.
func compression(head []byte) Format {
	starts := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case starts("\x1f\x8b\x08"):
		return FormatGzip
	case starts("\x28\xb5\x2f\xfd"):
		return FormatZstd
	case starts("\xfd7zXZ\x00"):
		return FormatXz
	case starts("BZh") && len(head) >= 10 && string(head[4:10]) == "1AY&SY":
		return FormatBzip2
	}
	return FormatUnknown
}

// A FormatError says that an input is not in the format to be converted.
type FormatError struct {
	Found, Expected Format
}

func (e *FormatError) Error() string {
	switch e.Found {
	case FormatEmpty:
		return "the file is empty, expected " + string(e.Expected)
	case FormatUnknown:
		return "found no " + string(e.Expected) + " at its beginning"
	}
	if unpack := e.Found.Unpack(); unpack != "" {
		return "compressed with " + string(e.Found) + ", expected " + string(e.Expected) + " (unpack it first, with " + unpack + ")"
	}
	return "a " + string(e.Found) + " file, expected " + string(e.Expected)
}

// ExpectFormat reports a [*FormatError] if the first size bytes of r, opened from in, have another
// format. A file of unknown format that the user named is not an error here: the reader of the
// format decides. In a folder files of unknown format are errors.
func ExpectFormat(r io.ReaderAt, size int64, in Input, format Format) error {
	found, err := DetectFormat(r, size)
	return expected(found, err, in, format)
}

// ExpectHead is like [ExpectFormat] for a file whose first bytes, at most limit, are returned by
// peek.
func ExpectHead(peek func(limit int) ([]byte, error), in Input, format Format) error {
	found, err := DetectHead(peek)
	return expected(found, err, in, format)
}

func expected(found Format, err error, in Input, format Format) error {
	if err != nil {
		return err
	}
	if found == format || found == FormatUnknown && !in.FromFolder {
		return nil
	}
	return &FormatError{found, format}
}
