package sz3

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

const (
	magic      = 0xf342f310
	version    = 0x03030200 // of the data, 3.3.2; the low byte does not count
	headerSize = 16
)

// algorithm is how values are predicted.
type algorithm uint8

const (
	lorenzo       algorithm = 0
	interpolation algorithm = 2
	lossless      algorithm = 4
)

// Flags of the configuration.
const (
	flagLorenzo1   = 0x80
	flagLorenzo2   = 0x40
	flagRegression = 0x20
)

// typeDouble is the data type of the configuration.
const typeDouble = 1

// config is the part of the configuration that counts. It is
//
//	size of the configuration 1, dimensions 1, bits w of a dimension 1,
//	dimensions, w bits each, lowest first, in whole bytes,
//	number of values 8, algorithm 1, mode of the bound 1, bound 8 (modes 4 and 5: two),
//	flags 1, data type 1, bins 4, block size 4, 1
type config struct {
	values    int
	algorithm algorithm
	flags     uint8
	blockSize int // of Lorenzo
}

// Values returns the number of values that the stream claims to hold.
func Values(src []byte) (int, error) {
	_, c, err := parse(src)
	return c.values, err
}

// parse splits a stream into its payload and its configuration.
func parse(src []byte) (payload []byte, c config, err error) {
	in := cursor{b: src}
	m, v, size := in.u32(), in.u32(), in.u64()
	switch {
	case in.short:
		return nil, c, &FormatError{"header", ErrTruncated}
	case m != magic:
		return nil, c, formatError("header", "begins with %#08x, expected %#08x", m, uint32(magic))
	case v>>8 != version>>8:
		return nil, c, unsupported("version %d.%d.%d (expected 3.3.2)", v>>24, v>>16&255, v>>8&255)
	}
	payload = in.take(size)
	if in.short {
		return nil, c, formatError("header", "%d bytes of payload, %d are there: %w", size, len(src)-headerSize, ErrTruncated)
	}
	c, err = parseConfig(in.b)
	return payload, c, err
}

func parseConfig(b []byte) (c config, err error) {
	const part = "configuration"
	if len(b) < 1 || b[0] < 1 || len(b) < int(b[0]) {
		return c, &FormatError{part, ErrTruncated}
	}
	in := cursor{b: b[1:b[0]]}
	dims, width := in.u8(), in.u8()
	if dims != 1 {
		return c, unsupported("an array of %d dimensions", dims)
	}
	if width > 64 {
		return c, formatError(part, "dimensions of %d bits", width)
	}
	var length uint64
	for i, v := range in.take(uint64(width+7) / 8) {
		length |= uint64(v) << (8 * i)
	}
	if width < 64 {
		length &= 1<<width - 1
	}
	n := in.u64()
	c.algorithm = algorithm(in.u8())
	bounds := uint64(1)
	if mode := in.u8(); mode > 3 {
		bounds = 2
	}
	in.take(8 * bounds)
	c.flags = in.u8()
	kind := in.u8()
	in.u32() // bins: the quantizer has them, too
	block := in.u32()
	in.u8()
	switch {
	case in.short:
		return c, &FormatError{part, ErrTruncated}
	case n != length || n == 0 || n > math.MaxInt/8:
		return c, formatError(part, "%d values in a dimension of %d", n, length)
	case kind != typeDouble:
		return c, unsupported("data type %d", kind)
	case c.algorithm != lorenzo && c.algorithm != interpolation && c.algorithm != lossless:
		return c, unsupported("algorithm %d", c.algorithm)
	case c.algorithm == lorenzo && c.flags&flagRegression != 0:
		return c, unsupported("regression")
	case c.algorithm == lorenzo && (block < 1 || block > math.MaxInt32):
		return c, formatError(part, "blocks of %d values", int32(block))
	}
	c.values, c.blockSize = int(n), int(block)
	return c, nil
}

// unpack decompresses the content of a payload of n values.
func unpack(payload []byte, n int) ([]byte, error) {
	const part = "payload"
	in := cursor{b: payload}
	size := in.u64()
	// For each value at most a double, two nodes of a tree and a symbol.
	const perValue, fixed = 48, 1 << 20
	if in.short {
		return nil, &FormatError{part, ErrTruncated}
	}
	if size > math.MaxInt/2 || int64(size) > fixed+perValue*int64(n) {
		return nil, formatError(part, "%d bytes for %d values", size, n)
	}
	content, err := compress.DecodeZstd(nil, in.b, int(size))
	if err != nil {
		return nil, &FormatError{part, err}
	}
	return content, nil
}

// zstdLevel is the level that the library uses.
const zstdLevel = 3

// pack appends a payload to dst.
func pack(dst, content []byte) ([]byte, error) {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(content)))
	dst, err := compress.EncodeZstd(dst, content, zstdLevel)
	if err != nil {
		err = fmt.Errorf("sz3: %w", err)
	}
	return dst, err
}

// appendStream appends a stream to dst.
func appendStream(dst, payload []byte, c config, bound float64, bins int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	dst = binary.LittleEndian.AppendUint32(dst, version)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(payload)))
	dst = append(dst, payload...)
	width := bits.Len(uint(c.values))
	dims := (width + 7) / 8
	dst = append(dst, byte(32+dims), 1, byte(width))
	for i := range dims {
		dst = append(dst, byte(c.values>>(8*i)))
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(c.values))
	dst = append(dst, byte(c.algorithm), 0)
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(bound))
	dst = append(dst, c.flags, typeDouble)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(bins))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.blockSize))
	return append(dst, 1)
}
