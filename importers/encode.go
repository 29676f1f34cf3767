package importers

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Base composes base[i] of the field.
func (f *Field) Base() (map[string]any, error) {
	base, err := mapping.Base(f.Name, f.Attrs, f.Extras, f.Namespaces...)
	if err != nil {
		return nil, err
	}
	if len(f.Dims) > 0 {
		base[mapping.KeyDims] = f.Dims
	}
	return base, nil
}

// GeometryCBOR returns the CBOR of the geometry of the field.
func (f *Field) GeometryCBOR(geometry any) ([]byte, error) {
	if f.CodedGeometry != nil {
		return f.CodedGeometry()
	}
	return mapping.MarshalCBOR(geometry)
}

// encode reads the values of f and stores them as e says. Large ones wait in temporary files in a
// folder.
func (f *Field) encode(ctx context.Context, e *Encoding, scratch *Scratch, folder string) (*tgm.EncodedObject, error) {
	shape, n, err := f.size()
	if err != nil {
		return nil, err
	}
	if e.Encoding == "" || e.Encoding == EncodingSource {
		if obj, err := f.encodeFrame(ctx, shape, n); obj != nil || err != nil {
			return obj, err
		}
		if obj, err := f.encodeQuantised(ctx, e, shape, scratch); obj != nil || err != nil {
			return obj, err
		}
		if obj, err := f.encodeStored(ctx, e, shape, n, scratch, folder); obj != nil || err != nil {
			return obj, err
		}
	}
	if obj, err := f.encodePieces(ctx, e, shape, n, scratch, folder); obj != nil || err != nil {
		return obj, err
	}
	if err := e.work.take(n, f.DType.Size()); err != nil {
		return nil, err
	}
	if scratch.room != nil {
		if err := scratch.room(ctx, int64(n)*int64(f.DType.Size())); err != nil {
			return nil, err
		}
	}
	widen := e.Encoding == EncodingSimplePacking && f.DType == tgm.Float32
	if widen {
		scratch.reserve(8 * n)
	}
	a, err := f.whole(ctx, AsValues, shape, n, scratch)
	if err != nil {
		return nil, err
	}
	f.noteMixed(Mixed(f.DType, a.Data))
	switch e.Encoding {
	case "", EncodingSource:
		return f.encodeSource(a, e, n)
	case EncodingSimplePacking:
		if widen {
			a.Data, a.DType = widenFloat32(a.Data), tgm.Float64
		}
		if a.DType != tgm.Float64 {
			f.Notes = append(f.Notes, fmt.Sprintf("%s values are stored without simple_packing, which is for floating point", f.DType))
			return tgm.EncodeArray(a, e.unpacked())
		}
	}
	p := e.elements(a.DType)
	if s, ok := tgm.StageNamed(tgm.CompressionStage, p.Compression); ok && s.Lossy && s.Takes(a.DType) != nil {
		f.Notes = append(f.Notes, fmt.Sprintf("%s values are stored without %s, which is for float64", a.DType, s.Name))
		p.Compression, p.Params = "", nil
	}
	return tgm.EncodeArray(a, p)
}

// exactIntegers is the reason why integers are stored without a lossy encoding.
const exactIntegers = "integers"

// keptBy returns why e, which would change the values of f, is not used for them; empty if it is.
func (f *Field) keptBy(e *Encoding) string {
	switch {
	case !e.lossy():
		return ""
	case f.Exact == "" && f.DType.IsInteger():
		return exactIntegers
	}
	return f.Exact
}

// lossy reports whether values change by the encoding.
func (e *Encoding) lossy() bool {
	s, ok := tgm.StageNamed(tgm.CompressionStage, e.Compression)
	return e.Encoding == EncodingSimplePacking || ok && s.Lossy
}

// exact is an encoding for values that e would change.
func (e *Encoding) exact() *Encoding {
	return &Encoding{Encoding: EncodingSource, Masks: e.Masks, RejectNaN: e.RejectNaN, RejectInf: e.RejectInf, work: e.work}
}

// elements is the pipeline of elements of a type. szip takes samples of up to 32 bits: of wider
// ones it gets the bytes, shuffled, unless the filter is chosen.
func (e *Encoding) elements(t tgm.DType) tgm.Pipeline {
	p := e.pipeline()
	if p.Compression == "szip" && p.Encoding == "" && p.Filter == "" && t.Size() > 4 {
		p.Filter = "shuffle"
	}
	return p
}

// sourcePipeline is the pipeline of n elements that are stored as the source does.
func (f *Field) sourcePipeline(e *Encoding, n int) tgm.Pipeline {
	if f.Compressed && n > 0 {
		return e.compressed()
	}
	return e.plain()
}

