package archive

import (
	"context"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/narrow"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// rowBytes is about the least that is decoded of a field read in parts, as for objects of Tensogram files.
const rowBytes = 64 << 10

// valueIndexes are the indexes of GRIB fields that were made while the archive is open. They have the
// form that is stored, which takes little memory, and are empty for fields that have none.
type valueIndexes struct {
	mu    sync.Mutex
	byRef map[int][]byte
	asked map[int]bool // fields whose points were picked without an index
}

// of returns the index of a field; false if none was made.
func (v *valueIndexes) of(ref int) ([]byte, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b, ok := v.byRef[ref]
	return b, ok
}

func (v *valueIndexes) set(ref int, b []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.byRef == nil {
		v.byRef = make(map[int][]byte)
	}
	v.byRef[ref] = b
}

// again reports whether points of a field were asked for before.
func (v *valueIndexes) again(ref int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked[ref] {
		return true
	}
	if v.asked == nil {
		v.asked = make(map[int]bool)
	}
	v.asked[ref] = true
	return false
}

// knownIndex returns the index of the values of a field, nil if there is none. It reports false if that is not
// known yet.
func (a *Archive) knownIndex(ref int) (*grib.ValueIndex, bool, error) {
	stored, ok := a.indexes.of(ref)
	if !ok {
		if stored = a.Catalog.ValueIndex(ref); stored == nil {
			return nil, false, nil
		}
	}
	if len(stored) == 0 {
		return nil, true, nil
	}
	x, err := grib.ParseValueIndex(stored)
	return x, true, err
}

// valueIndex returns the index of the values of a GRIB field, nil if it has none. It reads the message
// if that is not known yet.
func (a *Archive) valueIndex(ctx context.Context, ref int) (*grib.ValueIndex, error) {
	x, known, err := a.knownIndex(ref)
	if known || err != nil {
		return x, err
	}
	stored := []byte{}
	err = a.readValues(ctx, ref, true, func(f *importers.Field, _ *importers.Scratch) (err error) {
		if x, err = fromgrib.ValueIndex(f); x != nil && err == nil {
			stored, err = x.AppendBinary(stored)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	a.indexes.set(ref, stored)
	return x, nil
}

// withMessage calls read with the bytes of the message of a field.
func (a *Archive) withMessage(ctx context.Context, ref int, read func(message io.ReaderAt) error) error {
	return a.readChecked(ctx, ref, func(e *catalog.Entry) error {
		part, _ := e.Part()
		file, err := a.files.Acquire(storage.Sparse(ctx), e.File)
		if err != nil {
			return err
		}
		defer file.Release()
		return read(io.NewSectionReader(file, part.Offset, part.Length))
	})
}

// inParts reports whether the field may be read in parts.
func (f *fieldArray) inParts() bool {
	e := f.a.Catalog.Entry(f.ref)
	return !e.Coordinate && (f.form == importers.AsValues || f.form == importers.AsSingle) && f.a.formatOf(&e) == importers.FormatGRIB
}

// index returns the index of the values; nil if there is none, or it is not of the array.
func (f *fieldArray) index(ctx context.Context) (*grib.ValueIndex, error) {
	x, err := f.a.valueIndex(ctx, f.ref)
	if err != nil || x == nil || uint64(x.Points()) != f.info.Whole().Elements() {
		return nil, err
	}
	return x, nil
}

// readPart reads a region of a field whose parts can be read. It reports false if there is no way to do
// so.
func (f *fieldArray) readPart(ctx context.Context, r array.Region, dst []byte) (bool, error) {
	if !f.inParts() {
		return false, nil
	}
	if _, known, _ := f.a.knownIndex(f.ref); !known && r.Elements() > f.info.Whole().Elements()/2 {
		return false, nil // it takes less work than the index
	}
	x, err := f.index(ctx)
	if x == nil || err != nil {
		return false, err
	}
	return true, f.a.withMessage(ctx, f.ref, func(message io.ReaderAt) error { return f.readRows(x, message, r, dst) })
}

// decodedAtOnce is the number of points near each other that are decoded at once.
const decodedAtOnce = 1 << 16

// readRows reads a region. Rows near each other are decoded together with the values between them.
func (f *fieldArray) readRows(x *grib.ValueIndex, message io.ReaderAt, r array.Region, dst []byte) error {
	rank := len(f.info.Shape)
	if rank == 0 || len(dst) == 0 {
		return nil
	}
	width := r.Count[rank-1]
	var starts []uint64 // of rows
	for row := range nd.Within(r.Start[:rank-1], r.Count[:rank-1]) {
		starts = append(starts, nd.Number(row, f.info.Shape[:rank-1])*f.info.Shape[rank-1]+r.Start[rank-1])
	}
	buffer := decodedRows.Get().(*[]float64)
	defer decodedRows.Put(buffer)
	size := f.info.DType.Size()
	for len(starts) > 0 {
		n, end := 1, starts[0]+width
		for n < len(starts) && starts[n]-end <= uint64(x.Near()) && starts[n]+width-starts[0] <= max(decodedAtOnce, width) {
			end = starts[n] + width
			n++
		}
		if n := int(end - starts[0]); cap(*buffer) < n {
			*buffer = make([]float64, n)
		}
		values := (*buffer)[:end-starts[0]]
		if err := x.Read(message, values, starts[0]); err != nil {
			return f.a.Located(f.ref, err)
		}
		for _, s := range starts[:n] {
			row := values[s-starts[0]:][:width]
			narrow.Put(dst[:len(row)*size], row, f.info.DType == tgm.Float32)
			dst = dst[len(row)*size:]
		}
		starts = starts[n:]
	}
	return nil
}

// decodedRows is memory that is used again by one region after the other.
var decodedRows = sync.Pool{New: func() any { return new([]float64) }}

// pickPart reads single points by the index of a field, if one is known. It makes the index if points
// of the field were asked for before. It reports false if that is no way to read them.
func (f *fieldArray) pickPart(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	if _, known, _ := f.a.knownIndex(f.ref); !known && !f.a.keepsIndex() && !f.a.indexes.again(f.ref) {
		return false, nil
	}
	x, err := f.index(ctx)
	if x == nil || err != nil {
		return false, err
	}
	values := make([]float64, len(at))
	err = f.a.withMessage(ctx, f.ref, func(message io.ReaderAt) error { return x.Pick(message, values, at) })
	narrow.Put(dst, values, f.info.DType == tgm.Float32)
	return true, f.a.Located(f.ref, err)
}

func (a *Archive) indexValues(ctx context.Context) (fields int, err error) {
	var refs []int
	for ref, e := range a.Catalog.All() {
		switch {
		case e.Coordinate || a.formatOf(&e) != importers.FormatGRIB:
		case a.extends && a.same[e.File]: // the catalogue has them
			if len(a.Catalog.ValueIndex(ref)) > 0 {
				fields++
			}
		default:
			refs = append(refs, ref)
		}
	}
	errs := make([]error, len(refs))
	parallel.Each(len(refs), func(i int) {
		if errs[i] = ctx.Err(); errs[i] == nil {
			_, errs[i] = a.valueIndex(ctx, refs[i])
		}
	})
	for i, ref := range refs {
		if errs[i] != nil {
			if ctx.Err() != nil {
				return fields, ctx.Err()
			}
			a.Bad = append(a.Bad, errs[i].Error())
			continue
		}
		if stored, ok := a.indexes.of(ref); ok && len(stored) > 0 {
			a.Catalog.SetValueIndex(ref, stored)
		}
		if len(a.Catalog.ValueIndex(ref)) > 0 {
			fields++
		}
	}
	return fields, nil
}
