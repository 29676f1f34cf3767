package ncwrite

import (
	"context"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// dense stores the elements of a variable in C order in the file. They are in one piece, or in a
// piece for each index of the first axis, all at the same distance (records).
type dense struct {
	out   io.WriterAt
	begin int64 // of the first piece in the file
	piece int64 // bytes of a piece; all bytes of a variable in one piece
	step  int64 // from one piece to the next

	strides []int64 // bytes between neighbours on each axis, in the variable
	size    int     // bytes of an element
	swap    int     // bytes of a number to reverse, 0 or 1 for none

	mu   sync.Mutex
	have runs // of the variable, pieces being one after the other
}

// swapBytes is how much is copied at once to reverse its bytes.
const swapBytes = 256 << 10

// newDense returns the storage of a variable of the given shape. The first axis may grow when the
// pieces are records.
func newDense(out io.WriterAt, shape []uint64, size, swap int) *dense {
	d := &dense{out: out, strides: nd.Strides(shape, int64(size)), size: size, swap: swap}
	d.piece = int64(nd.Volume(shape)) * int64(size)
	return d
}

// inRecords makes each index of the first axis a piece.
func (d *dense) inRecords(begin, step int64) {
	d.begin, d.piece, d.step = begin, d.strides[0], step
}

// write stores a box of elements.
func (d *dense) write(ctx context.Context, start, count []uint64, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.writeAxis(nd.Offset(start, d.strides), count, d.strides, data)
}

// writeAxis stores the box that remains of the axes count and strides. Its first byte in the
// variable is from.
func (d *dense) writeAxis(from int64, count []uint64, strides []int64, data []byte) error {
	if nd.IsRun(count, strides, int64(d.size)) {
		return d.writeRun(from, data)
	}
	row := len(data) / int(count[0])
	for i := range int64(count[0]) {
		if err := d.writeAxis(from+i*strides[0], count[1:], strides[1:], data[:row]); err != nil {
			return err
		}
		data = data[row:]
	}
	return nil
}

// writeRun stores bytes that follow each other in the variable.
func (d *dense) writeRun(from int64, data []byte) error {
	d.mu.Lock()
	d.have.add(from, from+int64(len(data)))
	d.mu.Unlock()
	for len(data) > 0 {
		at, n := d.place(from, int64(len(data)))
		if err := d.put(at, data[:n]); err != nil {
			return err
		}
		data, from = data[n:], from+n
	}
	return nil
}

// place returns the place in the file of byte from of the variable. Of n bytes, follow lie
// there.
func (d *dense) place(from, n int64) (at, follow int64) {
	if d.step == 0 || d.step == d.piece {
		return d.begin + from, n
	}
	index, rest := from/d.piece, from%d.piece
	return d.begin + index*d.step + rest, min(n, d.piece-rest)
}

// put writes bytes to the file, in its byte order.
func (d *dense) put(at int64, data []byte) error {
	if d.swap <= 1 {
		_, err := d.out.WriteAt(data, at)
		return err
	}
	buf := make([]byte, min(len(data), swapBytes))
	for len(data) > 0 {
		n := copy(buf, data)
		wire.Swap(buf[:n], d.swap)
		if _, err := d.out.WriteAt(buf[:n], at); err != nil {
			return err
		}
		data, at = data[n:], at+int64(n)
	}
	return nil
}

// fill stores fill values where nothing was written in the first end bytes of the variable.
func (d *dense) fill(end int64, fill []byte) error {
	var pattern []byte
	for _, gap := range d.have.gaps(end) {
		if pattern == nil {
			pattern = make([]byte, swapBytes/len(fill)*len(fill))
			nd.Repeat(pattern, fill)
		}
		for at := gap.lo; at < gap.hi; {
			n := min(gap.hi-at, int64(len(pattern)))
			if err := d.writeRun(at, pattern[:n]); err != nil {
				return err
			}
			at += n
		}
	}
	return nil
}
