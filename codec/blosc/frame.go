package blosc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Layout of a frame header, all big-endian. Between the fields lie the MessagePack tags that the
// comments show.
const (
	atMagic       = 2  // "b2frame\0"; before it 9e a8
	atHeaderSize  = 11 // int32, after d2
	atFrameSize   = 16 // uint64, after cf
	atFlags       = 25 // format in the low four bits; after a4
	atKind        = 26 // 0: contiguous
	atCodec       = 27 // codec and 16 times the level
	atSplit       = 28 // split mode less 1
	atSize        = 30 // int64 bytes of the content, after d3
	atChunks      = 39 // int64 bytes of all chunks, after d3
	atTypeSize    = 48 // int32, after d2
	atBlockSize   = 53 // int32, after d2
	atChunkSize   = 58 // int32 bytes of a chunk before compression, after d2
	atVarMeta     = 68 // c3 with variable-length metalayers
	atFilters     = 71
	atMetalayers  = 87 // 93 cd, bytes 2, de, count 2, …
	minHeader     = 97
	trailerSize   = 35
	trailerEnd    = 23 // the trailer's length is this far from its end, after ce
	indexTypeSize = 8
)

const frameMagic = "b2frame\x00"

const (
	// lastFormat is the newest frame format that this package reads.
	lastFormat = 3
	// maxHeader bounds the memory that is kept for metalayers.
	maxHeader = 1 << 20
)

// Frame is an open contiguous frame. Its methods may not be called at the same time.
type Frame struct {
	src       source
	header    int64
	frame     int64
	size      int64
	chunkSize int64
	typeSize  int
	codec     Codec
	chunks    int64 // bytes
	metadata  []byte
	index     []byte // an offset of 8 bytes for each chunk
}

// OpenFrame opens the frame that makes up the size bytes of r. It reads the header and the index.
// The limit is the largest content that the caller accepts, in bytes; it also bounds the memory
// that the index takes.
func OpenFrame(r io.ReaderAt, size, limit int64) (*Frame, error) {
	return openFrame(&reader{r: r, size: size}, size, limit)
}

func openFrame(src source, size, limit int64) (*Frame, error) {
	f := &Frame{src: src}
	if err := f.readHeader(size); err != nil {
		return nil, located(err, 0, "frame header")
	}
	if f.size > limit {
		return nil, formatError("frame header", 0, "%w: %d bytes, at most %d expected", ErrSize, f.size, limit)
	}
	if err := f.readTrailer(); err != nil {
		return nil, located(err, f.frame-trailerEnd, "frame trailer")
	}
	if err := f.readIndex(); err != nil {
		return nil, located(err, f.header+f.chunks, "frame index")
	}
	return f, nil
}

func (f *Frame) readHeader(size int64) error {
	b, err := f.src.window(0, minHeader)
	if err != nil {
		return err
	}
	if string(b[atMagic:atMagic+8]) != frameMagic {
		return fmt.Errorf("begins with % x, expected %q at byte %d", b[:8], frameMagic, atMagic)
	}
	if b[atKind] != 0 {
		return unsupported("a sparse frame")
	}
	if format := b[atFlags] & 15; format > lastFormat {
		return unsupported("frame format %d (expected 0 to %d)", format, lastFormat)
	}
	u64 := func(at int) int64 { return int64(binary.BigEndian.Uint64(b[at:])) }
	u32 := func(at int) int64 { return int64(int32(binary.BigEndian.Uint32(b[at:]))) }
	f.header, f.frame, f.size, f.chunks = u32(atHeaderSize), u64(atFrameSize), u64(atSize), u64(atChunks)
	f.chunkSize = u32(atChunkSize)
	f.codec = Codec(b[atCodec] & 15)
	f.typeSize = int(u32(atTypeSize))
	switch {
	case f.frame != size:
		return fmt.Errorf("the frame has %d bytes, %d are there", f.frame, size)
	case f.header < minHeader || f.header > maxHeader || f.header > f.frame:
		return fmt.Errorf("header of %d bytes", f.header)
	case f.size < 0 || f.size > 0 && f.chunkSize < 1:
		return fmt.Errorf("%d bytes in chunks of %d", f.size, f.chunkSize)
	case f.chunks < 0 || f.chunks > f.frame-f.header-trailerSize:
		return fmt.Errorf("%d bytes of chunks in a frame of %d", f.chunks, f.frame)
	}
	whole, err := f.src.window(0, int(f.header))
	if err == nil {
		f.metadata = append([]byte(nil), whole[atMetalayers:]...)
	}
	return err
}

func (f *Frame) readTrailer() error {
	const lengthTag = 0xce
	b, err := f.src.window(f.frame-trailerEnd, 5)
	if err != nil {
		return err
	}
	n := int64(binary.BigEndian.Uint32(b[1:]))
	if b[0] != lengthTag || n < trailerSize || n > f.frame-f.header-f.chunks {
		return fmt.Errorf("length %d with tag %#x", n, b[0])
	}
	return nil
}

