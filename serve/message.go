package serve

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/lru"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// VariablesKey is the attribute of a message's group with the names of its arrays, in the order of the
// objects.
const VariablesKey = "_tensogram_variables"

// MessageView shows every message as a group and every object as an array of one chunk. A file of
// one message has its arrays at the root, any other file has the groups "0", "1", …
//
// # Names
//
// An array is named as catalog.ObjectName names its object: by the first of name, param,
// mars.param, mars.shortName and shortName that its base entry has, a parameter given by its number
// by its short name, else object_0, object_1, …; [MessageOptions].Name can decide before.
// Characters that cannot stand in a key or a URL become "_". The second array of a name in a
// message is name_1, the third name_2.
//
// # Dimensions
//
// Every dimension has a name, because xarray requires one. It is the first of these that exists:
// base[i].dim_names; base[i].netcdf._dims; the message's dim_names (a list, or a map from length to
// name); the array's own name if it is a coordinate of one dimension (latitude, longitude, time,
// level and similar); the only coordinate that has the length of the dimension; dim_0, dim_1, … by
// position.
//
// In a group, all dimensions of one name have the same length and belong to the same grid, so that
// arrays that share them have their points in common. A later dimension of another length, or of a
// field on another grid (base[i].geometry differs), is called name_1, and so on. The dimension of a
// coordinate array has the name of that array, so that clients find the labels.
//
// # Attributes
//
// A group of a message has the message's own metadata, _tensogram_wire_version, and
// _tensogram_variables: the arrays' names in the order of the objects. The root over several
// messages has _tensogram_messages, their number. An array has its base entry, _tensogram_encoding,
// _tensogram_filter, _tensogram_compression, _tensogram_params (without szip_block_offsets, which
// point into a payload no client sees), and _tensogram_hash if the object has a hash.
//
// # Data types and bytes
//
// Data types are kept, except for two that Zarr does not have: bfloat16 is shown as float32, which
// holds each of its values exactly, and bitmask as bool. Both say so in _tensogram_dtype. Fill
// values are false, 0, "NaN" and ["NaN", "NaN"]. Elements are little-endian; missing points are
// NaN. Payloads without encoding, filter, compression and masks are read straight from the file,
// zstd frames without encoding, filter and masks are served as they are under the codec zstd,
// everything else is decoded.
type MessageView struct {
	file    *tgm.File
	opts    MessageOptions
	layouts *lru.Cache[*layout] // by the number of the message
	hashes  verifier

	form     int // of chunk keys
	follower follower
}

// MessageOptions configure a [MessageView]. The zero value has the defaults.
type MessageOptions struct {
	// Name returns the name of an object from its base entry. "" leaves it to the rules of MessageView.
	Name func(base map[string]any) string
	// Version tells one state of the file from another, such as its modification time. Chunks of
	// objects without a hash have entity tags only if it is set.
	Version string
	// SkipHashes turns off the checks of hashes. Without it each object is compared with its hash
	// when a part of it is first read.
	SkipHashes bool
	// Store configures the store that [OpenMessages] makes.
	Store StoreOptions
}

// NewMessageView returns the message view of a file, which must stay open as long as the view is
// used.
func NewMessageView(f *tgm.File, opts MessageOptions) *MessageView {
	return &MessageView{file: f, opts: opts, layouts: newLayoutCache(), hashes: verifier{skip: opts.SkipHashes}}
}

// OpenMessages returns a store of the message view of a file. The file must stay open as long as the store is
// used.
func OpenMessages(f *tgm.File, opts MessageOptions) zarr.Store {
	return NewStore(NewMessageView(f, opts), opts.Store)
}

// wireVersion is the version of the message format, shown as _tensogram_wire_version.
const wireVersion = int64(tgm.WireVersion)

// Node implements View.
func (v *MessageView) Node(_ context.Context, path string) (Node, error) {
	place, err := v.locate(path)
	if err != nil {
		return Node{}, err
	}
	switch {
	case place.message < 0:
		n, err := v.file.Len()
		return Node{Group: &zarr.GroupMetadata{Attributes: map[string]any{
			"_tensogram_wire_version": wireVersion,
			"_tensogram_messages":     int64(n),
		}}}, err
	case place.array < 0:
		return v.messageGroup(place.layout)
	}
	array, err := v.array(place)
	return Node{Array: array}, err
}

// Children implements View.
func (v *MessageView) Children(_ context.Context, path string) ([]string, error) {
	place, err := v.locate(path)
	if err != nil {
		return nil, err
	}
	if place.message < 0 {
		n, err := v.file.Len()
		names := make([]string, n)
		for i := range names {
			names[i] = strconv.Itoa(i)
		}
		return names, err
	}
	if place.array >= 0 {
		return nil, nil
	}
	return place.layout.names(), nil
}

