package blosc

import (
	"encoding/binary"
	"math"
)

// Sizes of chunk headers.
const (
	headerSize1 = 16
	headerSize2 = 32
)

// The highest format numbers of a header that this package reads.
const (
	formatBlosc1 = 2
	formatBlosc2 = 5
)

// Flags of a chunk header (byte 2). Bits 5 to 7 are the format of the streams.
const (
	flagShuffle    = 0x01
	flagStored     = 0x02
	flagBitShuffle = 0x04
	flagDelta      = 0x08
	flagUnsplit    = 0x10
	// flagExtended is the combination that marks the header of 32 bytes.
	flagExtended = flagShuffle | flagBitShuffle
)

// Flags of the last byte of a header of 32 bytes. Bits 4 to 6 are a special value.
const (
	flag2Dictionary = 0x01
	flag2Lazy       = 0x08
)

// special says that a chunk has no blocks because its content follows from its header.
type special uint8

const (
	specialNone          special = 0
	specialZeros         special = 1
	specialNaN           special = 2
	specialValue         special = 3 // a value follows the header
	specialUninitialized special = 4
)

// Formats of streams (bits 5 to 7 of the flags).
const (
	streamBloscLZ = 0
	streamLZ4     = 1
	streamSnappy  = 2
	streamZlib    = 3
	streamZstd    = 4
)

// chunk is the header of a buffer of Blosc 1 or a chunk of Blosc 2:
//
//	format 1, version of the codec 1, flags 1, type size 1,
//	bytes of the content 4, bytes of a block 4, bytes of the chunk 4,
//	Blosc 2: filters 6, codec 1, its parameter 1, parameters of filters 6, 0, flags 1
type chunk struct {
	flags      byte
	typeSize   int
	size       int // of the content
	blockSize  int
	stored     int // bytes of the chunk with header
	header     int // bytes of the header
	filters    [6]Filter
	special    special
	dictionary bool
}

// parseChunk reads and checks the header at the start of b. The chunk may have available bytes.
func parseChunk(b []byte, available int64) (*chunk, error) {
	if len(b) < headerSize1 {
		return nil, ErrTruncated
	}
	c := &chunk{flags: b[2], typeSize: int(b[3]), header: headerSize1}
	size, block := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	stored := binary.LittleEndian.Uint32(b[12:])
	if size > math.MaxInt32 || block > math.MaxInt32 || stored > math.MaxInt32 {
		return nil, formatError("chunk header", 0, "sizes %d, %d and %d, expected less than 2^31", size, block, stored)
	}
	c.size, c.blockSize, c.stored = int(size), int(block), int(stored)
	last := formatBlosc1
	if c.flags&flagExtended == flagExtended {
		c.header, last = headerSize2, formatBlosc2
	}
	if b[0] < 1 || int(b[0]) > last {
		return nil, unsupported("chunk format %d (expected 1 to %d)", b[0], last)
	}
	if len(b) < c.header {
		return nil, ErrTruncated
	}
	if c.stored < c.header || int64(c.stored) > available {
		return nil, formatError("chunk header", 0, "%d bytes in the chunk, %d are there: %w", c.stored, available, ErrTruncated)
	}
	if c.typeSize == 0 {
		c.typeSize = 1
	}
	if c.header == headerSize2 {
		if err := c.parseExtension(b); err != nil {
			return nil, err
		}
	} else if c.flags&flagBitShuffle != 0 {
		c.filters[0] = BitShuffle
	} else if c.flags&flagShuffle != 0 {
		c.filters[0] = Shuffle
	}
	return c, c.checkBlocks()
}

// parseExtension reads the second half of a header of 32 bytes.
func (c *chunk) parseExtension(b []byte) error {
	for i := range c.filters {
		c.filters[i] = Filter(b[16+i])
		if c.filters[i] > TruncPrec {
			return unsupported("filter %d", c.filters[i])
		}
	}
	if b[31]&flag2Lazy != 0 {
		return unsupported("a lazy chunk")
	}
	c.dictionary = b[31]&flag2Dictionary != 0
	c.special = special(b[31] >> 4 & 7)
	switch value := c.stored - c.header; {
	case c.special > specialUninitialized:
		return unsupported("special value %d", c.special)
	case c.special == specialValue && (value < 1 || c.size%value != 0):
		return formatError("chunk header", 0, "a repeated value of %d bytes in a content of %d", value, c.size)
	case c.special == specialNaN && (c.typeSize != 4 && c.typeSize != 8 || c.size%c.typeSize != 0):
		return formatError("chunk header", 0, "NaN in %d bytes of elements of %d", c.size, c.typeSize)
	}
	return nil
}

// checkBlocks checks the sizes of the parts after the header.
func (c *chunk) checkBlocks() error {
	switch {
	case c.special != specialNone || c.size == 0:
		return nil
	case c.flags&flagStored != 0:
		if c.stored-c.header < c.size {
			return formatError("chunk header", 0, "%d bytes stored in %d: %w", c.size, c.stored, ErrTruncated)
		}
		return nil
	case c.blockSize < 1:
		return formatError("chunk header", 0, "blocks of %d bytes", c.blockSize)
	case c.blocks() > (c.stored-c.header)/4:
		return formatError("chunk header", 0, "%d blocks in %d bytes: %w", c.blocks(), c.stored, ErrTruncated)
	}
	switch c.flags >> 5 {
	case streamBloscLZ, streamLZ4, streamZlib, streamZstd:
	case streamSnappy:
		return unsupported("Snappy")
	default:
		return unsupported("a codec with format %d", c.flags>>5)
	}
	if c.dictionary && c.flags>>5 != streamZstd {
		return unsupported("a dictionary of a codec other than zstd")
	}
	return nil
}

// plain reports whether the chunk has no blocks.
func (c *chunk) plain() bool {
	return c.special != specialNone || c.flags&flagStored != 0 || c.size == 0
}

func (c *chunk) blocks() int { return (c.size + c.blockSize - 1) / c.blockSize }

// streams returns the number of streams of a block of n bytes.
func (c *chunk) streams(n int) int {
	// Blocks that Blosc 1 splits.
	const smallest = 128
	switch {
	case c.flags&flagUnsplit != 0 || n != c.blockSize:
		return 1
	case c.header == headerSize1 && (c.typeSize > widest || c.blockSize/c.typeSize < smallest):
		return 1
	}
	return c.typeSize
}

func (c *chunk) has(f Filter) bool {
	for _, g := range c.filters {
		if f == g {
			return true
		}
	}
	return false
}
