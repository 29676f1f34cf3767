package zarr

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/inflate"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
	"github.com/tgmconv/tgmconv/internal/fault"
)

// The names of codecs that are not in the core specification: those of numcodecs, as zarr-python
// and zarrita register them.
const (
	ShuffleName = "numcodecs.shuffle" // the codec of [ShuffleCodec]
	ZlibName    = "numcodecs.zlib"
)

// newBytesCodec makes a bytes-to-bytes codec of an array with elements of size bytes.
func newBytesCodec(c Codec, size int) (bytesCodec, error) {
	switch c.Name {
	case "zstd":
		return zstdBytes{level: configInt(c, "level", compress.DefaultZstdLevel)}, nil
	case "gzip":
		return gzipBytes{level: configInt(c, "level", 5)}, nil
	case "crc32c":
		return crcBytes{}, nil
	case "blosc":
		return newBloscBytes(c, size)
	case ZlibName:
		return zlibBytes{level: configInt(c, "level", 1)}, nil
	case ShuffleName:
		element := configInt(c, "elementsize", 4)
		if element < 1 || element > 1<<16 {
			return nil, fault.Errorf("zarr", "codec %s: elementsize is %d, expected 1 to %d", c.Name, element, 1<<16)
		}
		return shuffleBytes{element: element}, nil
	}
	return nil, &UnsupportedError{What: fmt.Sprintf("codec %q", c.Name)}
}

// configInt is an integer of a codec's configuration, absent if it has none.
func configInt(c Codec, key string, absent int) int {
	switch v := c.Configuration[key].(type) {
	case int64:
		return int(v)
	case int:
		return v
	case json.Number:
		if n, err := v.Int64(); err == nil && int64(int(n)) == n {
			return int(n)
		}
	}
	return absent
}

type zstdBytes struct{ level int }

func (zstdBytes) decode(src []byte, limit int64) ([]byte, error) {
	var head zstd.Header
	if head.Decode(src) == nil && head.HasFCS && head.FrameContentSize <= uint64(limit) {
		if out, err := compress.DecodeZstd(nil, src, int(head.FrameContentSize)); err == nil { // one frame
			return out, nil
		}
	}
	d, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("codec zstd: %w", err)
	}
	defer d.Close()
	return readLimited("zstd", d, limit)
}

func (z zstdBytes) encode(src []byte) ([]byte, error) { return compress.EncodeZstd(nil, src, z.level) }

type gzipBytes struct{ level int }

func (gzipBytes) decode(src []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("codec gzip: %w", err)
	}
	defer r.Close()
	return readLimited("gzip", r, limit)
}

func (g gzipBytes) encode(src []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := kgzip.NewWriterLevel(&out, g.level)
	if err != nil {
		return nil, fmt.Errorf("codec gzip: %w", err)
	}
	w.Write(src) // a bytes.Buffer never fails
	w.Close()
	return out.Bytes(), nil
}

type zlibBytes struct{ level int }

func (zlibBytes) decode(src []byte, limit int64) ([]byte, error) {
	if limit > math.MaxInt {
		limit = math.MaxInt
	}
	out, err := inflate.ZlibUpTo(src, int(limit))
	if err != nil {
		return nil, fmt.Errorf("codec zlib: %w", err)
	}
	return out, nil
}

func (z zlibBytes) encode(src []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, z.level)
	if err != nil {
		return nil, fmt.Errorf("codec zlib: %w", err)
	}
	w.Write(src)
	w.Close()
	return out.Bytes(), nil
}

// limitedFirst is the memory that readLimited takes before it has read anything.
const limitedFirst = 1 << 20

