package ncwrite

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf"
)

// Null is the text that is written as a null pointer. A String variable of netCDF-4 can hold it
// beside the empty text.
const Null = "\x00"

// WriteStrings writes elements of a String variable; start and count are as in Write. The last axis
// of a Char variable is the length of the strings, as in netcdf.Var.ReadStrings: start and count
// include it, and each row of text is padded with zero bytes.
func (w *Writer) WriteStrings(ctx context.Context, v *Var, start, count []uint64, text []string) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	if v.Type.Class == netcdf.Char {
		data, err := pv.rows(w.plan.shape(pv), start, count, text)
		if err != nil {
			return pv.wrap(err)
		}
		return w.elements(ctx, pv, start, count, data)
	}
	return w.values(ctx, pv, start, count, text)
}

// rows returns text as characters.
func (v *variable) rows(shape, start, count []uint64, text []string) ([]byte, error) {
	width := 1
	if last := len(shape) - 1; last >= 0 {
		switch {
		case len(count) == len(shape):
			width = int(min(count[last], 1<<30))
		case len(start) == len(shape):
			width = int(shape[last] - min(start[last], shape[last]))
		default:
			width = int(shape[last])
		}
	}
	data := make([]byte, 0, width*len(text))
	for i, s := range text {
		if len(s) > width {
			return nil, fmt.Errorf("text %d of %d bytes, expected at most %d", i, len(s), width)
		}
		data = append(data, s...)
		data = append(data, make([]byte, width-len(s))...)
	}
	return data, nil
}

// WriteRagged writes elements of a Vlen variable, as netcdf.Var.ReadRagged returns them; start and
// count are as in Write.
func (w *Writer) WriteRagged(ctx context.Context, v *Var, start, count []uint64, data *netcdf.Ragged) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	if v.Type.Class != netcdf.Vlen || inHeap(v.Type.Base) {
		return pv.errorf("type %s is not written as sequences of bytes", describe(v.Type))
	}
	e := w.encoder()
	size := uint64(fileSize(v.Type.Base))
	values := data.Values
	var out []byte
	for i, n := range data.Counts {
		if n > uint64(len(values))/size {
			return pv.errorf("sequence %d of %d elements, %d left", i, n, uint64(len(values))/size)
		}
		if out, err = e.heap(out, int(n), values[:n*size]); err != nil {
			return pv.wrap(w.keep(err))
		}
		values = values[n*size:]
	}
	return w.elements(ctx, pv, start, count, out)
}

// Heap stores text, or the n elements of a sequence, in the heap of a netCDF-4 file. It returns the
// reference to them, to be put in the elements of a compound that WriteElements writes.
func (w *Writer) Heap(ctx context.Context, v *Var, n int, data []byte) ([]byte, error) {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return nil, err
	}
	ref, err := w.encoder().heap(nil, n, data)
	return ref, pv.wrap(w.keep(err))
}

// WriteElements writes elements of a compound as they are in the file. Fields are at their offsets,
// and text and sequences are the references that Heap returns. Otherwise it is like Write.
func (w *Writer) WriteElements(ctx context.Context, v *Var, start, count []uint64, data []byte) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	return w.elements(ctx, pv, start, count, data)
}

// WriteValues writes elements of any type, given as [netcdf.Attr].Value holds them: []int64,
// []netcdf.Record and so on. It is for compounds and sequences that hold text or sequences, and
// for small variables.
func (w *Writer) WriteValues(ctx context.Context, v *Var, start, count []uint64, values any) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	return w.values(ctx, pv, start, count, values)
}

func (w *Writer) values(ctx context.Context, v *variable, start, count []uint64, values any) error {
	data, err := w.encoder().list(nil, v.Type, values)
	if err != nil {
		return v.wrap(err)
	}
	return w.elements(ctx, v, start, count, data)
}

// encoder returns an encoder that stores text and sequences in the heap of the file, if it has a
// heap.
func (w *Writer) encoder() *encoder {
	if f, ok := w.format.(*nc4File); ok {
		return &encoder{put: f.put}
	}
	return &encoder{}
}

// WriteChunk writes a chunk that is already filtered, such as a chunk of another file. Its
// first element is at start. A bit of skipped is set for each filter that was not applied.
func (w *Writer) WriteChunk(ctx context.Context, v *Var, start []uint64, skipped uint32, stored []byte) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	c := pv.chunks()
	if c == nil {
		return pv.errorf("the variable has no chunks")
	}
	if err := w.checkChunk(pv, start, stored); err != nil {
		return err
	}
	return pv.wrap(w.keep(c.writeChunk(ctx, start, skipped, stored)))
}

func (w *Writer) checkChunk(v *variable, start []uint64, stored []byte) error {
	if inHeap(v.Type) {
		return v.errorf("chunks of type %s refer to other parts of their file", describe(v.Type))
	}
	if len(start) != len(v.dims) || len(stored) == 0 {
		return v.errorf("chunk of %d bytes at %d, for %d dimensions", len(stored), start, len(v.dims))
	}
	one := make([]uint64, len(start))
	for i, n := range w.plan.shape(v) {
		if one[i] = 1; start[i] >= n && !v.dims[i].unlimited || start[i] > maxIndex {
			return v.errorf("chunk at %d for dimensions of length %d", start, w.plan.shape(v))
		}
	}
	w.plan.grow(v, start, one)
	return nil
}