// encodeFrame moves the elements as the source has compressed them, without decoding them; nil if what an object would
// hold is something else. Of small arrays the shortest form is looked for.
func (f *Field) encodeFrame(ctx context.Context, shape []uint64, n int) (*tgm.EncodedObject, error) {
	size := n * f.DType.Size()
	if !f.Compressed || !f.DType.IsInteger() || size <= smallArray || f.Values.Info(AsStored) != nil {
		return nil, nil
	}
	frame, level, err := f.Values.Frame(ctx)
	if err != nil || frame == nil || !compress.IsZstdFrame(frame, size) {
		return nil, err
	}
	return tgm.EncodedFrom(tgm.Descriptor{
		Type: tensorType, Shape: shape, Strides: nd.Strides(shape, uint64(1)), DType: f.DType,
		Encoding: EncodingNone, Filter: "none", Compression: "zstd", Params: map[string]any{"zstd_level": int64(level)},
	}, frame)
}

// tensorType is the type of objects that are arrays.
const tensorType = "ntensor"

// encodeStored stores the numbers that the source has, nil if these are the values.
func (f *Field) encodeStored(ctx context.Context, e *Encoding, shape []uint64, n int, scratch *Scratch, folder string) (*tgm.EncodedObject, error) {
	if f.Values.Info(AsStored) == nil {
		return nil, nil
	}
	if obj, err := f.inPieces(ctx, AsStored, shape, n, f.sourcePipeline(e, n), e.work, scratch, folder); obj != nil || err != nil {
		return obj, err
	}
	a, err := f.whole(ctx, AsStored, shape, n, scratch)
	if err != nil {
		return nil, err
	}
	return f.encodeSource(a, e, n)
}

// whole reads n elements in a form.
func (f *Field) whole(ctx context.Context, form Form, shape []uint64, n int, scratch *Scratch) (tgm.Array, error) {
	info := f.Values.Info(form)
	e, err := f.Values.Read(ctx, form, info.Whole(), scratch)
	if want := n * info.DType.Size(); err == nil && len(e.Data) != want {
		err = fmt.Errorf("%d bytes of values read, expected %d for shape %v of %s", len(e.Data), want, f.Shape, info.DType)
	}
	return tgm.Array{Shape: shape, DType: info.DType, Data: e.Data, Missing: e.Missing, Disposable: true}, err
}

// smallArray is the size up to which arrays are tried without compression: for larger ones the text about
// compression in a descriptor does not matter.
const smallArray = 4096

// encodeSource stores n elements as the source does.
func (f *Field) encodeSource(a tgm.Array, e *Encoding, n int) (*tgm.EncodedObject, error) {
	p := f.sourcePipeline(e, n)
	switch {
	case p.Compression == "":
		return tgm.EncodeArray(a, p)
	case f.Shorter && len(a.Data) <= smallArray:
		return shorter(a, p, e.plain())
	}
	if p.Level == 0 && len(a.Data) <= weighedArray {
		if stored := f.storedBytes(); stored > 0 {
			return weighed(a, p, stored)
		}
	}
	return tgm.EncodeArray(a, p)
}

// Arrays up to weighedArray are compressed again with weighedLevel, which takes about as long as
// the first time twice.
const (
	weighedArray = 1 << 20
	weighedLevel = 7
)

// weighed stores an array with more effort if it would take more bytes than its source does.
func weighed(a tgm.Array, p tgm.Pipeline, stored int64) (*tgm.EncodedObject, error) {
	a.Disposable = false
	object, err := tgm.EncodeArray(a, p)
	if err != nil || object.Size() <= stored {
		return object, err
	}
	p.Level = weighedLevel
	return shorterThan(object, a, p)
}

// encodePieces stores the elements a piece at a time, nil if they are to be read at once.
func (f *Field) encodePieces(ctx context.Context, e *Encoding, shape []uint64, n int, scratch *Scratch, folder string) (*tgm.EncodedObject, error) {
	switch e.Encoding {
	case "", EncodingSource:
		return f.inPieces(ctx, AsValues, shape, n, f.sourcePipeline(e, n), e.work, scratch, folder)
	case EncodingNone:
		return f.inPieces(ctx, AsValues, shape, n, e.elements(f.DType), e.work, scratch, folder)
	}
	return nil, nil
}

