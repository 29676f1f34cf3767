package importers

import (
	"io"

	"github.com/tgmconv/tgmconv/tgm"
)

// A File holds chunks of a field: an input, or a file that an input refers to. It is read in the
// state in which it was opened: when it has changed since, reading it fails.
type File struct {
	io.ReaderAt        // nil for a Tensogram file, which is read by its objects
	Location    string // as package storage opens it
	// AsItIs says that the location names the bytes of the file itself, such as a compressed chunk. Its
	// name may be of a file that is unpacked where it is an input.
	AsItIs bool
	// Nowhere is why no file has the bytes, although they are read here: it is in an archive that is
	// compressed. Then there is no location.
	Nowhere error
}

// A Layout says how the elements of a field are stored: in chunks of one shape, each a range of bytes
// of a file.
type Layout struct {
	// Files are the files that the chunks lie in. Each [Extent] names one of them, unless there are none:
	// then each chunk may lie in a file of its own.
	Files []*File
	// DType is the type of the elements as they are stored.
	DType     tgm.DType
	BigEndian bool
	// Chunk is the shape of the chunks. Chunks at the edges of the array have this shape as well,
	// unless [Extent.Clipped] says otherwise.
	Chunk []uint64
	// Transforms are the steps from the elements to the stored bytes of a chunk, in the order of
	// writing: shuffle, and zstd, deflate (a zlib stream), gzip or blosc, and crc32c.
	Transforms []tgm.Transform
	// Fill is the value of the elements of chunks that are not stored, little-endian.
	Fill []byte
	// Stored is empty if the elements are the values of the field. Otherwise it names the step that turns them
	// into values, such as a scale.
	Stored string
	// Unpack has the attributes of CF that turn the elements into values.
	Unpack map[string]any
	// Small is set if the chunks are so small that reading the whole field is faster than reading many. Records
	// of netCDF files may be such.
	Small bool
	// Records is set if the chunks are the records of a netCDF-3 file, whose shape the format
	// dictates.
	Records bool
	// Stretch is the approximate number of chunks whose places Extent keeps in memory.
	Stretch int64
	// Extent returns where the chunk at a position of the grid is stored; false if it is not
	// stored.
	Extent func(index []uint64) (Extent, bool, error)
}

// An Extent is the bytes of a chunk in a file.
type Extent struct {
	File           *File
	Offset, Length int64
	// Clipped is the shape of a chunk that has only the elements within the array; nil for whole
	// ones.
	Clipped []uint64
}

// An UnportableError says why other programs cannot decode the elements of a field.
type UnportableError struct{ Why string }

func (e *UnportableError) Error() string { return e.Why }

// largestPiece is the size of the pieces that a long run of elements is shown in.
const largestPiece = 16 << 20

// ContiguousLayout returns the layout of an array that is stored in one piece of a file from offset on.
// Elements have size bytes. A large array is divided into equal chunks of whole rows.
func ContiguousLayout(file *File, shape []uint64, size int, offset int64) (chunk []uint64, extent func([]uint64) (Extent, bool, error)) {
	chunk = make([]uint64, len(shape))
	bytes := int64(size) // of a chunk
	for i, n := range shape {
		chunk[i] = max(1, n)
		bytes *= int64(chunk[i])
	}
	for i := range chunk {
		rest := bytes / int64(chunk[i])
		chunk[i] = divisor(chunk[i], uint64(max(1, largestPiece/max(1, rest))))
		if bytes = rest * int64(chunk[i]); chunk[i] > 1 {
			break // later dimensions lie side by side only within one position along this one
		}
	}
	return chunk, func(index []uint64) (Extent, bool, error) {
		number := int64(0)
		for i, n := range index {
			number = number*int64(max(1, shape[i])/chunk[i]) + int64(n)
		}
		return Extent{File: file, Offset: offset + number*bytes, Length: bytes}, true, nil
	}
}

// divisor is the largest divisor of n that is at most limit.
func divisor(n, limit uint64) uint64 {
	best := uint64(1)
	for d := uint64(1); d*d <= n; d++ {
		if n%d != 0 {
			continue
		}
		if d <= limit {
			best = max(best, d)
		}
		if n/d <= limit {
			best = max(best, n/d)
		}
	}
	return best
}
