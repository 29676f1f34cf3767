package blosc

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

// ChunkSize returns the number of bytes that a buffer of Blosc 1 or chunk of Blosc 2 claims
// to hold.
func ChunkSize(src []byte) (int, error) {
	c, err := parseChunk(src, int64(len(src)))
	if err != nil {
		return 0, located(err, 0, "chunk header")
	}
	return c.size, nil
}

// DecodeChunk returns the want bytes that src holds, in dst's memory if that is large enough. The
// source is a buffer of Blosc 1 or a chunk of Blosc 2; bytes after it are ignored.
func DecodeChunk(dst, src []byte, want int) ([]byte, error) {
	c, err := parseChunk(src, int64(len(src)))
	if err != nil {
		return nil, located(err, 0, "chunk header")
	}
	if c.size != want {
		return nil, formatError("chunk header", 0, "%w: %d bytes, expected %d", ErrSize, c.size, want)
	}
	out := room(dst, want)
	d := chunkDecoder{chunk: c, src: memory(src)}
	return out, d.decode(out, 0)
}

// DecodePart reads len(dst) bytes of the content of the buffer of Blosc 1 or chunk of Blosc 2 in r. It
// begins at byte skip. The content must have want bytes. Of r, which has size bytes, only the header and
// the blocks with these bytes are read, in their order.
func DecodePart(dst []byte, r io.ReaderAt, size int64, want, skip int) error {
	if skip < 0 || want-len(dst) < skip {
		return fmt.Errorf("blosc: %d bytes from byte %d on, of %d", len(dst), skip, want)
	}
	src := &reader{r: r, size: size}
	head, err := src.window(0, int(min(size, headerSize2)))
	if err != nil {
		return located(err, 0, "chunk header")
	}
	c, err := parseChunk(head, size)
	if err != nil {
		return located(err, 0, "chunk header")
	}
	if c.size != want {
		return formatError("chunk header", 0, "%w: %d bytes, expected %d", ErrSize, c.size, want)
	}
	d := chunkDecoder{chunk: c, src: src}
	return d.decode(dst, skip)
}

// chunkDecoder decodes parts of one chunk.
type chunkDecoder struct {
	*chunk
	src    source
	at     int64    // of the chunk in src
	starts []uint32 // of blocks, from the start of the chunk
	sorted []uint32 // starts, when they do not rise
	dict   []byte
	first  []byte // the first block without filters, when the delta filter needs it
	// Room for two blocks.
	one, two []byte
}

// decode writes the bytes of the content from byte skip on to dst.
func (d *chunkDecoder) decode(dst []byte, skip int) error {
	if len(dst) == 0 {
		return nil
	}
	if d.plain() {
		return d.decodePlain(dst, skip)
	}
	if err := d.prepare(); err != nil {
		return err
	}
	for i := skip / d.blockSize; len(dst) > 0; i++ {
		begin := i * d.blockSize
		n := min(d.blockSize, d.size-begin)
		from := skip - begin
		part := min(n-from, len(dst))
		var err error
		if part == n {
			err = d.block(dst[:n], i)
		} else {
			whole := make([]byte, n)
			err = d.block(whole, i)
			copy(dst[:part], whole[from:])
		}
		if err != nil {
			return located(err, d.at+int64(d.starts[i]), "block %d of %d", i, d.blocks())
		}
		dst, skip = dst[part:], skip+part
	}
	return nil
}

// decodePlain decodes a chunk without blocks.
func (d *chunkDecoder) decodePlain(dst []byte, skip int) error {
	switch d.special {
	case specialNone:
		b, err := d.src.window(d.at+int64(d.header+skip), len(dst))
		copy(dst, b)
		return located(err, d.at, "stored chunk")
	case specialNaN:
		quiet := []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}
		if d.typeSize == 4 {
			quiet = []byte{0, 0, 0xc0, 0x7f}
		}
		repeat(dst, quiet, skip)
	case specialValue:
		value, err := d.src.window(d.at+int64(d.header), d.stored-d.header)
		if err != nil {
			return located(err, d.at, "repeated value")
		}
		repeat(dst, value, skip)
	default:
		clear(dst)
	}
	return nil
}

// repeat fills dst with a part of a repeated value that begins at byte skip.
func repeat(dst, value []byte, skip int) {
	n := copy(dst, value[skip%len(value):])
	for n < len(dst) && n < len(value) {
		n += copy(dst[n:], value[:len(value)-n])
	}
	for n < len(dst) {
		n += copy(dst[n:], dst[:n/len(value)*len(value)])
	}
}

