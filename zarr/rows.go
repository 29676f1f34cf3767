package zarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

// largeChunk is the size from which on rows of chunks are read alone. Smaller chunks are read whole,
// which takes one request.
const largeChunk = 16 << 20

// A rowsDecoder reads len(dst) bytes of the elements of a chunk of size bytes, from byte skip on.
type rowsDecoder func(dst []byte, c storedChunk, size, skip int64) error

// A storedChunk is the stored bytes of a chunk, and its identity.
type storedChunk struct {
	key, etag string
	stored    io.ReaderAt
	size      int64
}

// rowsDecoder returns the decoder of rows for codecs that allow it: none, Blosc, which has blocks, or zstd,
// which is a stream. Else it returns nil.
func (c *chain) rowsDecoder() rowsDecoder {
	switch {
	case c.plain():
		return plainRows
	case len(c.stages) == 2 && c.littleFirst():
		switch c.stages[1].(type) {
		case bloscBytes:
			return bloscRows
		case zstdBytes:
			return new(zstdStreams).rows
		}
	}
	return nil
}

func plainRows(dst []byte, c storedChunk, size, skip int64) error {
	if c.size != size {
		return fmt.Errorf("chunk decodes to %d bytes, expected %d", c.size, size)
	}
	_, err := c.stored.ReadAt(dst, skip)
	return err
}

func bloscRows(dst []byte, c storedChunk, size, skip int64) error {
	if err := blosc.DecodePart(dst, c.stored, c.size, int(size), int(skip)); err != nil {
		return fmt.Errorf("codec blosc: %w", err)
	}
	return nil
}

// InRows reports whether chunks are large, 16 MiB or more, and rows of one are read without the others:
// chunks that are stored uncompressed, or with Blosc or zstd alone.
func (a *Array) InRows() bool { return a.rows != nil && a.chain.specs[0].size >= largeChunk }

// readRows reads a region's part of one chunk, and only the rows of the chunk that it touches.
func (a *Array) readRows(ctx context.Context, target nd.Block, p part, rooms *reuse.Buffers) error {
	key := JoinKey(a.path, a.meta.ChunkKeys.Key(p.index))
	value, err := a.store.Open(ctx, key)
	if errors.Is(err, ErrNotFound) {
		nd.Fill(target, p.count, a.fill)
		return nil
	}
	if err != nil {
		return err
	}
	defer value.Close()
	element := int64(a.element.Size)
	first, run := nd.Cover(a.meta.ChunkShape, p.from, p.count)
	size := int64(nd.Volume(run.Shape)) * element
	if slices.Equal(run.Shape, p.count) {
		run.Data = contiguous(target, p.count, a.element.Size)
	}
	direct := run.Data != nil
	if !direct {
		run.Data = roomFor(rooms.Take(size), int(size))
	}
	info := value.Info()
	stored := storedChunk{key, info.ETag, &aheadReader{ctx: ctx, value: value}, info.Size}
	if err := a.rows(run.Data, stored, a.chain.specs[0].size, int64(first)*element); err != nil {
		return fault.Errorf("zarr", "%s: %w", key, err)
	}
	if !direct {
		nd.Copy(target, run, p.count, a.element.Size)
		rooms.Put(run.Data)
	}
	return nil
}

// readAhead is the least that an aheadReader reads, so that blocks of a chunk need not a request each.
const readAhead = 1 << 20

// An aheadReader reads a value forward. It keeps the bytes of a request, as the next bytes are mostly among
// them.
type aheadReader struct {
	ctx   context.Context
	value Value
	at    int64
	kept  []byte
}

// ReadAt implements io.ReaderAt.
func (r *aheadReader) ReadAt(dst []byte, off int64) (int, error) {
	size := r.value.Info().Size
	if off < 0 || off > size || int64(len(dst)) > size-off {
		return 0, io.ErrUnexpectedEOF
	}
	if len(dst) >= readAhead {
		return len(dst), r.read(dst, off)
	}
	if off < r.at || off+int64(len(dst)) > r.at+int64(len(r.kept)) {
		kept := roomFor(r.kept, int(min(readAhead, size-off)))
		r.at, r.kept = off, nil
		if err := r.read(kept, off); err != nil {
			return 0, err
		}
		r.kept = kept
	}
	return copy(dst, r.kept[off-r.at:]), nil
}

func (r *aheadReader) read(dst []byte, off int64) error {
	return readAt(r.ctx, r.value, innerChunk{uint64(off), uint64(len(dst))}, dst)
}
