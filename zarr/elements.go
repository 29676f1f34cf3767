package zarr

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// onlyZstd reports whether chunks are little-endian elements as zstd frames.
func (c *chain) onlyZstd() bool {
	if len(c.bytesToBytes) != 1 || c.bigEndian || c.shard != nil {
		return false
	}
	_, ok := c.bytesToBytes[0].(zstdBytes)
	return ok
}

// Reader reads the elements of the whole array in turn: little-endian, in C order. An array of one
// chunk needs little memory if the chunk is stored as plain elements or as a zstd frame: it is then
// read or decoded as the caller reads. All elements of other arrays are held in memory. The reader
// must be closed.
func (a *Array) Reader(ctx context.Context) (io.ReadCloser, error) {
	size, err := a.meta.Bytes()
	if err != nil {
		return nil, err
	}
	oneChunk := len(a.meta.Shape) > 0 && slices.Equal(a.meta.Shape, a.meta.ChunkShape) && size > 0
	first := make([]uint64, len(a.meta.Shape))
	if oneChunk && len(a.chain.bytesToBytes) == 0 && !a.chain.bigEndian && a.chain.shard == nil {
		key := joinKey(a.path, a.meta.ChunkKeys.Key(first))
		body, info, err := Get(ctx, a.store, key, Range{})
		if err != nil {
			return nil, err
		}
		if info.Size != size {
			body.Close()
			return nil, fault.Errorf("zarr", "%s: %d bytes, expected %d", key, info.Size, size)
		}
		return body, nil
	}
	if oneChunk && size > streamedChunk && size <= math.MaxInt && a.chain.onlyZstd() {
		key := joinKey(a.path, a.meta.ChunkKeys.Key(first))
		stored, err := ReadAll(ctx, a.store, key, a.storedLimit(size))
		if err != nil {
			return nil, err
		}
		r, w := io.Pipe()
		go func() {
			err := compress.StreamZstd(w, stored, int(size))
			if err != nil {
				err = fault.Errorf("zarr", "%s: %w", key, err)
			}
			w.CloseWithError(err)
		}()
		return r, nil
	}
	var data []byte
	if oneChunk {
		data, err = a.Chunk(ctx, first)
	} else {
		data = make([]byte, size)
		err = a.Read(ctx, data)
	}
	return io.NopCloser(bytes.NewReader(data)), err
}

// ObjectReader reads the elements of an object as [ObjectElements] gives them. An array that is
// very much larger than its payload is decoded piece by piece.
func ObjectReader(object *tgm.Object) (DataType, *io.SectionReader, error) {
	form, err := storedAs(object.Descriptor())
	if err != nil {
		return "", nil, err
	}
	size, _ := nd.Bytes(object.Descriptor().Shape, form.dataType.Size())
	if streams(object, size) {
		pieces := &elementReader{object: object, size: size, element: int64(form.dataType.Size())}
		return form.dataType, io.NewSectionReader(pieces, 0, size), object.CheckHash()
	}
	dtype, data, err := ObjectElements(object)
	return dtype, io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), err
}
