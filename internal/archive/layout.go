package archive

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtgm"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/lru"
)

// keptLayouts bounds the memory for layouts.
const keptLayouts = 64 << 20

func newLayouts() *lru.Cache[*importers.Layout] {
	const chunk, rest = 80, 500 // about the size of an index entry and a layout
	return lru.New(lru.Options[*importers.Layout]{Limit: keptLayouts, Cost: func(_ string, l *importers.Layout) int64 {
		return rest + chunk*l.Stretch
	}})
}

// Layout implements [dataset.Fields].
func (a *Archive) Layout(ctx context.Context, ref int) (*importers.Layout, error) {
	if parts := a.parts(ref); parts != nil {
		why := "its files have unequal numbers of records"
		if parts[0].Take != nil {
			why = "only a part of a stored chunk was chosen"
		}
		return nil, &importers.UnportableError{Why: why}
	}
	e := a.Catalog.Entry(ref)
	if a.isGone(ref) {
		return nil, &importers.UnportableError{Why: "its file is not there any more"}
	}
	if _, _, ok := e.MessageSpan(); ok {
		object, err := a.Object(ref)
		if err != nil {
			return nil, err
		}
		return fromtgm.Layout(object, e.File)
	}
	if e.Coordinate {
		return nil, &importers.UnportableError{Why: "it is made of labels"}
	}
	return a.layouts.Get(ctx, placeOf(&e), func() (*importers.Layout, error) {
		return a.fieldLayout(context.WithoutCancel(ctx), &e)
	})
}

// placeOf identifies a field of a source, though not a coordinate, in all files.
func placeOf(e *catalog.Entry) string {
	return fmt.Sprintf("%d %d %d %s", e.Message, e.Object, e.Record.Value, e.File)
}

// fieldLayout is the layout of a field of a source. Its bytes are read in the state in which the
// file was catalogued.
func (a *Archive) fieldLayout(ctx context.Context, e *catalog.Entry) (*importers.Layout, error) {
	if err := a.check(e.File); err != nil {
		return nil, err
	}
	if importers.Format(a.states[e.File].Format) == importers.FormatGRIB { // which are never laid out so
		return nil, &importers.UnportableError{Why: "only this program decodes it"}
	}
	part, _ := e.Part()
	source := a.sources[importers.Format(a.states[e.File].Format)]
	if source == nil {
		return nil, gone(e.Where())
	}
	for f, err := range source.Read(ctx, part, nil) {
		if err != nil {
			return nil, err
		}
		l, err := f.Values.Layout(ctx)
		if err != nil {
			return nil, located(e, err)
		}
		for _, f := range l.Files {
			f.ReaderAt = a.checkedFile(e.File, f)
		}
		if len(l.Files) == 0 {
			a.checkChunks(e.File, l)
		}
		return l, a.check(e.File)
	}
	return nil, gone(e.Where())
}

// checkChunks has each chunk of a layout read in the state in which its input was catalogued.
func (a *Archive) checkChunks(input string, l *importers.Layout) {
	extent := l.Extent
	l.Extent = func(index []uint64) (importers.Extent, bool, error) {
		e, ok, err := extent(index)
		if ok && err == nil {
			checked := *e.File
			checked.ReaderAt = &checkedChunk{e.File.ReaderAt, a, input}
			e.File = &checked
		}
		return e, ok, err
	}
}

// A checkedChunk reads a chunk of an input in the state in which that was catalogued, or fails.
type checkedChunk struct {
	io.ReaderAt
	a     *Archive
	input string
}

// ReadAt implements io.ReaderAt.
func (r *checkedChunk) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	if changed := r.a.check(r.input); changed != nil {
		return 0, changed
	}
	return n, err
}

// Alike implements [dataset.Fields]. The payload of an object is one chunk, so that objects of
// other shapes, as the last of files that follow one another may have, are not alike.
func (a *Archive) Alike(ctx context.Context, ref, other int) bool {
	if a.parts(ref) != nil || a.parts(other) != nil {
		return false
	}
	if a.isGone(ref) || a.isGone(other) {
		return true // no chunk shows it
	}
	d, e := a.Catalog.Entry(ref), a.Catalog.Entry(other)
	if d.Form != "" || e.Form != "" {
		return d.Form == e.Form && slices.Equal(d.Shape, e.Shape)
	}
	l, err := a.Layout(ctx, ref)
	if err != nil {
		return false
	}
	m, err := a.Layout(ctx, other)
	return err == nil && slices.Equal(l.Chunk, m.Chunk) && slices.Equal(l.Transforms, m.Transforms) &&
		l.BigEndian == m.BigEndian && l.DType == m.DType && l.Stored == m.Stored
}
