package importers

import (
	"context"
	"io"

	"github.com/tgmconv/tgmconv/tgm"
)

// Laid is implemented by [Values] whose elements may lie in the input in a form that other programs
// can decode.
type Laid interface {
	// Layout says how the elements lie in the input. It reads indexes, no values. The error is an
	// [*UnportableError] if only this source can decode them.
	Layout(ctx context.Context) (*Layout, error)
}

// A Layout is how the elements of a field lie in an input: in chunks of one shape, each a range of
// bytes.
type Layout struct {
	Input string // its location
	// Reader reads the input at any offset.
	Reader io.ReaderAt
	// DType is the type of the elements as they are stored.
	DType     tgm.DType
	BigEndian bool
	// Chunk is the shape of chunks, which have all their elements also at the edges of the array,
	// unless [Extent.Clipped] says otherwise.
	Chunk []uint64
	// Transforms are the steps that made a chunk of its elements, in the order of writing: shuffle,
	// and zstd, deflate (a zlib stream) or blosc.
	Transforms []tgm.Transform
	// Fill is the element, little-endian, that chunks consist of which are not stored.
	Fill []byte
	// Stored is empty if the elements are the values of the field. Else it says what makes values
	// of them, such as a scale.
	Stored string
	// Unpack are the attributes of CF that make values of the elements.
	Unpack map[string]any
	// Small is set where each chunk is so few bytes that many clients read all of the field in less
	// time: records of netCDF files, for instance.
	Small bool
	// Records is set where the chunks are the records of a netCDF-3 file, which were not chosen.
	Records bool
	// Stretch is about how many chunks Extent keeps in memory.
	Stretch int64
	// Extent is where the chunk at a position of the grid lies; false if it is not stored.
	Extent func(index []uint64) (Extent, bool)
}

// An Extent is the bytes of a chunk in an input.
type Extent struct {
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

// ContiguousLayout makes the layout of elements of a shape that lie side by side from offset on. A
// large array is shown as chunks of whole rows, equal pieces all of them.
func ContiguousLayout(shape []uint64, size int, offset int64) (chunk []uint64, extent func([]uint64) (Extent, bool)) {
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
			break // what follows lies side by side only within one position along this dimension
		}
	}
	return chunk, func(index []uint64) (Extent, bool) {
		number := int64(0)
		for i, n := range index {
			number = number*int64(max(1, shape[i])/chunk[i]) + int64(n)
		}
		return Extent{Offset: offset + number*bytes, Length: bytes}, true
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
