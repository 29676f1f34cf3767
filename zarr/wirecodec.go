package zarr

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/semaphore"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/lru"
)

// A WireCodec compresses the chunks of a [DatasetView] that are decoded; those that are served as
// they are stored keep the codec they have.
type WireCodec string

// The codecs of chunks on the wire.
const (
	WireNone  WireCodec = ""      // little-endian elements
	WireZstd  WireCodec = "zstd"  // zstd, level 1
	WireBlosc WireCodec = "blosc" // Blosc: bit shuffle, zstd, level 1
)

// chain is the chain of codecs for chunks of a type.
func (w WireCodec) chain(t DataType) ([]Codec, error) {
	chain := PlainCodecs(t)
	switch w {
	case WireNone:
		return chain, nil
	case WireZstd:
		return append(chain, Codec{Name: "zstd", Configuration: map[string]any{"level": int64(1), "checksum": false}}), nil
	case WireBlosc:
		return append(chain, Codec{Name: "blosc", Configuration: map[string]any{
			"cname": "zstd", "clevel": int64(1), "shuffle": "bitshuffle", "typesize": int64(t.Size()), "blocksize": int64(0),
		}}), nil
	}
	return nil, fmt.Errorf("zarr: codec %q of chunks, expected zstd, blosc or none", string(w))
}

// keptEncoded bounds the compressed chunks that are kept.
const keptEncoded = 64 << 20

// A wire compresses chunks and keeps those that were asked for last: how long a chunk is must be
// known before it is sent.
type wire struct {
	codec  WireCodec
	chunks *lru.Cache[[]byte]
	busy   *semaphore.Weighted
}

func newWire(codec WireCodec) *wire {
	return &wire{codec, lru.New(lru.Options[[]byte]{Limit: keptEncoded, Cost: bytesCost}), semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
}

// compresses reports whether decoded chunks of a variable are compressed.
func (w *wire) compresses(variable *dataset.Variable) bool {
	return w.codec != WireNone && !variable.Computed() && !variable.Coordinate && variable.Text == dataset.NotText
}

// chunk is the compressed form of a chunk of elements. It holds no memory until it is read.
func (w *wire) chunk(ctx context.Context, key string, meta *ArrayMetadata, c Chunk) (Chunk, error) {
	data, err := w.encoded(ctx, key, meta, c)
	if err != nil {
		return Chunk{}, fmt.Errorf("zarr: %s: %w", key, err)
	}
	out := Chunk{Size: int64(len(data)), ETag: c.ETag}
	if c.ETag != "" {
		out.ETag = c.ETag[:len(c.ETag)-1] + "-" + string(w.codec) + `"`
	}
	out.Decode = func([]byte) ([]byte, error) { return w.encoded(context.Background(), key, meta, c) }
	return out, nil
}

// encoded compresses a chunk, or takes it from those that were compressed before.
func (w *wire) encoded(ctx context.Context, key string, meta *ArrayMetadata, c Chunk) ([]byte, error) {
	return w.chunks.Get(ctx, key+"\x00"+c.ETag, func() ([]byte, error) {
		// All who wait for the chunk share this call, so that no request's context may end it.
		if err := w.busy.Acquire(context.Background(), 1); err != nil {
			return nil, err
		}
		defer w.busy.Release(1)
		coder, err := NewCoder(meta)
		if err != nil {
			return nil, err
		}
		elements, err := c.Bytes(nil)
		if err != nil {
			return nil, err
		}
		data, err := coder.Encode(elements)
		return bytes.Clone(data), err // an encoder leaves room for what does not compress
	})
}