// readLimited reads r to its end. Memory grows with what is really there, not with what is claimed,
// and not beyond the limit.
func readLimited(codec string, r io.Reader, limit int64) ([]byte, error) {
	limit = min(limit, math.MaxInt-1)
	most := int(limit) + 1 // a byte more says that there is too much
	out := make([]byte, 0, min(most, limitedFirst))
	for {
		if len(out) == cap(out) {
			room := most
			if cap(out) < most/4 {
				room = 4 * cap(out)
			}
			grown := make([]byte, len(out), room)
			copy(grown, out)
			out = grown
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case len(out) == most:
			return nil, fmt.Errorf("codec %s: more than the expected %d bytes", codec, limit)
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("codec %s: after %d bytes: %w", codec, len(out), err)
		}
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crcBytes is the codec crc32c: four bytes, little-endian, after the data.
type crcBytes struct{}

func (crcBytes) decode(src []byte, _ int64) ([]byte, error) {
	n := len(src) - 4
	if n < 0 {
		return nil, fmt.Errorf("codec crc32c: %d bytes, expected at least 4", len(src))
	}
	stored, computed := binary.LittleEndian.Uint32(src[n:]), crc32.Checksum(src[:n], castagnoli)
	if stored != computed {
		return nil, fmt.Errorf("codec crc32c: checksum is %08x, the data give %08x", stored, computed)
	}
	return src[:n], nil
}

func (crcBytes) encode(src []byte) ([]byte, error) {
	out := make([]byte, len(src), len(src)+4)
	copy(out, src)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(src, castagnoli)), nil
}

// shuffleBytes is the filter of HDF5. Bytes after the last whole element stay where they are.
type shuffleBytes struct{ element int }

func (s shuffleBytes) decode(src []byte, _ int64) ([]byte, error) {
	return s.apply(src, shuffle.Decode)
}

func (s shuffleBytes) encode(src []byte) ([]byte, error) { return s.apply(src, shuffle.Encode) }

func (s shuffleBytes) apply(src []byte, do func(dst, src []byte, size int) error) ([]byte, error) {
	out := make([]byte, len(src))
	whole := len(src) - len(src)%s.element
	copy(out[whole:], src[whole:])
	if whole == 0 {
		return out, nil
	}
	if err := do(out[:whole], src[:whole], s.element); err != nil {
		return nil, fmt.Errorf("codec %s: %w", ShuffleName, err)
	}
	return out, nil
}

// bloscBytes is the codec blosc: one buffer of Blosc 1.
type bloscBytes struct{ params blosc.Params }

func newBloscBytes(c Codec, size int) (bytesCodec, error) {
	p := blosc.Params{
		Codec: blosc.LZ4, Level: configInt(c, "clevel", 5),
		TypeSize: configInt(c, "typesize", size), BlockSize: max(configInt(c, "blocksize", 0), 0),
	}
	if name, ok := c.Configuration["cname"].(string); ok {
		codec, err := blosc.ParseCodec(name)
		if err != nil {
			return nil, &UnsupportedError{What: fmt.Sprintf("codec blosc with cname %q", name)}
		}
		p.Codec = codec
	}
	switch mode := c.Configuration["shuffle"]; mode {
	case "shuffle":
		p.Filter = blosc.Shuffle
	case "bitshuffle":
		p.Filter = blosc.BitShuffle
	case "noshuffle", nil:
	default:
		return nil, fault.Errorf("zarr", "codec blosc: shuffle is %v, expected shuffle, bitshuffle or noshuffle", mode)
	}
	return bloscBytes{p}, nil
}

func (bloscBytes) decode(src []byte, limit int64) ([]byte, error) {
	size, err := blosc.ChunkSize(src)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	if int64(size) > limit {
		return nil, fmt.Errorf("codec blosc: %d bytes, expected at most %d", size, limit)
	}
	out, err := blosc.DecodeChunk(nil, src, size)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	return out, nil
}

// bloscRooms is memory for chunks while they are compressed, which may need as much as their elements.
var bloscRooms = sync.Pool{New: func() any { return new([]byte) }}

func (b bloscBytes) encode(src []byte) ([]byte, error) {
	room := bloscRooms.Get().(*[]byte)
	defer bloscRooms.Put(room)
	out, err := blosc.EncodeBlosc1((*room)[:0], src, b.params)
	if err != nil {
		return nil, fmt.Errorf("codec blosc: %w", err)
	}
	*room = out
	return bytes.Clone(out), nil
}