// inPieces is encodePieces for a pipeline, of the elements in a form.
func (f *Field) inPieces(ctx context.Context, form Form, shape []uint64, n int, p tgm.Pipeline, work *Work, scratch *Scratch, folder string) (*tgm.EncodedObject, error) {
	info := f.Values.Info(form)
	size := n * info.DType.Size()
	rows := info.Rows(1)
	if !p.TakesPieces() || size < tgm.PiecesBytes || (array.Region{Count: rows}).Elements() > uint64(n/4) {
		return nil, nil
	}
	if info.Fits != nil {
		if err := info.Fits(uint64(size)); err != nil {
			return nil, err
		}
	}
	mixed := 0
	defer func() { f.noteMixed(mixed) }()
	return tgm.EncodePieces(shape, info.DType, func(yield func(tgm.Piece, error) bool) {
		for r := range array.Regions(info.Shape, rows) {
			var e Elements
			err := work.spend(int64(r.Elements()) * int64(info.DType.Size()))
			if err == nil {
				e, err = f.Values.Read(ctx, form, r, scratch)
			}
			if err == nil {
				mixed += Mixed(info.DType, e.Data)
				err = ctx.Err()
			}
			if !yield(tgm.Piece{Data: e.Data, Missing: e.Missing}, err) || err != nil {
				return
			}
		}
	}, p, folder)
}

// unpacked is the pipeline of a field that simple_packing cannot hold; szip needs its integers.
func (e *Encoding) unpacked() tgm.Pipeline {
	p := e.pipeline()
	p.Encoding, p.Bits = "", 0
	if p.Compression == "szip" {
		p.Compression = ""
	}
	return p
}

// size is the shape as messages have it and the number of elements.
func (f *Field) size() ([]uint64, int, error) { return shapeOf(f.Shape, f.DType.Size()) }

func shapeOf(axes []int, elementSize int) ([]uint64, int, error) {
	shape := make([]uint64, len(axes))
	n := 1
	for i, d := range axes {
		if d < 0 || d > 0 && n > math.MaxInt/max(elementSize, 1)/d {
			return nil, 0, fmt.Errorf("shape %v has more elements of %d bytes than memory can address", axes, elementSize)
		}
		shape[i] = uint64(d)
		n *= d
	}
	return shape, n, nil
}

// encode computes a coordinate and stores it.
func (c *Coord) encode(e *Encoding) (*tgm.EncodedObject, error) {
	shape, n, err := shapeOf(c.Shape, 8)
	if err != nil {
		return nil, err
	}
	values, err := c.Values()
	if err != nil {
		return nil, err
	}
	if len(values) != n {
		return nil, fmt.Errorf("%d values for shape %v", len(values), c.Shape)
	}
	data := make([]byte, 0, 8*n)
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	p := e.compressed()
	p.AllowNaN, p.AllowInf = true, true // points of a space view that miss the earth
	a := tgm.Array{Shape: shape, DType: tgm.Float64, Data: data}
	if c.Axis {
		return tgm.EncodeArray(a, p)
	}
	return smallest(a, p)
}

// coordinateLevel is the level of zstd for the coordinates of points, which are written once.
const coordinateLevel = 19

// smallest stores coordinates of points with or without shuffle, whichever takes fewer bytes: rows
// that repeat are shorter without.
func smallest(a tgm.Array, p tgm.Pipeline) (*tgm.EncodedObject, error) {
	p.Level = max(p.Level, coordinateLevel)
	plain := p
	plain.Filter = ""
	return shorter(a, p, plain)
}

// shorter stores an array in the shorter of two ways.
func shorter(a tgm.Array, p, q tgm.Pipeline) (*tgm.EncodedObject, error) {
	a.Disposable = false
	best, err := tgm.EncodeArray(a, p)
	if err != nil {
		return nil, err
	}
	return shorterThan(best, a, q)
}

// shorterThan stores an array in another way than best, if that takes fewer bytes.
func shorterThan(best *tgm.EncodedObject, a tgm.Array, q tgm.Pipeline) (*tgm.EncodedObject, error) {
	other, err := tgm.EncodeArray(a, q)
	if err != nil {
		best.Release()
		return nil, err
	}
	if other.Size() < best.Size() {
		best, other = other, best
	}
	other.Release()
	return best, nil
}

// Base is base[i] of a coordinate: enough for a reader to recognise it and to find the fields
// it belongs to.
func (c *Coord) Base() map[string]any {
	entry := map[string]any{mapping.KeyName: c.Name, mapping.KeyDims: c.Dims}
	maps.Copy(entry, c.Extras)
	for key, text := range map[string]string{mapping.KeyUnits: c.Units, mapping.KeyStandardName: c.StandardName} {
		if text != "" {
			entry[key] = text
		}
	}
	return entry
}

// widenFloat32 makes float64 of float32, in the same memory if that has the capacity. It begins
// with the last, so that none is overwritten before it is read.
func widenFloat32(data []byte) []byte {
	n := len(data) / 4
	out := data[:min(cap(data), 8*n)]
	if len(out) < 8*n {
		out = make([]byte, 8*n)
	}
	for i := n - 1; i >= 0; i-- {
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(v))
	}
	return out
}
