package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Collection is the objects of Tensogram files and of sources that are not converted, as one
// list. Add what there is, [Build] a dataset of Objects, and read values through the collection.
// After the objects were listed it may be used by several goroutines.
type Collection struct {
	files   []collectedFile
	sources []importers.Source
	parts   []importers.Part
	coords  []*importers.Coord // of fields of sources, that are objects of their own
	places  []place            // by Ref

	forms   map[string]int32 // of objects, see place
	layouts *lru.Cache[*importers.Layout]

	scratch sync.Pool
	reading chan struct{} // bounds the fields of sources that are read at a time
}

type collectedFile struct {
	*tgm.File
	name, version string
}

// A place is where an object lies: in a file, or in a part of a source.
type place struct {
	file    int32 // partOfSource for a part, coordOfSource for a coordinate
	message int32 // or the number of the part or coordinate
	object  int32 // or of the field in the part
	form    int32 // of an object: equal for those stored in the same way
}

// What is not in a Tensogram file, in the place of the number of a file.
const (
	partOfSource  = -1
	coordOfSource = -2
)

// NewCollection makes an empty collection.
func NewCollection() *Collection {
	c := &Collection{forms: make(map[string]int32), layouts: newLayouts(), reading: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	c.scratch.New = func() any { return new(importers.Scratch) }
	return c
}

// AddFile adds a Tensogram file, which must stay open. Version tells one state of the file from
// another, such as its time of modification; it may be empty.
func (c *Collection) AddFile(f *tgm.File, name, version string) {
	c.files = append(c.files, collectedFile{f, name, version})
}

// AddSource adds a source, such as one of GRIB or netCDF files, which must stay open.
func (c *Collection) AddSource(s importers.Source) { c.sources = append(c.sources, s) }

// Objects lists the objects of all files and sources. It must run once, to the end, before values
// are read. An object that cannot be read is passed to bad, which may be nil, and left out.
func (c *Collection) Objects(ctx context.Context, bad func(where string, err error)) Objects {
	if bad == nil {
		bad = func(string, error) {}
	}
	return func(yield func(Object, error) bool) {
		for i := range c.files {
			if !c.listFile(ctx, i, bad, yield) {
				return
			}
		}
		for i := range c.sources {
			if !c.listSource(ctx, i, bad, yield) {
				return
			}
		}
	}
}

// add numbers an object.
func (c *Collection) add(p place, o Object) Object {
	o.Ref = len(c.places)
	c.places = append(c.places, p)
	return o
}

func (c *Collection) listFile(ctx context.Context, i int, bad func(string, error), yield func(Object, error) bool) bool {
	f := c.files[i]
	for m, err := range f.Messages() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			if ctx.Err() != nil {
				return yield(Object{}, ctx.Err())
			}
			bad(f.name, err)
			return true
		}
		extra := map[string]any(nil)
		if metadata, err := m.SharedMetadata(); err == nil {
			extra = metadata.Extra
		}
		for o, err := range m.Objects() {
			where := fmt.Sprintf("%s: message %d", f.name, m.Index())
			if err != nil {
				bad(where, err)
				break
			}
			d := o.Descriptor()
			object := c.add(place{int32(i), int32(m.Index()), int32(o.Index()), c.formOf(d)}, Object{
				Where: fmt.Sprintf("%s, object %d", where, o.Index()), File: f.name, Message: m.Index(), Index: o.Index(),
				Base: mapping.ReadIn(extra, o.Base()), Shape: d.Shape, DType: d.DType,
			})
			if !yield(object, nil) {
				return false
			}
		}
	}
	return true
}

// A listing is the objects of one part, or why there are none.
type listing struct {
	part    importers.Part
	objects []Object
	coords  []*importers.Coord // of fields without a grid
	err     error
}

// listSource lists the fields of a source. Parts are read on several goroutines, and listed in
// order.
func (c *Collection) listSource(ctx context.Context, i int, bad func(string, error), yield func(Object, error) bool) bool {
	s := c.sources[i]
	seen := make(map[string]bool) // coordinates
	for l := range inOrder(s.Parts(ctx), func(p importers.Part) listing { return describe(ctx, s, p) }) {
		var broken *importers.BadInput
		switch {
		case ctx.Err() != nil:
			return yield(Object{}, ctx.Err())
		case errors.As(l.err, &broken):
			bad(broken.Where, broken.Err)
		case l.err != nil:
			return yield(Object{}, l.err)
		}
		if len(l.objects) == 0 {
			continue
		}
		l.part.Source = i
		c.parts = append(c.parts, l.part)
		for j, o := range l.objects {
			if !yield(c.add(place{partOfSource, int32(len(c.parts) - 1), int32(j), 0}, o), nil) {
				return false
			}
		}
		if !c.listCoords(&l, seen, yield) {
			return false
		}
	}
	return true
}

