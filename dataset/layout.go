package dataset

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/tgm"
)

// A LayoutSource is [Fields] that know how values lie in their files.
type LayoutSource interface {
	// Layout says how the values of an object lie in its file. Reader is nil for objects of
	// Tensogram files, see [ObjectSource]. The error is an [*importers.UnportableError] if other
	// programs cannot decode the values.
	Layout(ctx context.Context, ref int) (*importers.Layout, error)
	// Alike reports whether the layouts of two objects differ in nothing but places, and both have
	// one.
	Alike(ctx context.Context, a, b int) bool
}

// keptLayouts bounds the memory for layouts.
const keptLayouts = 64 << 20

func newLayouts() *lru.Cache[*importers.Layout] {
	const chunk, rest = 64, 500 // about what an index entry and a layout take
	return lru.New(lru.Options[*importers.Layout]{Limit: keptLayouts, Cost: func(_ string, l *importers.Layout) int64 {
		return rest + chunk*l.Stretch
	}})
}

// Layout implements [LayoutSource].
func (c *Collection) Layout(ctx context.Context, ref int) (*importers.Layout, error) {
	if p := c.places[ref]; p.file >= 0 {
		return c.objectLayout(ref, c.files[p.file].name)
	}
	return c.layouts.Get(ctx, strconv.Itoa(ref), func() (*importers.Layout, error) {
		return c.fieldLayout(context.WithoutCancel(ctx), c.places[ref])
	})
}

// objectLayout is the layout of an object of a Tensogram file: its payload is one chunk.
func (c *Collection) objectLayout(ref int, input string) (*importers.Layout, error) {
	object, err := c.Object(ref)
	if err != nil {
		return nil, err
	}
	d := object.Descriptor()
	l := &importers.Layout{Input: input, DType: d.DType, BigEndian: d.ByteOrder == tgm.BigEndian, Chunk: wholeChunk(d.Shape)}
	if l.Transforms, err = d.Transforms(); err != nil {
		return nil, &importers.UnportableError{Why: err.Error()}
	}
	if len(l.Transforms) == 0 {
		l.Chunk, l.Extent = importers.ContiguousLayout(d.Shape, d.DType.Size(), object.PayloadOffset())
		return l, nil
	}
	at := importers.Extent{Offset: object.PayloadOffset(), Length: object.PayloadLength()}
	l.Extent = func([]uint64) (importers.Extent, bool) { return at, true }
	return l, nil
}

// fieldLayout is the layout of a field of a source.
func (c *Collection) fieldLayout(ctx context.Context, p place) (*importers.Layout, error) {
	if p.file == coordOfSource {
		return nil, &importers.UnportableError{Why: "it is made of labels"}
	}
	part := c.parts[p.message]
	number := int(p.object)
	for f, err := range c.sources[part.Source].Read(ctx, part, nil) {
		if err != nil {
			return nil, err
		}
		if number--; number >= 0 {
			continue
		}
		laid, ok := f.Values.(importers.Laid)
		if !ok {
			return nil, &importers.UnportableError{Why: "only this program decodes it"}
		}
		return laid.Layout(ctx)
	}
	return nil, fmt.Errorf("dataset: %s: field %d is not there any more", part.Where(), p.object)
}

// Alike implements [LayoutSource].
func (c *Collection) Alike(ctx context.Context, a, b int) bool {
	p, q := c.places[a], c.places[b]
	if p.file >= 0 && q.file >= 0 {
		return p.form == q.form
	}
	if p.file >= 0 || q.file >= 0 {
		return false
	}
	l, err := c.Layout(ctx, a)
	if err != nil {
		return false
	}
	m, err := c.Layout(ctx, b)
	return err == nil && slices.Equal(l.Chunk, m.Chunk) && slices.Equal(l.Transforms, m.Transforms) &&
		l.BigEndian == m.BigEndian && l.DType == m.DType && l.Stored == m.Stored
}

// formOf numbers the ways in which objects of Tensogram files are stored.
func (c *Collection) formOf(d *tgm.Descriptor) int32 {
	transforms, err := d.Transforms()
	for i := range transforms {
		transforms[i].Level = 0 // a reader does not need it
	}
	text := fmt.Sprint(transforms, err, d.DType, d.ByteOrder)
	number, ok := c.forms[text]
	if !ok {
		number = int32(len(c.forms))
		c.forms[text] = number
	}
	return number
}
