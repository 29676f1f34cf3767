package blosc

import (
	"encoding/binary"
	"fmt"
	"math"
)

// maxLayers and maxDims are the limits of C-Blosc2.
const (
	maxLayers = 16
	maxDims   = 16
)

// Metalayer returns the content of a metalayer of the header, and false if there is none of that
// name.
//
// The header ends with 93, cd and the bytes of the map, de and the number of entries (two bytes),
// then for each a0 plus the length of the name, the name, d2 and the offset of the value in the
// frame; then the values, c6 and four bytes of length each.
func (f *Frame) Metalayer(name string) ([]byte, bool) {
	m := f.metadata
	if len(m) < 7 || m[0] != 0x93 || m[4] != 0xde {
		return nil, false
	}
	entries := min(int(binary.BigEndian.Uint16(m[5:])), maxLayers)
	m = m[7:]
	for range entries {
		if len(m) < 1 {
			return nil, false
		}
		n := int(m[0] & 31)
		if len(m) < 1+n+5 {
			return nil, false
		}
		if string(m[1:1+n]) == name {
			return f.metaValue(int64(binary.BigEndian.Uint32(m[n+2:])))
		}
		m = m[n+6:]
	}
	return nil, false
}

func (f *Frame) metaValue(at int64) ([]byte, bool) {
	m := f.metadata
	at -= atMetalayers
	if at < 0 || at > int64(len(m))-5 || m[at] != 0xc6 {
		return nil, false
	}
	n := int64(binary.BigEndian.Uint32(m[at+1:]))
	if n > int64(len(m))-at-5 {
		return nil, false
	}
	return m[at+5 : at+5+n], true
}

// array is the b2nd metalayer: an array in chunks, which are cut into blocks.
type array struct {
	shape        []int64
	chunk, block []int
}

// parseArray reads
//
//	97, version 0, dimensions, then three lists (90 plus dimensions):
//	shape d3 and 8 bytes each, shape of a chunk d2 and 4 bytes each, shape of a block likewise
func parseArray(b []byte) (*array, error) {
	if len(b) < 3 || b[0]&0xf0 != 0x90 {
		return nil, fmt.Errorf("b2nd metalayer begins with % x", b[:min(3, len(b))])
	}
	n := int(b[2])
	if n < 1 || n > maxDims-1 || len(b) < 3+3*1+n*(9+5+5) {
		return nil, fmt.Errorf("b2nd metalayer of %d bytes for %d dimensions: %w", len(b), n, ErrTruncated)
	}
	a := &array{}
	b = b[3+1:]
	for range n {
		a.shape = append(a.shape, int64(binary.BigEndian.Uint64(b[1:])))
		b = b[9:]
	}
	for _, list := range []*[]int{&a.chunk, &a.block} {
		b = b[1:]
		for range n {
			*list = append(*list, int(int32(binary.BigEndian.Uint32(b[1:]))))
			b = b[5:]
		}
	}
	return a, nil
}

// padded returns the elements of a chunk whose dimensions are padded to whole blocks.
func (a *array) padded() (elements int64, err error) {
	elements = 1
	for i, c := range a.chunk {
		b := a.block[i]
		if c < 1 || b < 1 || b > c {
			return 0, fmt.Errorf("blocks of %d in chunks of %d", a.block, a.chunk)
		}
		n := int64((c + b - 1) / b * b)
		if elements > math.MaxInt32/n {
			return 0, fmt.Errorf("chunks of %d are too large", a.chunk)
		}
		elements *= n
	}
	return elements, nil
}

// DecodeArray returns the want bytes of the single chunk of the frame in src. It uses dst's memory
// if that is large enough. It is Decode for HDF5 filter 32026: when a b2nd metalayer says that the
// chunk is stored block by block, its elements are put in C order.
func DecodeArray(dst, src []byte, want int) ([]byte, error) {
	// Padding may nearly double a dimension, but hardly ever does so in more than a few.
	const slack = 16
	if want > math.MaxInt32 {
		return nil, formatError("frame header", 0, "%w: one chunk cannot hold %d bytes", ErrSize, want)
	}
	f, err := openFrame(memory(src), int64(len(src)), int64(want)*slack)
	if err != nil {
		return nil, err
	}
	b, ok := f.Metalayer("b2nd")
	if !ok {
		return f.decode(dst, want)
	}
	a, err := parseArray(b)
	var elements, inChunk int64
	if err == nil {
		elements, err = a.padded()
	}
	if err != nil {
		return nil, located(err, atMetalayers, "frame header")
	}
	inChunk = 1
	for _, c := range a.chunk {
		inChunk *= int64(c)
	}
	size := int64(f.typeSize)
	if size < 1 || elements > math.MaxInt32/size || f.size != elements*size || inChunk*size != int64(want) {
		return nil, formatError("frame header", 0, "%w: %d bytes for a chunk of %d in blocks of %d, expected %d", ErrSize, f.size, a.chunk, a.block, want)
	}
	if f.Chunks() != 1 {
		return nil, unsupported("an array of %d chunks in one frame", f.Chunks())
	}
	if elements == inChunk && a.sameOrder() {
		return f.decode(dst, want)
	}
	stored, err := f.decode(nil, int(f.size))
	if err != nil {
		return nil, err
	}
	out := room(dst, want)
	a.reorder(out, stored, f.typeSize)
	return out, nil
}

// sameOrder reports whether the blocks one after another are the chunk in C order. Then only the
// first dimension longer than 1 is cut.
func (a *array) sameOrder() bool {
	i := 0
	for i < len(a.chunk) && a.block[i] == 1 {
		i++
	}
	for i++; i < len(a.chunk); i++ {
		if a.block[i] != a.chunk[i] {
			return false
		}
	}
	return true
}

// reorder copies the rows of blocks from src, where block follows block, to dst, in C order.
func (a *array) reorder(dst, src []byte, size int) {
	n := len(a.chunk)
	grid, first, row := make([]int, n), make([]int, n), make([]int, n)
	for i := range grid {
		grid[i] = (a.chunk[i] + a.block[i] - 1) / a.block[i]
	}
	rows := append(append([]int(nil), a.block[:n-1]...), 1)
	length := a.block[n-1] * size
	for more := true; more; more = next(first, grid) {
		clear(row)
		for rowsLeft := true; rowsLeft; rowsLeft = next(row, rows) {
			a.copyRow(dst, src[:length], first, row, size)
			src = src[length:]
		}
	}
}

// copyRow copies one row of a block to dst, without padding.
func (a *array) copyRow(dst, src []byte, first, row []int, size int) {
	at := 0
	for i := range first {
		k := first[i]*a.block[i] + row[i]
		if k >= a.chunk[i] {
			return
		}
		at = at*a.chunk[i] + k
	}
	last := len(first) - 1
	n := min(a.block[last], a.chunk[last]-first[last]*a.block[last])
	copy(dst[at*size:(at+n)*size], src)
}

// next counts index up to limits in C order. It reports false, with index zero again, at the end.
func next(index, limits []int) bool {
	for i := len(index) - 1; i >= 0; i-- {
		if index[i]++; index[i] < limits[i] {
			return true
		}
		index[i] = 0
	}
	return false
}
