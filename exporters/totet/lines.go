package totet

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// largeArray is the size in bytes from which on an array is read in parts, if its source can.
const largeArray = 64 << 20

// lines give the elements of an array in C order, of which they read those rows at once that a line
// of chunks needs: chunks that have the same place on the first axis. As chunks come in order, the
// last two lines are kept. ReadAt may be called by several goroutines.
type lines struct {
	// read reads rows, into the memory of dst if it has room.
	read func(first, rows uint64, dst []byte) (*tgm.Array, error)
	// done is called with each array that was read.
	done func(*tgm.Array)

	rows  uint64
	line  uint64 // rows of a line
	bytes int64  // of a row

	mu   sync.Mutex
	kept [2]line // the one that was used last comes first
}

// A line is rows that were read.
type line struct {
	off  int64
	data []byte
}

// newLines returns the lines of an array, without what reads them; nil if it is small, or one line.
// chunks is the shape in which it is asked for.
func newLines(shape []uint64, chunks []int64, t tet.DType) (l *lines, axis int) {
	for axis < len(shape)-1 && shape[axis] == 1 {
		axis++
	}
	if len(shape) == 0 || len(chunks) != len(shape) {
		return nil, 0
	}
	l = &lines{rows: shape[axis], line: uint64(chunks[axis]), bytes: t.Size()}
	for _, n := range shape[axis+1:] {
		l.bytes *= int64(n) // of arrays whose elements can be counted
	}
	if l.bytes*int64(l.rows) < largeArray || l.line >= l.rows {
		return nil, 0
	}
	return l, axis
}

// objectLines returns what reads an object in parts, as an array of a shape; nil if that is not
// possible or not worth it. The hash of the object has been compared then.
func objectLines(o *tgm.Object, shape []uint64, chunks []int64, t tet.DType) (*lines, error) {
	l, _ := newLines(shape, chunks, t)
	if l == nil || !o.HasRanges() {
		return nil, nil
	}
	if err := o.CheckHash(); err != nil {
		return nil, err
	}
	elements := uint64(l.bytes / t.Size())
	l.read = func(first, rows uint64, dst []byte) (*tgm.Array, error) {
		return o.DecodeRange(first*elements, rows*elements, tgm.DecodeOptions{ByteOrder: tgm.LittleEndian, Dst: dst})
	}
	return l, nil
}

// fieldLines returns what reads a field in parts, nil if that is not possible or not worth it.
func fieldLines(ctx context.Context, fields dataset.Fields, ref int, shape []uint64, chunks []int64, t tet.DType) (*lines, error) {
	if source, ok := fields.(dataset.ObjectSource); ok {
		if o, err := source.Object(ref); o != nil || err != nil {
			if err != nil {
				return nil, err
			}
			l, err := objectLines(o, shape, chunks, t)
			if l != nil {
				read := l.read
				l.read = func(first, rows uint64, dst []byte) (*tgm.Array, error) {
					a, err := read(first, rows, dst)
					return a, dataset.Located(fields, ref, err)
				}
			}
			return l, dataset.Located(fields, ref, err)
		}
	}
	l, axis := newLines(shape, chunks, t)
	source, ok := fields.(dataset.BlockSource)
	if l == nil || !ok {
		return nil, nil
	}
	if block, err := source.BlockShape(ctx, ref); err != nil || len(block) != len(shape) {
		return nil, err
	}
	l.read = func(first, rows uint64, dst []byte) (*tgm.Array, error) {
		start, count := make([]uint64, len(shape)), append([]uint64(nil), shape...)
		start[axis], count[axis] = first, rows
		return source.ReadBlock(ctx, ref, start, count, dst)
	}
	return l, nil
}

// ReadAt implements io.ReaderAt.
func (l *lines) ReadAt(b []byte, off int64) (n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n < len(b) {
		at, err := l.at(off + int64(n))
		if err != nil {
			return n, err
		}
		n += copy(b[n:], at.data[off+int64(n)-at.off:])
	}
	return n, nil
}

// at returns the line of a byte.
func (l *lines) at(off int64) (line, error) {
	size := int64(l.line) * l.bytes
	start := off - off%size
	for i, k := range l.kept {
		if k.data != nil && k.off == start {
			l.kept[0], l.kept[i] = k, l.kept[0]
			return k, nil
		}
	}
	first := uint64(start / l.bytes)
	if first >= l.rows {
		return line{}, io.EOF
	}
	rows := min(l.line, l.rows-first)
	dst := l.kept[1].data
	l.kept[1] = line{}
	a, err := l.read(first, rows, dst)
	if err != nil {
		return line{}, err
	}
	if int64(len(a.Data)) != int64(rows)*l.bytes {
		return line{}, fmt.Errorf("%d bytes of %d rows, expected %d", len(a.Data), rows, int64(rows)*l.bytes)
	}
	l.done(a)
	l.kept[0], l.kept[1] = line{start, a.Data}, l.kept[0]
	return l.kept[0], nil
}