// describe reads what describes the fields of a part.
func describe(ctx context.Context, s importers.Source, p importers.Part) listing {
	l := listing{part: p}
	for f, err := range s.Read(ctx, p, nil) {
		if err != nil {
			l.err = err
			return l
		}
		base, err := f.Base()
		if err != nil {
			l.err = &importers.BadInput{Where: f.Where, Err: err}
			return l
		}
		shape := make([]uint64, len(f.Shape))
		for i, n := range f.Shape {
			shape[i] = uint64(n)
		}
		o := Object{Where: f.Where, Base: mapping.ReadIn(f.Message, base), Shape: shape, DType: f.DType}
		if o.File, o.Message, o.Index = p.Input, p.Number, len(l.objects); p.Fields != nil {
			o.Index = p.Fields[min(o.Index, len(p.Fields)-1)]
		}
		l.objects = append(l.objects, o)
		if o.Base.Geometry() == nil { // else they are computed from the grid
			l.coords = append(l.coords, f.Coords...)
		}
	}
	return l
}

// inOrder calls do for each part on as many goroutines as there are cores and yields the results in
// the order of the parts.
func inOrder(parts iter.Seq2[importers.Part, error], do func(importers.Part) listing) iter.Seq[listing] {
	return func(yield func(listing) bool) {
		results := make(chan chan listing, 4*runtime.GOMAXPROCS(0))
		stop := make(chan struct{})
		var running sync.WaitGroup
		defer running.Wait()
		defer close(stop)
		limit := make(chan struct{}, runtime.GOMAXPROCS(0))
		running.Go(func() {
			defer close(results)
			for p, err := range parts {
				result := make(chan listing, 1)
				select {
				case results <- result:
				case <-stop:
					return
				}
				if err != nil {
					result <- listing{part: p, err: err}
					continue
				}
				limit <- struct{}{}
				running.Go(func() {
					defer func() { <-limit }()
					result <- do(p)
				})
			}
		})
		for result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}

// Object implements [ObjectSource].
func (c *Collection) Object(ref int) (*tgm.Object, error) {
	p := c.places[ref]
	if p.file < 0 {
		return nil, nil
	}
	m, err := c.files[p.file].Message(int(p.message))
	if err != nil {
		return nil, err
	}
	return m.Stored(int(p.object))
}

// Version implements [Fields].
func (c *Collection) Version(ref int) string {
	p := c.places[ref]
	if p.file < 0 {
		return ""
	}
	return c.files[p.file].version
}

// Read implements [Fields].
func (c *Collection) Read(ctx context.Context, ref int) (*tgm.Array, error) {
	object, err := c.Object(ref)
	if err != nil {
		return nil, err
	}
	if object != nil {
		return object.Decode(tgm.DecodeOptions{ByteOrder: tgm.LittleEndian})
	}
	if p := c.places[ref]; p.file == coordOfSource {
		return ReadCoord(c.coords[p.message])
	}
	select {
	case c.reading <- struct{}{}:
		defer func() { <-c.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return c.readField(ctx, c.parts[c.places[ref].message], int(c.places[ref].object))
}

// readField reads the values of a field of a part.
func (c *Collection) readField(ctx context.Context, p importers.Part, number int) (*tgm.Array, error) {
	scratch := c.scratch.Get().(*importers.Scratch)
	defer c.scratch.Put(scratch)
	j := 0
	for f, err := range c.sources[p.Source].Read(ctx, p, scratch) {
		if err != nil {
			return nil, err
		}
		if j++; j <= number {
			continue
		}
		return ReadField(ctx, f, scratch)
	}
	return nil, fmt.Errorf("dataset: %s: field %d is not there any more", p.Where(), number)
}

// ReadField reads the values of a field of a source, with missing points as NaN: little-endian, in C
// order.
func ReadField(ctx context.Context, f *importers.Field, scratch *importers.Scratch) (*tgm.Array, error) {
	elements, err := f.Values.Elements(ctx, scratch)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Where, err)
	}
	a := &tgm.Array{DType: f.DType, Data: append([]byte(nil), elements.Data...)} // scratch is used again
	for _, n := range f.Shape {
		a.Shape = append(a.Shape, uint64(n))
	}
	return a, setMissing(a, elements.Missing)
}

// setMissing makes NaN of the elements that a mask marks.
func setMissing(a *tgm.Array, mask *tgm.Mask) error {
	if mask == nil {
		return nil
	}
	component := a.DType.Component()
	if !a.DType.IsFloat() && !a.DType.IsComplex() || component < 4 {
		return fmt.Errorf("dataset: missing elements of type %s have no value", a.DType)
	}
	size := a.DType.Size()
	for i := range mask.Indices() {
		for at := i * size; at < (i+1)*size; at += component {
			if component == 4 {
				binary.LittleEndian.PutUint32(a.Data[at:], math.Float32bits(float32(math.NaN())))
			} else {
				binary.LittleEndian.PutUint64(a.Data[at:], math.Float64bits(math.NaN()))
			}
		}
	}
	return nil
}
