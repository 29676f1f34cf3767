package serve

import (
	"context"
	"slices"
	"strconv"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr"
)

// passage shows the chunks of a variable as they lie in the files.
type passage struct {
	source   dataset.Fields
	variable *dataset.Variable
	layout   *importers.Layout // of the first object
	dataType zarr.DataType
	chunk    []uint64 // shape of the array's chunks
	codecs   []zarr.Codec
	coder    *zarr.Coder // of chunks that are not stored in this form
	inside   []uint64    // chunks of the array within one object, along each dimension
	leading  int         // dimensions that the object does not have
	fill     []byte      // the array's
}

// passageOf is how the chunks of a variable lie in the files. With raw, elements may be other
// numbers than the values, such as packed ones. The error is an [*importers.UnportableError], or
// says why a file cannot be read.
func passageOf(ctx context.Context, source dataset.Fields, variable *dataset.Variable, raw bool) (*passage, error) {
	refs := variable.Refs()
	first := firstThere(source, refs)
	if first < 0 {
		return nil, unportable("it has no elements")
	}
	l, err := source.Layout(ctx, int(refs[first]))
	if err != nil {
		return nil, err
	}
	if !raw && l.Stored != "" {
		return nil, unportable(l.Stored)
	}
	form, err := elementsAs(l.DType, variable.Shape)
	if err != nil || string(form.dataType) != l.DType.String() || !raw && l.DType != variable.DType {
		return nil, unportable("elements are of type " + l.DType.String())
	}
	p := &passage{source: source, variable: variable, layout: l, dataType: form.dataType, leading: len(variable.Shape) - len(l.Chunk)}
	p.codecs = storedCodecs(form.dataType, l.BigEndian, l.Transforms)
	if err := p.place(); err != nil {
		return nil, err
	}
	for _, ref := range refs[first+1:] {
		if ref >= 0 && !source.Alike(ctx, int(refs[first]), int(ref)) {
			if _, err := source.Layout(ctx, int(ref)); err != nil {
				return nil, err
			}
			return nil, unportable("its fields are not all stored in the same way")
		}
	}
	fill := absentValue(form.dataType)
	if p.fill, err = form.dataType.FillBytes(fill); err != nil {
		return nil, err
	}
	p.coder, err = zarr.NewCoder(&zarr.ArrayMetadata{DataType: form.dataType, ChunkShape: p.chunk, FillValue: fill, Codecs: p.codecs})
	return p, err
}

// ofObject reports whether the layout belongs to an object of a Tensogram file.
func (p *passage) ofObject() bool {
	files := p.layout.Files
	return len(files) == 1 && files[0].ReaderAt == nil
}

// place lays the chunks of the files out in the variable.
func (p *passage) place() error {
	if p.leading < 0 {
		return unportable("its fields have more dimensions than it has")
	}
	p.chunk = slices.Clone(p.variable.Chunk)
	copy(p.chunk[p.leading:], p.layout.Chunk)
	for i, n := range p.variable.Grid() {
		whole := p.variable.Chunk[i]
		if n > 1 && whole%p.chunk[i] != 0 {
			return unportable("chunks would have parts of two fields")
		}
		p.inside = append(p.inside, max(1, (whole+p.chunk[i]-1)/p.chunk[i]))
	}
	return nil
}

func unportable(why string) error { return &importers.UnportableError{Why: why} }

// split is the object that has a chunk, and the chunk's place in it.
func (p *passage) split(index []uint64) (object, inner []uint64) {
	object, inner = make([]uint64, len(index)), make([]uint64, len(index))
	for i, n := range index {
		object[i], inner[i] = n/p.inside[i], n%p.inside[i]
	}
	return object, inner[p.leading:]
}

