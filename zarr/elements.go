package zarr

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// onlyZstd reports whether chunks are little-endian elements as zstd frames.
func (c *chain) onlyZstd() bool {
	if len(c.stages) != 2 || !c.littleFirst() {
		return false
	}
	_, ok := c.stages[1].(zstdBytes)
	return ok
}

// streamedBytes is the least size of a zstd chunk's elements to be decoded while the caller reads.
const streamedBytes = 16 << 20

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
	if oneChunk && a.chain.plain() {
		key := JoinKey(a.path, a.meta.ChunkKeys.Key(first))
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
	if oneChunk && size > streamedBytes && size <= math.MaxInt && a.chain.onlyZstd() {
		key := JoinKey(a.path, a.meta.ChunkKeys.Key(first))
		stored, err := ReadAll(ctx, a.store, key, a.chain.stored())
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