// prepare reads the block starts and the dictionary.
func (d *chunkDecoder) prepare() error {
	n := d.blocks()
	b, err := d.src.window(d.at+int64(d.header), 4*n)
	if err != nil {
		return located(err, d.at, "block starts")
	}
	d.starts = make([]uint32, n)
	rising := true
	for i := range d.starts {
		d.starts[i] = binary.LittleEndian.Uint32(b[4*i:])
		if int64(d.starts[i]) < int64(d.header+4*n) || int64(d.starts[i]) > int64(d.stored) {
			return located(fmt.Errorf("block %d begins at byte %d of %d", i, d.starts[i], d.stored), d.at, "block starts")
		}
		rising = rising && (i == 0 || d.starts[i] > d.starts[i-1])
	}
	d.sorted = d.starts
	if !rising {
		d.sorted = slices.Clone(d.starts)
		slices.Sort(d.sorted)
	}
	// A block is at most the whole content, which the caller has room for.
	scratch := min(d.blockSize, d.size)
	if d.dictionary {
		if err := d.readDictionary(); err != nil {
			return located(err, d.at, "dictionary")
		}
	}
	if d.has(Delta) {
		first := make([]byte, scratch)
		if err := d.block(first, 0); err != nil {
			return located(err, d.at+int64(d.starts[0]), "block 0 of %d", n)
		}
		d.first = first
	}
	return nil
}

func (d *chunkDecoder) readDictionary() error {
	const largest = 128 << 10
	at := d.header + 4*d.blocks()
	if at+4 > d.stored {
		return ErrTruncated
	}
	b, err := d.src.window(d.at+int64(at), 4)
	if err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if n > largest || n > int64(d.stored-at-4) {
		return fmt.Errorf("%d bytes, at most %d expected: %w", n, min(largest, d.stored-at-4), ErrTruncated)
	}
	b, err = d.src.window(d.at+int64(at+4), int(n))
	d.dict = slices.Clone(b)
	return err
}

// end returns where the data of the block that begins at start end at the latest. The next block
// begins there. Blocks may lie in any order.
func (d *chunkDecoder) end(start uint32) int {
	i, _ := slices.BinarySearch(d.sorted, start+1)
	if i == len(d.sorted) {
		return d.stored
	}
	return int(d.sorted[i])
}

// block decodes block i, which has the size of dst.
func (d *chunkDecoder) block(dst []byte, i int) error {
	if i == 0 && d.first != nil {
		copy(dst, d.first)
		return nil
	}
	start := int(d.starts[i])
	b, err := d.src.window(d.at+int64(start), d.end(uint32(start))-start)
	if err != nil {
		return err
	}
	undo := d.pipeline(len(dst))
	out := dst[:len(dst):len(dst)] // blocks that follow may be decoded at the same time
	if len(undo) > 0 {
		d.one = room(d.one, len(dst)+compress.ZstdRoom)[:len(dst)]
		out = d.one
	}
	streams := d.streams(len(dst))
	if len(dst)%streams != 0 {
		return fmt.Errorf("%d streams in a block of %d bytes", streams, len(dst))
	}
	each := len(dst) / streams
	for k := range streams {
		if b, err = d.stream(out[k*each:(k+1)*each], b); err != nil {
			return fmt.Errorf("stream %d of %d: %w", k, streams, err)
		}
	}
	return d.unfilter(dst, out, undo)
}

// stream decodes one stream from the start of src into dst and returns the rest of src. A stream is
// a length c of 4 bytes and
//
//	c = 0          nothing: zero bytes
//	-256 < c < 0   a token with bit 0 set: all bytes are -c
//	c = len(dst)   the bytes
//	other c > 0    c bytes of compressed data
//
// The first two are not in Blosc 1.
func (d *chunkDecoder) stream(dst, src []byte) ([]byte, error) {
	const runToken = 1
	if len(src) < 4 {
		return nil, ErrTruncated
	}
	n := int(int32(binary.LittleEndian.Uint32(src)))
	src = src[4:]
	switch {
	case n <= 0 && d.header == headerSize1 || n < -255:
		return nil, fmt.Errorf("length %d", n)
	case n == 0:
		clear(dst)
		return src, nil
	case n < 0:
		if len(src) < 1 {
			return nil, ErrTruncated
		}
		if src[0]&runToken == 0 {
			return nil, fmt.Errorf("token %#x, expected a run", src[0])
		}
		fill(dst, byte(-n))
		return src[1:], nil
	case n > len(src):
		return nil, fmt.Errorf("%d bytes, %d are there: %w", n, len(src), ErrTruncated)
	case n == len(dst):
		copy(dst, src)
		return src[n:], nil
	}
	return src[n:], d.decompress(dst, src[:n])
}

// fill sets all bytes of dst to v; dst must not be empty.
func fill(dst []byte, v byte) {
	dst[0] = v
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}