// readIndex reads the offsets of the chunks. An index chunk can be a few bytes for any number of
// equal entries, so their number is bounded by the content first: chunks of less than 8 bytes are
// refused when there are many.
func (f *Frame) readIndex() error {
	const few = 1 << 16
	if f.size == 0 {
		return nil
	}
	n := (f.size-1)/f.chunkSize + 1
	if n > few && n > f.size/indexTypeSize || n > math.MaxInt32/indexTypeSize {
		return fmt.Errorf("%d chunks of %d bytes", n, f.chunkSize)
	}
	d, err := f.chunkAt(f.header + f.chunks)
	if err != nil {
		return err
	}
	if int64(d.size) != indexTypeSize*n {
		return fmt.Errorf("%d bytes for %d chunks", d.size, n)
	}
	f.index = make([]byte, d.size)
	return d.decode(f.index, 0)
}

// chunkAt reads the header of the chunk at an offset.
func (f *Frame) chunkAt(at int64) (*chunkDecoder, error) {
	n := min(headerSize2, f.frame-at)
	b, err := f.src.window(at, int(max(n, 0)))
	if err != nil {
		return nil, err
	}
	c, err := parseChunk(b, f.frame-at)
	if err != nil {
		return nil, err
	}
	return &chunkDecoder{chunk: c, src: f.src, at: at}, nil
}

// Size returns the number of bytes that the frame holds.
func (f *Frame) Size() int64 { return f.size }

// TypeSize returns the size of an element in bytes.
func (f *Frame) TypeSize() int { return f.typeSize }

// BlockSize returns how many bytes of the content are decoded together. They are the blocks of
// the first chunk, or the whole content if that is not stored.
func (f *Frame) BlockSize() int {
	if len(f.index) >= indexTypeSize {
		if entry := binary.LittleEndian.Uint64(f.index); entry < uint64(f.chunks) {
			if d, err := f.chunkAt(f.header + int64(entry)); err == nil && d.blockSize > 0 {
				return d.blockSize
			}
		}
	}
	return int(max(min(f.size, f.chunkSize), 1))
}

// Codec returns the codec that the frame names. A chunk may use another codec.
func (f *Frame) Codec() Codec { return f.codec }

// Chunks returns the number of chunks.
func (f *Frame) Chunks() int { return len(f.index) / indexTypeSize }

// ReadAt reads len(p) bytes of the content from byte off on. It decodes only the blocks that hold
// them. It implements io.ReaderAt.
func (f *Frame) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("blosc: offset %d is negative", off)
	}
	for len(p) > 0 && off < f.size {
		i := off / f.chunkSize
		begin := i * f.chunkSize
		size := min(f.chunkSize, f.size-begin)
		part := min(int64(len(p)), begin+size-off)
		if err := f.readChunk(p[:part], int(i), int(size), int(off-begin)); err != nil {
			return n, fmt.Errorf("chunk %d of %d: %w", i, f.Chunks(), err)
		}
		p, off, n = p[part:], off+part, n+int(part)
	}
	if len(p) > 0 {
		return n, io.EOF
	}
	return n, nil
}

// readChunk reads len(dst) bytes of a chunk of size bytes from byte skip on.
func (f *Frame) readChunk(dst []byte, i, size, skip int) error {
	const (
		notStored   = 1 << 63
		specialBits = 56
	)
	entry := binary.LittleEndian.Uint64(f.index[indexTypeSize*i:])
	if entry&notStored != 0 {
		d := chunkDecoder{chunk: &chunk{typeSize: f.typeSize, special: special(entry >> specialBits & 7)}}
		switch d.special {
		case specialNaN:
			if f.typeSize != 4 && f.typeSize != 8 {
				return formatError("index", f.header+f.chunks, "NaN in elements of %d bytes", f.typeSize)
			}
		case specialZeros, specialUninitialized:
		default:
			return unsupported("special value %d in the index", d.special)
		}
		return d.decodePlain(dst, skip)
	}
	if entry >= uint64(f.chunks) {
		return formatError("index", f.header+f.chunks, "the chunk begins at byte %d of %d", entry, f.chunks)
	}
	at := f.header + int64(entry)
	d, err := f.chunkAt(at)
	if err != nil {
		return located(err, at, "chunk header")
	}
	if d.size != size {
		return formatError("chunk header", at, "%w: %d bytes, expected %d", ErrSize, d.size, size)
	}
	return d.decode(dst, skip)
}

// FrameSize returns the number of bytes that the frame in src claims to hold.
func FrameSize(src []byte) (int64, error) {
	f := &Frame{src: memory(src)}
	if err := f.readHeader(int64(len(src))); err != nil {
		return 0, located(err, 0, "frame header")
	}
	return f.size, nil
}

// Decode returns the want bytes that the frame in src holds, in dst's memory if that is large
// enough.
func Decode(dst, src []byte, want int) ([]byte, error) {
	f, err := openFrame(memory(src), int64(len(src)), int64(want))
	if err != nil {
		return nil, err
	}
	return f.decode(dst, want)
}

func (f *Frame) decode(dst []byte, want int) ([]byte, error) {
	if f.size != int64(want) {
		return nil, formatError("frame header", 0, "%w: %d bytes, expected %d", ErrSize, f.size, want)
	}
	out := room(dst, want)
	_, err := f.ReadAt(out, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return out, err
}