// storedChunk is the chunk at a position as it lies in its file.
func (v *DatasetView) storedChunk(ctx context.Context, p *passage, index []uint64) (Chunk, error) {
	at, inner := p.split(index)
	ref, ok := p.variable.Ref(at)
	if !ok {
		return Chunk{}, nodeNotFound(p.variable.Name)
	}
	object, err := v.fields.Object(ref)
	if err != nil {
		return Chunk{}, err
	}
	g := v.guard(ref, object)
	if object != nil {
		c := payloadChunk(object, g)
		c.ETag = entityTag(object, v.fields.Version(ref))
		return c, nil
	}
	var c Chunk
	if v.fields.Presence(ref) == dataset.Kept {
		c, err = v.knownChunk(ctx, p, ref, inner)
	} else {
		c, err = p.sourceChunk(ctx, ref, inner, g)
	}
	err = g.located(err)
	if version := v.fields.Version(ref); version != "" && err == nil {
		c.ETag = innerTag(version, inner)
	}
	return c, err
}

// innerTag is the entity tag of the chunk at a position within a field.
func innerTag(version string, inner []uint64) string {
	tag := make([]byte, 0, len(version)+64)
	tag = append(append(append(tag, '"'), version...), '-')
	for i, n := range inner {
		if i > 0 {
			tag = append(tag, '.')
		}
		tag = strconv.AppendUint(tag, n, 10)
	}
	return string(append(tag, '"'))
}

// sourceChunk is a chunk of a field of a source.
func (p *passage) sourceChunk(ctx context.Context, ref int, inner []uint64, g guard) (Chunk, error) {
	l, err := p.source.Layout(ctx, ref)
	if err != nil {
		return Chunk{}, err
	}
	e, ok, err := l.Extent(inner)
	switch {
	case err != nil:
		return Chunk{}, err
	case !ok && slices.Equal(l.Fill, p.fill):
		return Chunk{}, nodeNotFound(p.variable.Name)
	case !ok:
		return p.made(func() ([]byte, []uint64, error) { return l.Fill, nil, nil }, l.Fill)
	case e.Clipped != nil:
		return p.made(func() ([]byte, []uint64, error) {
			stored := make([]byte, e.Length)
			if err := readFull(e.File, stored, e.Offset); err != nil {
				return nil, nil, err
			}
			size, _ := nd.Bytes(e.Clipped, p.variable.DType.Size())
			data, err := p.coder.DecodeClipped(stored, size)
			return data, e.Clipped, err
		}, p.fill)
	}
	return Chunk{Size: e.Length, Stored: &storedReader{e.File.ReaderAt, e.Offset, e.Length, g}, Wrap: g.wrap}, p.fits(ctx, ref)
}

// fits returns an error if the source cannot hold a chunk of a field: who gets it decodes all of it.
func (p *passage) fits(ctx context.Context, ref int) error {
	size := p.coder.Size()
	if size <= largeField/2 {
		return nil
	}
	a, err := p.source.Array(ctx, ref)
	if err != nil || a.Info().Fits == nil {
		return err
	}
	return a.Info().Fits(uint64(size))
}

// knownChunk is a chunk of a field whose values are known although its file is gone.
func (v *DatasetView) knownChunk(ctx context.Context, p *passage, ref int, inner []uint64) (Chunk, error) {
	a, err := v.fields.Array(ctx, ref)
	if err != nil {
		return Chunk{}, err
	}
	shape := p.chunk[p.leading:]
	part := array.Region{Start: make([]uint64, len(inner)), Count: slices.Clone(shape)}
	for i, n := range a.Info().Shape {
		part.Start[i] = inner[i] * shape[i]
		part.Count[i] = min(shape[i], n-part.Start[i])
	}
	data, err := array.Read(ctx, a, part, nil)
	return p.made(func() ([]byte, []uint64, error) { return data, part.Count, err }, p.fill)
}

// made is a chunk that is shown in another form than in the file: elements, of a part of its shape, among
// fill.
func (p *passage) made(elements func() (data []byte, shape []uint64, err error), fill []byte) (Chunk, error) {
	data, shape, err := elements()
	if err != nil {
		return Chunk{}, err
	}
	whole := make([]byte, p.coder.Size())
	nd.Repeat(whole, fill)
	if shape != nil {
		nd.Copy(nd.At(whole, p.chunk[p.leading:], nil), nd.At(data, shape, nil), shape, len(fill))
	}
	stored, err := p.coder.Encode(whole)
	if err != nil {
		return Chunk{}, err
	}
	return Chunk{Size: int64(len(stored)), Decode: func([]byte) ([]byte, error) { return stored, nil }}, nil
}
