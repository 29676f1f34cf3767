package serve

import (
	"context"
	"io"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/zarr"
)

// A View lays the objects of a file out as a Zarr hierarchy. It describes the nodes and provides
// the bytes of chunks; [NewStore] adds the keys, the documents and the caching. A second view of
// the same file, such as one labelled array per variable over all messages, is another
// implementation of View.
//
// Paths lead to nodes: "" is the root, "0/2t" the array 2t of the group 0. A path without a node
// gives ErrNotFound. All methods may be called from several goroutines; none of them decodes a
// payload.
type View interface {
	// Node is the group or array at path.
	Node(ctx context.Context, path string) (Node, error)

	// Children are the names of the nodes directly below the group at path, in the order of the
	// file.
	Children(ctx context.Context, path string) ([]string, error)

	// Chunk returns the chunk at a position of the grid of the array at path.
	Chunk(ctx context.Context, path string, index []uint64) (Chunk, error)
}

// A Node is a group or an array: one of its fields is set.
type Node struct {
	Group *zarr.GroupMetadata
	Array *zarr.ArrayMetadata
}

// A Chunk is a chunk as its array's codec chain stores it. One of Stored and Decode is set.
type Chunk struct {
	Size int64  // in bytes
	ETag string // entity tag, quotes included; it changes when the bytes do. Empty when that cannot be promised
	// Stored reads the chunk at any offset without making the whole of it.
	Stored io.ReaderAt
	// Decode returns the chunk, Size bytes, decoded into buffer if it is large enough and decoding is needed.
	// buffer may be nil. The store calls it once for all requests at the same time.
	Decode func(buffer []byte) ([]byte, error)
	// Own reports that the bytes from Decode are not shared, so that their memory can be used for another chunk.
	Own bool
	// Array opens the elements of the chunk as an array that is read in parts. It is for callers that
	// need only some of them, or keep them in another form, and nil where Decode is the only way.
	Array func(ctx context.Context) (array.Array, error)
	// Wrap adds to an error about the bytes of the chunk their file and place. Errors of Stored and Decode have
	// these already. It may be nil.
	Wrap func(error) error
}

// MarshalJSON gives the document of the node, of a group without consolidated metadata.
func (n Node) MarshalJSON() ([]byte, error) {
	if n.Array != nil {
		return n.Array.MarshalJSON()
	}
	return n.Group.MarshalJSON()
}

// Bytes returns the chunk, in the memory of buffer if that is large enough; buffer may be nil.
func (c Chunk) Bytes(buffer []byte) ([]byte, error) {
	if c.Stored == nil {
		return decodeChunk(c, buffer)
	}
	if int64(cap(buffer)) < c.Size {
		buffer = make([]byte, c.Size)
	}
	data := buffer[:c.Size]
	return data, readFull(c.Stored, data, 0)
}
