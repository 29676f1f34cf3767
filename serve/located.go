package serve

import (
	"context"
	"maps"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/zarr"
)

// Located is an array whose chunks are stored in files in a form that other programs can decode.
type Located struct {
	// Array is its document. Its elements may be packed numbers of the source; the attributes then
	// say how to unpack them.
	Array *zarr.ArrayMetadata
	// Fill is the element, little-endian, of absent chunks. It is nil if that is the fill value of the document.
	Fill []byte

	passage *passage
}

// A Place is the place of a chunk: a file and a range of its bytes.
type Place struct {
	Location       string // of a file
	Offset, Length int64
	AsItIs         bool // see [importers.File]
}

// Locate says where in the files the chunks of the array at path are. The error is an
// [*importers.UnportableError] if other programs cannot decode them, because they are computed or
// stored in a form that is not Zarr's.
func (v *DatasetView) Locate(ctx context.Context, path string) (*Located, error) {
	n, err := v.node(path)
	if err != nil {
		return nil, err
	}
	if n.variable == nil || n.variable.Computed() {
		return nil, unportable("it is computed")
	}
	if n.variable.Text != dataset.NotText {
		return nil, unportable("it holds texts")
	}
	array, err := v.variableMetadata(n.variable)
	if err != nil {
		return nil, err
	}
	p, err := passageOf(ctx, v.fields, n.variable, true)
	if err != nil {
		return nil, err
	}
	array.ChunkShape, array.Codecs, array.DataType = p.chunk, p.codecs, p.dataType
	array.FillValue = absentValue(p.dataType)
	if n.variable.Unpack != nil { // its elements are packed, and its attributes are of the values
		array.Attributes = maps.Clone(array.Attributes)
		maps.Copy(array.Attributes, attributeMap(n.variable.Packing()))
	}
	if p.layout.Stored != "" {
		array.Attributes = maps.Clone(array.Attributes)
		maps.Copy(array.Attributes, p.layout.Unpack)
	}
	return &Located{Array: array, Fill: p.layout.Fill, passage: p}, nil
}

// Chunk returns the place of the chunk at a position of the grid. The error is ErrNotFound for an
// absent chunk, and an [*importers.UnportableError] for a chunk that is stored in another form than
// the others.
func (l *Located) Chunk(ctx context.Context, index []uint64) (Place, error) {
	p := l.passage
	at, inner := p.split(index)
	ref, ok := p.variable.Ref(at)
	if !ok {
		return Place{}, nodeNotFound(p.variable.Name)
	}
	layout, err := p.source.Layout(ctx, ref)
	if err != nil {
		return Place{}, err
	}
	e, ok, err := layout.Extent(inner)
	switch {
	case err != nil:
		return Place{}, p.source.Located(ref, err)
	case !ok:
		return Place{}, nodeNotFound(p.variable.Name)
	case e.Clipped != nil:
		return Place{}, unportable("chunks at its edges are clipped")
	case e.File.Nowhere != nil:
		return Place{}, p.source.Located(ref, e.File.Nowhere)
	}
	return Place{e.File.Location, e.Offset, e.Length, e.File.AsItIs}, nil
}
