// Package torefs writes references to chunks of a labelled dataset that other programs can decode
// in their files. Only coordinates are copied.
//
// [Collect] finds the references; [Set.WriteJSON] writes them as kerchunk's JSON (version 1),
// [Set.WriteParquet] as its Parquet files, and [Set.WriteManifests] as a Zarr v3 hierarchy with the
// chunk manifests of VirtualiZarr. The first two describe arrays by Zarr v2 documents, as their
// readers expect.
//
// Variables without a portable form, such as packed GRIB fields, are left out and listed in
// [Set.LeftOut].
package torefs

import (
	"context"
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A Set holds the references of a dataset.
type Set struct {
	Arrays  []*Array
	Groups  []Group
	LeftOut []Omission // in the order of the dataset
}

// A Group is a group and its attributes.
type Group struct {
	Path       string
	Attributes map[string]any
}

// An Array is an array with references to its chunks, or with its elements.
type Array struct {
	Path string
	// Document describes the array, with the codecs of the stored chunks.
	Document *zarr.ArrayMetadata
	// Chunks are the chunks in C order.
	Chunks []Chunk
	// Referenced is the number of chunks that are references.
	Referenced int
}

// A Chunk is a reference to a chunk, or its bytes. If it has neither, the chunk is absent.
type Chunk struct {
	URL            string
	Offset, Length int64
	Data           []byte // stored bytes; nil for a reference
}

func (c Chunk) exists() bool { return c.URL != "" || c.Data != nil }

// An Omission is a variable that was left out, and why.
type Omission struct{ Path, Why string }

// Options configure [Collect].
type Options struct {
	// Place returns the address to write for a location, and the offset of the location at that address.
	// asItIs says that the bytes are not unpacked, see [importers.File]. Its error ends Collect. nil keeps
	// locations.
	Place func(location string, asItIs bool) (address string, offset int64, err error)
}

// MostInline is the size of the largest array whose elements become part of the references.
const MostInline = 64 << 20

// Collect finds the references of a view.
func Collect(ctx context.Context, set *dataset.Dataset, view *serve.DatasetView, opts Options) (*Set, error) {
	if opts.Place == nil {
		opts.Place = func(location string, _ bool) (string, int64, error) { return location, 0, nil }
	}
	s := new(Set)
	paths := serve.NewDatasetPaths(set)
	for _, g := range set.Groups {
		node, err := view.Node(ctx, paths.Group(g))
		if err != nil {
			return nil, err
		}
		s.Groups = append(s.Groups, Group{paths.Group(g), node.Group.Attributes})
		for _, v := range g.Variables {
			path := paths.Variable(g, v)
			a, err := collect(ctx, view, path, v.Coordinate || v.Computed(), opts)
			var unportable *importers.UnportableError
			switch {
			case errors.As(err, &unportable):
				s.LeftOut = append(s.LeftOut, Omission{path, unportable.Why})
			case err != nil:
				return nil, fmt.Errorf("%s: %w", path, err)
			default:
				s.Arrays = append(s.Arrays, a)
			}
		}
	}
	return s, nil
}

// collect finds the chunks of an array. Labels that have no portable form are copied.
func collect(ctx context.Context, view *serve.DatasetView, path string, label bool, opts Options) (*Array, error) {
	located, err := view.Locate(ctx, path)
	var unportable *importers.UnportableError
	if errors.As(err, &unportable) && label {
		return inline(ctx, view, path)
	}
	if err != nil {
		return nil, err
	}
	a := &Array{Path: path, Document: located.Array}
	holes := false
	for index := range nd.Positions(located.Array.Grid()) {
		place, err := located.Chunk(ctx, index)
		switch {
		case errors.Is(err, zarr.ErrNotFound):
			holes = true
			a.Chunks = append(a.Chunks, Chunk{})
			continue
		case errors.As(err, &unportable) && label:
			return inline(ctx, view, path)
		case errors.As(err, &unportable):
			c, err := storedChunk(ctx, view, path, index)
			if err != nil {
				return nil, err
			}
			a.Chunks = append(a.Chunks, c)
			continue
		case err != nil:
			return nil, err
		}
		a.Referenced++
		address, offset, err := opts.Place(place.Location, place.AsItIs)
		if err != nil {
			return nil, err
		}
		a.Chunks = append(a.Chunks, Chunk{URL: address, Offset: offset + place.Offset, Length: place.Length})
	}
	if err := setFill(a.Document, located.Fill, holes); err != nil {
		return nil, err
	}
	return a, nil
}

// inline takes the elements of an array along.
func inline(ctx context.Context, view *serve.DatasetView, path string) (*Array, error) {
	node, err := view.Node(ctx, path)
	if err != nil {
		return nil, err
	}
	a := &Array{Path: path, Document: node.Array}
	if n, err := node.Array.Bytes(); err != nil || n > MostInline {
		return nil, &importers.UnportableError{Why: "it is too large to be part of the references"}
	}
	for index := range nd.Positions(node.Array.Grid()) {
		c, err := storedChunk(ctx, view, path, index)
		if err != nil {
			return nil, err
		}
		a.Chunks = append(a.Chunks, c)
	}
	return a, nil
}

// storedChunk reads a chunk as the view stores it.
func storedChunk(ctx context.Context, view *serve.DatasetView, path string, index []uint64) (Chunk, error) {
	c, err := view.Chunk(ctx, path, index)
	if errors.Is(err, zarr.ErrNotFound) {
		return Chunk{}, nil
	}
	if err != nil {
		return Chunk{}, err
	}
	data, err := c.Bytes(nil)
	return Chunk{Data: data}, err
}
