package netcdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/netcdf/internal/slab"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// readClassic reads a CDF-1, CDF-2 or CDF-5 file.
//
//	header = magic numrecs dim_list gatt_list var_list
//
// The elements of fixed-size variables follow one variable after the other, then the records: for
// each record the slices of all record variables, each padded to four bytes.
func (f *File) readClassic(src wire.Source) error {
	h := newClassicHeader(src, f.Kind)
	numrecs := h.count("number of records")
	streaming := h.streaming
	dims := h.dimensions()
	root := &Group{Name: "/", Path: "/", Dims: dims, Attrs: h.attributes("global attributes")}
	layouts := h.variables(root)
	if h.err != nil {
		return h.err
	}
	recsize, err := recordSize(layouts)
	if err != nil {
		return err
	}
	if streaming {
		numrecs = streamedRecords(src.Size, recsize, layouts)
	}
	if err := checkRecords(numrecs, recsize); err != nil {
		return err
	}
	for _, d := range dims {
		if d.Unlimited {
			d.Len = numrecs
		}
	}
	for _, l := range layouts {
		if l.record {
			l.strides[0] = recsize
			l.v.Storage.Layout = Records
		}
		l.v.Storage.Stored = l.v.Size()
	}
	for _, l := range layouts {
		if err := l.readPadding(numrecs, recsize); err != nil {
			return err
		}
	}
	f.root, f.HeaderFree = root, headerFree(h.at, layouts)
	f.Leftovers, err = leftovers(src, h.at, f.HeaderFree, classicEnd(h.at, numrecs, recsize, layouts))
	return err
}

// headerFree returns the free bytes between the header, which ends at end, and the first element.
func headerFree(end int64, vars []*classicVar) int64 {
	if len(vars) == 0 {
		return 0
	}
	first := vars[0].begin
	for _, l := range vars {
		first = min(first, l.begin)
	}
	return max(0, first-end)
}

// readPadding reads the bytes that make the variable, or its first record, a multiple of four bytes long.
func (l *classicVar) readPadding(numrecs uint64, recsize int64) (err error) {
	n, at := -l.slice&3, l.begin+l.slice
	if n > 0 && at <= l.src.Size-n && (!l.record || numrecs > 0 && recsize > l.slice) {
		l.v.Padding, err = l.src.Bytes("padding of variable "+l.v.Name, at, n)
	}
	return err
}

// classicEnd is where the elements end, with their padding.
func classicEnd(header int64, numrecs uint64, recsize int64, vars []*classicVar) int64 {
	end := header
	for _, l := range vars {
		last := l.begin + (l.slice+3)&^3
		if l.record {
			if numrecs == 0 {
				continue
			}
			last = l.begin + int64(numrecs-1)*recsize + min((l.slice+3)&^3, recsize)
		}
		end = max(end, last)
	}
	return end
}

// Leftovers are bytes of a classic file that belong neither to its header nor to a variable. A
// writer left them when it made the header or the file shorter.
type Leftovers struct {
	Header []byte // the beginning of the HeaderFree bytes; all others are zeros
	Tail   []byte // the bytes after the elements, but for zeros at its end
	Zeros  int64  // the zeros at the end of the file
}

// maxLeftover bounds the bytes that are read in each place; longer leftovers are not in Leftovers.
const maxLeftover = 16 << 10

func leftovers(src wire.Source, header, free, end int64) (l Leftovers, err error) {
	read := func(at, n int64) ([]byte, error) {
		if n <= 0 || n > maxLeftover || at > src.Size-n {
			return nil, nil
		}
		b, err := src.Bytes("unused bytes", at, n)
		return bytes.TrimRight(b, "\x00"), err
	}
	if l.Header, err = read(header, free); err != nil {
		return l, err
	}
	tail := src.Size - end
	if l.Tail, err = read(end, tail); err == nil && tail > 0 && tail <= maxLeftover {
		l.Zeros = tail - int64(len(l.Tail))
	}
	return l, err
}

// classicVar reads the elements of one variable of a classic file.
type classicVar struct {
	src     wire.Source
	raw     *RawFile
	v       *Var
	begin   int64
	strides []int64 // bytes between neighbours on each axis
	slice   int64   // bytes of one record, of the whole for a fixed-size variable
	record  bool
}

// layOut computes slice and strides from the shape. The vsize field of the header is redundant, and
// cannot hold large sizes.
func (l *classicVar) layOut() error {
	dims := l.v.Dims
	l.record = len(dims) > 0 && dims[0].Unlimited
	l.strides = make([]int64, len(dims))
	size := uint64(l.v.Type.Size)
	for i := len(dims) - 1; i >= 0; i-- {
		l.strides[i] = int64(size)
		if i == 0 && l.record {
			break
		}
		if dims[i].Unlimited {
			return fmt.Errorf("record dimension %s as dimension %d: it may only come first", dims[i].Name, i)
		}
		var ok bool
		if size, ok = wire.Mul(size, dims[i].Len); !ok {
			return errors.New("size of more than 2^63 bytes")
		}
	}
	l.slice = int64(size)
	if l.slice > math.MaxInt64-l.begin-3 {
		return errors.New("size of more than 2^63 bytes")
	}
	return nil
}

// recordSize returns the bytes from one record to the next. They are the slices of all record
// variables, each padded to four bytes. A single record variable is not padded.
func recordSize(vars []*classicVar) (int64, error) {
	var sum int64
	var first *classicVar
	for _, l := range vars {
		if !l.record {
			continue
		}
		if first == nil {
			first = l
		}
		padded := (l.slice + 3) &^ 3
		if padded > math.MaxInt64-sum {
			return 0, wire.Errorf("record variables", -1, "records of more than 2^63 bytes")
		}
		sum += padded
	}
	if first != nil && sum == (first.slice+3)&^3 {
		return first.slice, nil
	}
	return sum, nil
}

// streamedRecords counts the records of a file whose writer left their number open. It counts
// records that the file holds entirely, without the padding of the last.
func streamedRecords(size, recsize int64, vars []*classicVar) uint64 {
	first, last := int64(math.MaxInt64), int64(0)
	for _, l := range vars {
		if l.record && l.slice > 0 {
			first = min(first, l.begin)
			last = max(last, l.begin+l.slice)
		}
	}
	if recsize == 0 || last > size {
		return 0
	}
	return uint64((size-last)/recsize) + 1
}

func checkRecords(numrecs uint64, recsize int64) error {
	if total, ok := wire.Mul(numrecs, uint64(recsize)); !ok || total > math.MaxInt64/2 {
		return wire.Errorf("number of records", 4, "%d records of %d bytes", numrecs, recsize)
	}
	return nil
}

func (l *classicVar) read(ctx context.Context, dst []byte, start, count []uint64) error {
	r := l.region(start, count)
	return r.Read(ctx, dst, func(b []byte) { wire.Swap(b, l.v.Type.Size) })
}

func (l *classicVar) region(start, count []uint64) slab.Region {
	r := slab.Region{
		Source: l.src, What: "elements", Offset: l.begin,
		Strides: l.strides, Count: count, Size: l.v.Type.Size,
	}
	for i, s := range start {
		r.Offset += int64(s) * l.strides[i]
	}
	return r
}

// checkSize reports a box that reaches beyond the end of the file.
func (l *classicVar) checkSize(_ int64, start, count []uint64) error {
	r := l.region(start, count)
	return l.src.Check(r.What, r.Offset, r.Span())
}

func (l *classicVar) readVlen(context.Context, []uint64, []uint64) ([][]byte, error) {
	return nil, wire.Unsupported("elements", -1, "variable-length data in a classic file")
}
