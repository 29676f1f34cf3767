package tet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// An Array is an array in memory, the result of reading.
type Array struct {
	DType DType
	Shape []int64
	Data  []byte // elements in C order, little-endian
}

// Read reads a selection. It refuses a result larger than the memory budget with a [BudgetError].
// The memory of the result belongs to the caller, also if the file is mapped; for a slice of the
// mapped memory see [Plan.Slice].
func (d *Dataset) Read(ctx context.Context, sel Selection, o ReadOptions) (*Array, error) {
	p, err := d.Plan(sel)
	if err != nil {
		return nil, err
	}
	return p.Read(ctx, o)
}

// Read reads the selection of the plan, see [Dataset.Read].
func (p *Plan) Read(ctx context.Context, o ReadOptions) (*Array, error) {
	if err := p.Check(o.Budget); err != nil {
		return nil, err
	}
	dst := make([]byte, p.bytes)
	if err := p.ReadInto(ctx, dst, o); err != nil {
		return nil, err
	}
	return &Array{p.d.DType, p.Shape(), dst}, nil
}

// ReadInto reads the selection of the plan into dst, which has [Plan.Bytes] bytes. A caller that
// allocates dst calls [Plan.Check] before.
func (p *Plan) ReadInto(ctx context.Context, dst []byte, o ReadOptions) error {
	if int64(len(dst)) != p.bytes {
		return &SelectionError{p.d.Name, -1, fmt.Sprintf("room for %d bytes, expected %d", len(dst), p.bytes)}
	}
	workers, pool := p.workers(o)
	work := func(batch []piece) (struct{}, error) {
		s := pool.Get().(*scratch)
		defer pool.Put(s)
		for _, c := range batch {
			if err := p.d.chunkError(c.chunk, p.readPiece(dst, c, s)); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	}
	cells := nd.Strides(p.shape, p.d.grid.elem)
	return inOrder(ctx, p.batches(cells), workers, work, func(struct{}) error { return nil })
}

// readPiece reads a region into its place.
func (p *Plan) readPiece(dst []byte, c piece, s *scratch) error {
	elem := p.d.grid.elem
	n := c.bytes(elem)
	if c.isRun(elem) {
		place := dst[c.cell : c.cell+n : c.cell+n]
		switch {
		case c.chunk.Codec == Raw:
			return p.d.file.layout.fill(place, c.chunk.Offset+c.src)
		case n == c.chunk.Raw && c.chunk.Stored <= storedBound(n):
			_, err := p.d.decode(place[:0], c.chunk, s)
			return err
		}
	}
	return p.d.payload(c.chunk, s, func(f fetcher) error {
		return c.walk(f, elem, func(b Block) error {
			b.copyTo(dst, elem)
			return nil
		})
	})
}

// Float64s returns the elements as float64. Integers above 2^53 are rounded.
func (a *Array) Float64s() []float64 {
	return appendFloat64s(make([]float64, 0, int64(len(a.Data))/a.DType.Size()), a.Data, a.DType)
}

// runLength is the number of values that EachRun converts at a time.
const runLength = 4096

// EachRun converts the elements of a block to float64 and calls visit with them in order, in runs.
// The element values[i] belongs to cell + i*stride. The values are valid for the call. Integers
// above 2^53 are rounded.
func (b Block) EachRun(t DType, visit func(values []float64, cell, stride int64)) {
	values := make([]float64, 0, runLength)
	eachRun(b.Data, b.Axes, b.Cell, t, values, visit)
}

func eachRun(data []byte, axes []BlockAxis, cell int64, t DType, values []float64, visit func([]float64, int64, int64)) {
	elem := t.Size()
	if len(axes) > 1 {
		for i := range axes[0].N {
			eachRun(data[i*axes[0].Stride:], axes[1:], cell+i*axes[0].Cell, t, values, visit)
		}
		return
	}
	a := BlockAxis{1, elem, 0}
	if len(axes) == 1 {
		a = axes[0]
	}
	for i := int64(0); i < a.N; i += runLength {
		n := min(runLength, a.N-i)
		values = values[:0]
		if a.Stride == elem {
			values = appendFloat64s(values, data[i*elem:(i+n)*elem], t)
		} else {
			for j := i; j < i+n; j++ {
				values = appendFloat64s(values, data[j*a.Stride:j*a.Stride+elem], t)
			}
		}
		visit(values, cell+i*a.Cell, a.Cell)
	}
}

// appendFloat64s appends the elements of data.
func appendFloat64s(dst []float64, data []byte, t DType) []float64 {
	le := binary.LittleEndian
	switch t {
	case Float32:
		dst, out := extend(dst, len(data)/4)
		for i := range out {
			out[i] = float64(math.Float32frombits(le.Uint32(data[4*i : 4*i+4])))
		}
		return dst
	case Float64:
		dst, out := extend(dst, len(data)/8)
		for i := range out {
			out[i] = math.Float64frombits(le.Uint64(data[8*i : 8*i+8]))
		}
		return dst
	case Int32:
		return appendEach(dst, data, 4, func(b []byte) float64 { return float64(int32(le.Uint32(b))) })
	case Int64:
		return appendEach(dst, data, 8, func(b []byte) float64 { return float64(int64(le.Uint64(b))) })
	case Uint8:
		return appendEach(dst, data, 1, func(b []byte) float64 { return float64(b[0]) })
	case Uint16:
		return appendEach(dst, data, 2, func(b []byte) float64 { return float64(le.Uint16(b)) })
	case Int16:
		return appendEach(dst, data, 2, func(b []byte) float64 { return float64(int16(le.Uint16(b))) })
	case Uint32:
		return appendEach(dst, data, 4, func(b []byte) float64 { return float64(le.Uint32(b)) })
	case Uint64:
		return appendEach(dst, data, 8, func(b []byte) float64 { return float64(le.Uint64(b)) })
	default:
		return appendEach(dst, data, 2, func(b []byte) float64 { return half.Float64(le.Uint16(b)) })
	}
}

// extend makes room for n more values, out.
func extend(dst []float64, n int) (all, out []float64) {
	all = slices.Grow(dst, n)[:len(dst)+n]
	return all, all[len(dst):]
}

func appendEach(dst []float64, data []byte, size int, value func([]byte) float64) []float64 {
	for ; len(data) >= size; data = data[size:] {
		dst = append(dst, value(data))
	}
	return dst
}
