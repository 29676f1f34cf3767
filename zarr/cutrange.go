package zarr

import (
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/hyperslab"
)

// asked counts how often chunks of fields were asked for. The zero value is ready to use.
type asked struct {
	mu     sync.Mutex
	fields map[int]int
}

// Limits of what is decoded of a field for one chunk of it.
const (
	rangedChunks = 2       // of a field are decoded on their own, before the whole field is
	askedFields  = 1 << 14 // are counted
)

// often counts a chunk and reports whether enough of its field were asked for that the others are
// likely to be asked for as well.
func (a *asked) often(ref int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fields == nil || len(a.fields) >= askedFields {
		a.fields = make(map[int]int)
	}
	a.fields[ref]++
	return a.fields[ref] > rangedChunks
}

// cutField makes the chunk at origin of a field: of the rows that it lies in, where these can be
// read without the others, else of the whole field, which is kept for the chunks beside it. A short
// field has fewer elements than whole, which has zeros in their place.
func (v *DatasetView) cutField(variable *dataset.Variable, ref int, whole Chunk, short bool, shape, origin []uint64) ([]byte, error) {
	var rows io.ReaderAt
	if !short {
		rows = v.rowReader(variable, ref, whole)
	}
	if rows != nil {
		field, err := readRows(rows, variable, shape, origin)
		if err != nil {
			return nil, err
		}
		return cut(field, variable, shape, origin), nil
	}
	data, err := v.wholeField(variable, ref, whole)
	if err != nil {
		return nil, err
	}
	return cut(hyperslab.At(data, variable.Chunk, origin), variable, shape, origin), nil
}

// rowReader reads the elements of a field at any offset; nil if the field is better decoded as a
// whole.
func (v *DatasetView) rowReader(variable *dataset.Variable, ref int, whole Chunk) io.ReaderAt {
	if whole.Stored != nil {
		return whole.Stored
	}
	source, ok := v.fields.(dataset.ObjectSource)
	if !ok || whole.Size < largeField && (v.isKept(ref) || v.asked.often(ref)) {
		return nil
	}
	object, err := source.Object(ref)
	if err != nil || object == nil || !object.HasRanges() {
		return nil
	}
	r := &elementReader{object: object, size: whole.Size, element: int64(variable.DType.Size())}
	return v.located(ref, v.hashes.chunk(ref, object, Chunk{Stored: r})).Stored
}

// readRows reads the rows of a field that the chunk at origin has elements of: along the first
// dimension in which the chunk has more than one of them.
func readRows(r io.ReaderAt, variable *dataset.Variable, shape, origin []uint64) (hyperslab.Block, error) {
	dims := variable.Chunk
	axis := 0
	for axis < len(dims)-1 && shape[axis] == 1 {
		axis++
	}
	row := int64(variable.DType.Size())
	for _, n := range dims[axis+1:] {
		row *= int64(n)
	}
	b := hyperslab.Block{Shape: make([]uint64, len(dims)), Origin: make([]uint64, len(dims))}
	copy(b.Shape, dims)
	copy(b.Origin, origin)
	start := int64(0)
	for i := range axis + 1 {
		start = start*int64(max(1, dims[i])) + int64(origin[i])
		b.Shape[i], b.Origin[i] = 1, 0
	}
	b.Shape[axis] = min(shape[axis], dims[axis]-origin[axis])
	b.Data = make([]byte, row*int64(b.Shape[axis]))
	return b, readFull(r, b.Data, start*row)
}
