package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/tgm"
)

// Bounds of fields that may be constant: the size of their values, and its ratio to the size of
// their message.
const (
	constantFloor     = 16 << 20
	constantExpansion = 64
)

// mayBeConstant reports whether a field has many more values than its GRIB message has bytes.
func mayBeConstant(e *catalog.Entry, p *importers.Part) bool {
	if p.Length == 0 || e.Coordinate || e.DType != tgm.Float64 {
		return false
	}
	size := uint64(8)
	for _, n := range e.Shape {
		if n == 0 || size > 1<<62/n {
			return false
		}
		size *= n
	}
	return size >= constantFloor && size/constantExpansion > uint64(p.Length)
}

// constant is an object of Tensogram with the single value of a constant GRIB field. It is nil if the field
// is none. Such an object takes no memory, and any part of it is read at once.
func (a *Archive) constant(ref int, e *catalog.Entry) (*tgm.Object, error) {
	part, ok := e.Part()
	if !ok || importers.Format(a.states[e.File].Format) != importers.FormatGRIB || !mayBeConstant(e, &part) {
		return nil, nil
	}
	ctx := context.Background() // of all who wait for it
	key := "constant " + placeOf(e)
	if _, known := a.varies.Load(key); known {
		return nil, nil
	}
	m, err := a.messages.Get(ctx, key, func() (*keptMessage, error) {
		var q *tgm.Packed
		err := a.readChecked(ctx, ref, func(*catalog.Entry) (err error) {
			q, err = a.quantised(ctx, &part)
			return err
		})
		if err != nil || q == nil || q.Params.Bits != 0 || q.Missing != nil {
			return nil, cmp.Or(err, errVaries)
		}
		q.Shape = slices.Clone(e.Shape)
		m, err := messageOf(q)
		if err != nil {
			return nil, err
		}
		return keepMessage(m)
	})
	if err != nil {
		if changed := a.check(e.File); changed != nil {
			return nil, changed
		}
		if errors.Is(err, errVaries) {
			a.varies.Store(key, true)
		}
		return nil, nil // the reader of the field meets the error again
	}
	return m.stored(0)
}

// errVaries is the reason why a field has no object, unless it cannot be read.
var errVaries = errors.New("the values are not all the same")

// quantised reads the integers of a field, nil if it has none.
func (a *Archive) quantised(ctx context.Context, part *importers.Part) (*tgm.Packed, error) {
	source := a.sources[importers.FormatGRIB]
	if source == nil {
		return nil, nil
	}
	for f, err := range source.Read(ctx, *part, nil) {
		if err != nil {
			return nil, err
		}
		return f.Values.Packed(ctx, new(importers.Scratch))
	}
	return nil, nil
}

// messageOf is a message in memory with the values of a constant field.
func messageOf(q *tgm.Packed) (*tgm.Message, error) {
	object, err := tgm.EncodePacked(*q, tgm.Pipeline{Compression: "none"})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	if err := w.Append(object, nil); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := tgm.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		return nil, err
	}
	return f.MessageAt(0, 0, int64(file.Len()))
}