// Chunk implements View.
func (v *MessageView) Chunk(_ context.Context, path string, index []uint64) (Chunk, error) {
	place, err := v.locate(path)
	if err != nil {
		return Chunk{}, err
	}
	if place.array < 0 {
		return Chunk{}, nodeNotFound(path)
	}
	object, err := place.layout.stored(place.array)
	if err != nil {
		return Chunk{}, err
	}
	shape := object.Descriptor().Shape
	if len(index) != len(shape) {
		return Chunk{}, nodeNotFound(path)
	}
	for i, n := range index {
		if n != 0 || shape[i] == 0 {
			return Chunk{}, nodeNotFound(path)
		}
	}
	key := [2]int{object.Message().Index(), object.Index()}
	return objectChunk(object, v.opts.Version, guard{check: v.hashes.of(key, object)})
}

func nodeNotFound(path string) error {
	return fault.Errorf("serve", "no array or group at %q: %w", path, zarr.ErrNotFound)
}

// A place is the target of a path: an array of a message, a message (array is -1), or the root over
// several messages (message is -1 too).
type place struct {
	message, array int
	layout         *layout
}

// locate finds the target of a path.
func (v *MessageView) locate(path string) (place, error) {
	n, err := v.file.Len()
	if err != nil {
		return place{}, err
	}
	message, name := 0, path
	if n != 1 {
		if path == "" {
			return place{message: -1, array: -1}, nil
		}
		var number string
		number, name, _ = strings.Cut(path, "/")
		message, err = strconv.Atoi(number)
		if err != nil || strconv.Itoa(message) != number || strings.HasSuffix(path, "/") {
			return place{}, nodeNotFound(path)
		}
	}
	if message < 0 || message >= n {
		return place{}, nodeNotFound(path)
	}
	l, err := v.layout(message)
	if err != nil {
		return place{}, err
	}
	if name == "" {
		return place{message: message, array: -1, layout: l}, nil
	}
	array, ok := l.byName[name]
	if !ok {
		return place{}, nodeNotFound(path)
	}
	return place{message: message, array: array, layout: l}, nil
}

// layout gives the names and dimensions of message i.
func (v *MessageView) layout(i int) (*layout, error) {
	return v.layouts.Get(context.Background(), strconv.Itoa(i), func() (*layout, error) {
		message, err := v.file.Message(i)
		if err != nil {
			return nil, err
		}
		return newLayout(message, v.opts.Name)
	})
}

// messageGroup is the group of a message.
func (v *MessageView) messageGroup(l *layout) (Node, error) {
	metadata, err := l.message.SharedMetadata()
	if err != nil {
		return Node{}, err
	}
	attributes := make(map[string]any, len(metadata.Extra)+2)
	for key, value := range metadata.Extra {
		attributes[key] = value
	}
	attributes["_tensogram_wire_version"] = wireVersion
	attributes[VariablesKey] = l.names()
	return Node{Group: &zarr.GroupMetadata{Attributes: attributes}}, nil
}

// array is the document of an object.
func (v *MessageView) array(p place) (*zarr.ArrayMetadata, error) {
	object, err := p.layout.object(p.array)
	if err != nil {
		return nil, err
	}
	d := object.Descriptor()
	stored, err := storedAs(d)
	if err != nil {
		return nil, fault.Errorf("serve", "message %d, object %d: %w", p.message, p.array, err)
	}
	chunkShape := make([]uint64, len(d.Shape))
	for i, n := range d.Shape {
		chunkShape[i] = max(1, n) // a chunk has elements even where the array has none
	}
	return &zarr.ArrayMetadata{
		Shape:          append([]uint64{}, d.Shape...),
		DataType:       stored.dataType,
		ChunkShape:     chunkShape,
		ChunkKeys:      v.keys(len(d.Shape)),
		FillValue:      stored.dataType.DefaultFill(),
		Codecs:         stored.codecs,
		DimensionNames: p.layout.arrays[p.array].dims,
		Attributes:     objectAttributes(object, stored),
	}, nil
}

func objectAttributes(object *tgm.Object, stored storage) map[string]any {
	d, base := object.Descriptor(), object.Base()
	attributes := make(map[string]any, len(base)+6)
	for key, value := range base {
		attributes[key] = value
	}
	delete(attributes, "_reserved_")
	params := make(map[string]any, len(d.Params))
	for key, value := range d.Params {
		if key != "szip_block_offsets" {
			params[key] = value
		}
	}
	if len(params) > 0 {
		attributes["_tensogram_params"] = params
	}
	attributes["_tensogram_encoding"] = d.Encoding
	attributes["_tensogram_filter"] = d.Filter
	attributes["_tensogram_compression"] = d.Compression
	if string(stored.dataType) != d.DType.String() {
		attributes["_tensogram_dtype"] = d.DType.String()
	}
	if hash, ok := object.Hash(); ok {
		attributes["_tensogram_hash"] = fmt.Sprintf("%016x", hash)
	}
	return attributes
}
