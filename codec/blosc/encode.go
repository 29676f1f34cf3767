package blosc

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/pierrec/lz4/v4"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

// encoder compresses chunks. It keeps the state of the codecs from one chunk to the next.
type encoder struct {
	Params
	header    int // bytes of a chunk header
	blockSize int // of the chunk before, 0 at first
	unsplit   bool
	filtered  []byte
	scratch   []byte
	lz        bloscLZ
	lz4       lz4.Compressor
	lz4hc     lz4.CompressorHC
	zlib      *zlib.Writer
	zstd      [widest]compress.ZstdSeries // of each stream of a block
}

// encoders keeps idle encoders, whose tables are large.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder(p Params, header int) *encoder {
	e := encoders.Get().(*encoder)
	if e.Level != p.Level {
		e.zlib = nil
	}
	e.Params, e.header, e.blockSize, e.unsplit = p, header, 0, false
	return e
}

// chunkOf returns the header of a chunk of size bytes, with its block size.
func (e *encoder) chunkOf(size int) *chunk {
	c := &chunk{typeSize: e.TypeSize, size: size, header: e.header, filters: e.slots()}
	c.blockSize = e.pickBlockSize(size)
	e.blockSize = c.blockSize
	c.flags = e.streamFormat() << 5
	if !e.splits(c.blockSize) {
		c.flags |= flagUnsplit
	}
	if e.header == headerSize2 {
		c.flags |= flagExtended
		return c
	}
	switch e.Filter {
	case Shuffle:
		c.flags |= flagShuffle
	case BitShuffle:
		c.flags |= flagBitShuffle
	}
	return c
}

func (e *encoder) streamFormat() byte {
	switch e.Codec {
	case LZ4, LZ4HC:
		return streamLZ4
	case Zlib:
		return streamZlib
	case Zstd:
		return streamZstd
	}
	return streamBloscLZ
}

// widest is the largest element whose bytes have streams of their own.
const widest = 16

// splits reports whether blocks of size bytes are split into a stream for each byte of an element.
func (e *encoder) splits(size int) bool {
	const (
		smallest2 = 32
		smallest1 = 128 // a decoder of Blosc 1 takes smaller blocks as not split
	)
	smallest := smallest2
	if e.header == headerSize1 {
		smallest = smallest1
	}
	fast := e.Codec == BloscLZ || e.Codec == LZ4 || e.Codec == Zstd && e.Level <= 5
	return fast && !e.unsplit && e.Filter == Shuffle && e.TypeSize <= widest && size/e.TypeSize >= smallest
}

// pickBlockSize returns the size of the blocks of a chunk of size bytes.
func (e *encoder) pickBlockSize(size int) int {
	const kib, largest = 1 << 10, 4 << 20
	if size < e.TypeSize {
		return 1
	}
	block := size
	if e.blockSize > 0 {
		block = e.blockSize
	} else if e.BlockSize > 0 {
		block = min(max(e.BlockSize, minBlockSize), maxBlockSize)
	} else if block >= 32*kib {
		slow := e.Codec == LZ4HC || e.Codec == Zlib || e.Codec == Zstd
		block = 32 * kib
		if slow {
			block = 64 * kib
		}
		quarters := [10]int{1, 2, 4, 8, 16, 16, 32, 32, 32, 32}[e.Level]
		if slow && e.Level == 9 {
			quarters = 64
		}
		block = block * quarters / 4
	}
	if e.Level > 0 && e.splits(size) && e.blockSize == 0 && e.BlockSize == 0 {
		perByte := [10]int{0, 32, 32, 32, 64, 64, 64, 128, 256, 512}[e.Level] * kib
		block = max(min(perByte*e.TypeSize, largest), 32*kib)
	}
	block = min(block, size)
	if block > e.TypeSize {
		block -= block % e.TypeSize
	}
	return block
}

// minCompressed is the size from which a chunk is compressed at all.
const minCompressed = 32

// chunk appends the chunk that holds src to dst. It reports by zeros that all its streams are zero
// bytes; the caller may then use a special value instead.
func (e *encoder) chunk(dst, src []byte) (out []byte, zeros bool, err error) {
	c := e.chunkOf(len(src))
	budget := len(src) + e.header
	start := len(dst)
	dst = grow(dst, budget)
	if e.Level == 0 || len(src) < minCompressed {
		c.flags = flagStored | c.flags&(flagExtended)
		return e.store(dst, start, src, c), false, nil
	}
	n, zeros, err := e.blocks(dst[start:start+budget], src, c)
	switch {
	case err != nil:
		return dst[:start], false, err
	case n == 0:
		c.flags |= flagStored
		return e.store(dst, start, src, c), false, nil
	}
	c.stored = n
	e.putHeader(dst[start:], c)
	return dst[:start+n], zeros, nil
}

func (e *encoder) store(dst []byte, start int, src []byte, c *chunk) []byte {
	c.stored = e.header + len(src)
	e.putHeader(dst[start:], c)
	copy(dst[start+e.header:], src)
	return dst[:start+c.stored]
}

