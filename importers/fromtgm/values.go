package fromtgm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"weak"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// values reads the elements of an object.
type values struct {
	source  *Source
	part    importers.Part // where to find the object again
	info    array.Info
	checked atomic.Bool // the hash has been compared

	// last is the object that with found last. Offsets of szip make the descriptor of an object large, and
	// it is read piece by piece; but values do not keep their message in memory.
	last atomic.Pointer[found]
}

// found is an object of a message, kept while memory is not asked for.
type found struct {
	message weak.Pointer[message]
	object  weak.Pointer[tgm.Object]
}

// with calls use with the object.
func (v *values) with(ctx context.Context, use func(*tgm.Object) error) error {
	opened, err := v.source.files.Acquire(ctx, v.part.Input)
	if err != nil {
		return err
	}
	defer opened.Release()
	m, err := opened.Parsed.message(&v.part)
	if err != nil {
		return err
	}
	if f := v.last.Load(); f != nil && f.message.Value() == m {
		if o := f.object.Value(); o != nil {
			return use(o)
		}
	}
	o, err := m.Stored(v.part.Fields[0])
	if err != nil {
		return err
	}
	if !slices.Equal(o.Descriptor().Shape, v.info.Shape) {
		return errors.New("the file was opened again and has changed")
	}
	v.last.Store(&found{weak.Make(m), weak.Make(o)})
	return use(o)
}

// array is the object as an array, whose hash is compared once.
func (v *values) array(o *tgm.Object) array.Array {
	return o.Array(func() error {
		if v.checked.Load() {
			return nil
		}
		err := o.CheckHash()
		v.checked.Store(err == nil)
		return err
	})
}

// Info implements [importers.Values].
func (v *values) Info(form importers.Form) *array.Info {
	if form != importers.AsValues && form != importers.AsWritten {
		return nil
	}
	return &v.info
}

// Read implements [importers.Values]. Missing elements are NaN.
func (v *values) Read(ctx context.Context, _ importers.Form, r array.Region, scratch *importers.Scratch) (e importers.Elements, err error) {
	err = v.with(ctx, func(o *tgm.Object) (err error) {
		n, size := r.Elements(), uint64(v.info.DType.Size())
		if n > math.MaxInt/max(1, size) {
			return fmt.Errorf("%d elements of type %s, more than memory can address", n, v.info.DType)
		}
		if err := v.info.Fits(n * size); err != nil {
			return err
		}
		e.Data, err = array.Read(ctx, v.array(o), r, scratch.Data(int(n*size)))
		return err
	})
	return e, err
}

// Pick implements [importers.Values].
func (v *values) Pick(ctx context.Context, _ importers.Form, at []uint64, dst []byte, _ *importers.Scratch) (picked bool, err error) {
	err = v.with(ctx, func(o *tgm.Object) (err error) {
		picked, err = v.array(o).Pick(ctx, at, dst)
		return err
	})
	return picked, err
}

// Packed implements [importers.Values].
func (v *values) Packed(ctx context.Context, scratch *importers.Scratch) (q *tgm.Packed, err error) {
	err = v.with(ctx, func(o *tgm.Object) (err error) {
		if o.Descriptor().Encoding == "simple_packing" {
			q, err = o.PackedIn(scratch.Raw(int(o.PayloadLength())))
		}
		if errors.Is(err, tgm.ErrNotPacked) {
			return nil
		}
		return err
	})
	return q, err
}

// Layout implements [importers.Values].
func (v *values) Layout(ctx context.Context) (l *importers.Layout, err error) {
	err = v.with(ctx, func(o *tgm.Object) (err error) {
		l, err = Layout(o, v.part.Input)
		return err
	})
	return l, err
}

// Layout says where and how the elements of an object of the file at a location are stored: its payload
// is one chunk.
func Layout(o *tgm.Object, location string) (*importers.Layout, error) {
	d := o.Descriptor()
	file := &importers.File{Location: location}
	l := &importers.Layout{Files: []*importers.File{file}, DType: d.DType, BigEndian: d.ByteOrder == tgm.BigEndian, Chunk: array.WholeBlock(d.Shape)}
	var err error
	if l.Transforms, err = d.Transforms(); err != nil {
		return nil, &importers.UnportableError{Why: err.Error()}
	}
	if len(l.Transforms) == 0 {
		l.Chunk, l.Extent = importers.ContiguousLayout(file, d.Shape, d.DType.Size(), o.PayloadOffset())
		return l, nil
	}
	at := importers.Extent{File: file, Offset: o.PayloadOffset(), Length: o.PayloadLength()}
	l.Extent = func([]uint64) (importers.Extent, bool, error) { return at, true, nil }
	return l, nil
}

// Frame implements importers.Values.
func (*values) Frame(context.Context) ([]byte, int, error) { return nil, 0, nil }
