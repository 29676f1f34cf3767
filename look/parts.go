package look

import (
	"context"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// large returns the object that holds the field if its elements are read part by part, else nil.
// The hash of the object has been compared then.
func (f *Field) large() (*tgm.Object, error) {
	if len(f.at) > 0 || f.DType == tgm.BFloat16 || f.unpacks(f.DType) {
		return nil, nil
	}
	o, err := f.values.Object(f.ref)
	if o == nil || err != nil {
		return nil, f.InFile(err)
	}
	parts, err := o.InParts(tgm.DecodeOptions{})
	if !parts || err != nil {
		return nil, f.InFile(err)
	}
	return o, nil
}

// A Run is consecutive values of a field, missing ones as NaN. They are valid until the next ones.
type Run struct {
	First  uint64 // number of the first
	Values []float64
}

// Runs yields the values of a field, each time in the same order.
type Runs func() iter.Seq2[Run, error]

// Runs returns the values of a large variable as runs, so that it is never in memory as a whole; nil
// if the field is read with Values, which has the limits of objects.
func (f *Field) Runs(ctx context.Context) (Runs, error) {
	if !f.OfVariable() {
		return nil, nil
	}
	p, err := f.inParts(ctx)
	if p == nil || err != nil {
		return nil, err
	}
	return func() iter.Seq2[Run, error] { return p.runs(ctx) }, nil
}

// objectRuns yields the values of an object that is read part by part. They are valid until the
// next ones.
func (f *Field) objectRuns(ctx context.Context, o *tgm.Object) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		first := uint64(0)
		for a, err := range o.Blocks(tgm.DecodeOptions{SkipHash: true}) {
			if err == nil {
				err = ctx.Err()
			}
			var values []float64
			if err == nil {
				values, err = floatsOf(a)
			}
			if err == nil {
				f.fills.erase(values, a)
			}
			if !yield(Run{first, values}, f.InFile(err)) || err != nil {
				return
			}
			first += uint64(len(values))
		}
	}
}

// floatsOf is [Floats], in the memory of the array where it can be.
func floatsOf(a *tgm.Array) ([]float64, error) {
	if a.DType == tgm.Float64 {
		return tgm.Values[float64](a)
	}
	return Floats(a)
}

// Sizes in bytes: of the values of a field from which on it is read in parts, of a part, and of the
// values of the largest part.
const (
	wholeBytes = 128 << 20
	partBytes  = 4 << 20
	orderBytes = 128 << 20
)

// parts are the parts in which a large field is read.
type parts struct {
	field *Field
	array array.Array
	shape []uint64 // of a part
	// ordered says that the values of a part, and of the next one, follow each other.
	ordered bool
}

// inParts returns the parts of a large field whose blocks are read one by one, else nil.
func (f *Field) inParts(ctx context.Context) (*parts, error) {
	if n, fits := nd.Bytes(f.Shape, 8); f.DType == tgm.Bitmask || f.DType.Number() == nil || fits && n <= wholeBytes {
		return nil, nil
	}
	var a array.Array
	var err error
	if len(f.at) > 0 {
		a, err = f.slice(ctx)
	} else {
		a, err = f.values.Array(ctx, f.ref)
	}
	if err != nil {
		return nil, f.InFile(err)
	}
	info := a.Info()
	if slices.Equal(info.Block, array.WholeBlock(info.Shape)) || info.DType.Number() == nil {
		return nil, nil
	}
	p := &parts{field: f, array: a, ordered: true}
	if p.shape = info.Rows(partBytes); (array.Region{Count: p.shape}).Elements() > orderBytes/8 {
		p.shape, p.ordered = info.Box(partBytes), false
	}
	return p, nil
}

// runs yields the values, missing points as NaN. They are valid until the next ones.
func (p *parts) runs(ctx context.Context) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		info := p.array.Info()
		size := info.DType.Size()
		var data []byte
		var values []float64
		for r := range array.Regions(info.Shape, p.shape) {
			var err error
			if data, err = array.Read(ctx, p.array, r, data); err != nil {
				yield(Run{}, p.field.InFile(err))
				return
			}
			rest := data
			for at := range lines(info.Shape, r) {
				part := rest[:at.count*uint64(size)]
				rest = rest[len(part):]
				for first := at.first; len(part) > 0; first += uint64(len(values)) {
					n := min(len(part), convertedBytes/8*size)
					values = p.field.floats(values, part[:n], info.DType)
					part = part[n:]
					if !yield(Run{first, values}, nil) {
						return
					}
				}
			}
		}
	}
}

// around reads values that follow each other, of which one has a number.
func (p *parts) around(ctx context.Context, i uint64, buffer []byte) (first uint64, elements []byte, err error) {
	info, part := p.array.Info(), p.shape
	if !p.ordered {
		part = nd.Rows(info.Shape, uint64(info.DType.Size()), orderBytes/8*uint64(info.DType.Size()))
	}
	r := array.Region{Start: nd.Place(make([]uint64, len(part)), i, info.Shape), Count: make([]uint64, len(part))}
	for axis, n := range part {
		r.Start[axis] -= r.Start[axis] % n
		r.Count[axis] = min(n, info.Shape[axis]-r.Start[axis])
	}
	elements, err = array.Read(ctx, p.array, r, buffer)
	return nd.Number(r.Start, info.Shape), elements, p.field.InFile(err)
}

// convertedBytes is the size of the values that are made of elements at a time.
const convertedBytes = 512 << 10

// floats returns the values of elements, in the memory of the elements where it can be, else in the memory
// of the values before, which are of the same type.
func (f *Field) floats(before []float64, data []byte, t tgm.DType) []float64 {
	values, err := tgm.Values[float64](&tgm.Array{DType: t, Data: data})
	if err != nil {
		n := len(data) / t.Size()
		values = slices.Grow(before[:0], n)[:n]
		putNumbers(values, data, t)
	}
	if f.unpacks(t) {
		unpack(values, f.scaling)
	}
	f.fills.erase(values, &tgm.Array{DType: t, Data: data})
	return values
}

// A line is consecutive elements.
type line struct{ first, count uint64 }

// lines yields the lines that a region of an array has, in C order.
func lines(shape []uint64, r array.Region) iter.Seq[line] {
	axes, count := len(shape), uint64(1)
	for axes > 0 && (axes == len(shape) || r.Count[axes] == shape[axes]) {
		axes--
		count *= r.Count[axes]
	}
	return func(yield func(line) bool) {
		for at := range nd.Positions(r.Count[:axes]) {
			place := slices.Clone(r.Start)
			for i, n := range at {
				place[i] += n
			}
			if !yield(line{nd.Number(place, shape), count}) {
				return
			}
		}
	}
}