// blocks compresses src into dst after the room for the header. It returns the bytes written, or 0
// when dst has no room for them.
func (e *encoder) blocks(dst, src []byte, c *chunk) (n int, zeros bool, err error) {
	n = e.header + 4*c.blocks()
	if n > len(dst) {
		return 0, false, nil
	}
	e.filtered = room(e.filtered, c.blockSize)
	zeros = true
	clear(e.zstd[:])
	for i := range c.blocks() {
		binary.LittleEndian.PutUint32(dst[e.header+4*i:], uint32(n))
		block := src[i*c.blockSize : min((i+1)*c.blockSize, len(src))]
		if e.Filter != NoFilter {
			if err := filter(e.filtered[:len(block)], block, e.Filter, c); err != nil {
				return 0, false, err
			}
			block = e.filtered[:len(block)]
		}
		streams := c.streams(len(block))
		each := len(block) / streams
		for k := range streams {
			var zero bool
			if n, zero, err = e.stream(dst, n, block[k*each:(k+1)*each], k); n == 0 || err != nil {
				return 0, false, err
			}
			zeros = zeros && zero
		}
	}
	return n, zeros, nil
}

// stream writes stream k of a block to dst at n and returns its end, 0 without room. It reports
// by zero that src has only zero bytes.
func (e *encoder) stream(dst []byte, n int, src []byte, k int) (end int, zero bool, err error) {
	length := n
	n += 4
	if n > len(dst) {
		return 0, false, nil
	}
	put := func(c int32) { binary.LittleEndian.PutUint32(dst[length:], uint32(c)) }
	if e.header == headerSize2 && same(src) {
		if src[0] == 0 {
			put(0)
			return n, true, nil
		}
		if n+1 > len(dst) {
			return 0, false, nil
		}
		put(-int32(src[0]))
		dst[n] = 1
		return n + 1, false, nil
	}
	capacity := min(len(src), len(dst)-n)
	if capacity <= 0 {
		return 0, false, nil
	}
	size, err := e.compress(dst[n:n+capacity:n+capacity], src, k)
	if err != nil {
		return 0, false, err
	}
	if size > 0 && size < len(src) {
		put(int32(size))
		return n + size, false, nil
	}
	if n+len(src) > len(dst) {
		return 0, false, nil
	}
	put(int32(len(src)))
	return n + copy(dst[n:], src), false, nil
}

// same reports whether all bytes of b are equal.
func same(b []byte) bool { return len(b) == 1 || b[0] == b[1] && matchEnd(b, 0, 1) == len(b) }

// compress compresses src, stream k of a block, into dst. It returns 0 when that is not large
// enough.
func (e *encoder) compress(dst, src []byte, k int) (int, error) {
	var out []byte
	var err error
	switch e.Codec {
	case BloscLZ:
		return e.lz.encode(dst, src, e.Level), nil
	case LZ4:
		return fitting(e.lz4.CompressBlock(src, dst))
	case LZ4HC:
		e.lz4hc.Level = lz4.CompressionLevel(1 << e.Level) // candidates for a match; the C library tries half as many
		return fitting(e.lz4hc.CompressBlock(src, dst))
	case Zlib:
		out, err = e.deflate(src)
	case Zstd:
		out, err = e.zstd[k].Encode(e.scratch[:0], src, zstdLevel(e.Level))
	}
	if err != nil {
		return 0, fmt.Errorf("blosc: %v: %w", e.Codec, err)
	}
	e.scratch = out
	if len(out) > len(dst) {
		return 0, nil
	}
	return copy(dst, out), nil
}

// fitting turns the error of an lz4 encoder, which means that there is no room, into 0.
func fitting(n int, err error) (int, error) {
	if err != nil {
		n = 0
	}
	return n, nil
}

// zstdLevel returns the level of zstd for a level of Blosc.
func zstdLevel(level int) int {
	if level == 9 {
		return 22
	}
	return 2*level - 1
}

func (e *encoder) deflate(src []byte) ([]byte, error) {
	w := appender(e.scratch[:0])
	if e.zlib == nil {
		z, err := zlib.NewWriterLevel(&w, e.Level)
		if err != nil {
			return nil, err
		}
		e.zlib = z
	}
	e.zlib.Reset(&w)
	if _, err := e.zlib.Write(src); err != nil {
		return nil, err
	}
	err := e.zlib.Close()
	return w, err
}

type appender []byte

func (a *appender) Write(b []byte) (int, error) {
	*a = append(*a, b...)
	return len(b), nil
}

// putHeader writes the header of c.
func (e *encoder) putHeader(dst []byte, c *chunk) {
	dst[0] = formatBlosc2
	dst[1] = 1
	dst[2] = c.flags
	dst[3] = byte(c.typeSize)
	binary.LittleEndian.PutUint32(dst[4:], uint32(c.size))
	binary.LittleEndian.PutUint32(dst[8:], uint32(c.blockSize))
	binary.LittleEndian.PutUint32(dst[12:], uint32(c.stored))
	if e.header == headerSize1 {
		dst[0] = formatBlosc1
		return
	}
	clear(dst[headerSize1:headerSize2])
	for i, f := range c.filters {
		dst[16+i] = byte(f)
	}
	dst[22] = byte(e.Codec)
	dst[31] = byte(c.special) << 4
}

// grow extends b by n bytes of unspecified content.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	out := make([]byte, len(b)+n)
	copy(out, b)
	return out
}

// EncodeBlosc1 appends to dst one buffer of Blosc 1 that holds src, less than 2 GiB. C-Blosc,
// C-Blosc2, HDF5 filter 32001 and the blosc codec of Zarr read it. ChunkSize is ignored.
func EncodeBlosc1(dst, src []byte, p Params) ([]byte, error) {
	p.ChunkSize = 0
	p, err := p.checked()
	if err != nil {
		return dst, err
	}
	if len(src) > maxChunkSize {
		return dst, &ParamError{"size", len(src), "less than 2 GiB"}
	}
	e := newEncoder(p, headerSize1)
	defer encoders.Put(e)
	out, _, err := e.chunk(dst, src)
	return out, err
}
