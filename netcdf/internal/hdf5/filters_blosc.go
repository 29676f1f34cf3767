package hdf5

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/pierrec/lz4/v4"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

// unblosc unpacks a buffer of Blosc 1.
func unblosc(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	size, err := blosc.ChunkSize(src)
	if err != nil {
		return nil, err
	}
	if size > want || exact && size != want {
		return nil, fmt.Errorf("unpacks to %d bytes, expected %d", size, want)
	}
	return blosc.DecodeChunk(dst, src, size)
}

// unblosc2 unpacks a frame of Blosc 2 that holds one chunk of an array.
func unblosc2(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	if !exact {
		size, err := blosc.FrameSize(src)
		if err != nil {
			return nil, err
		}
		if size > int64(want) || size > math.MaxInt32 {
			return nil, fmt.Errorf("unpacks to %d bytes, expected at most %d", size, want)
		}
		want = int(size)
	}
	return blosc.DecodeArray(dst, src, want)
}

func unlz4Block(dst, src []byte) error {
	n, err := lz4.UncompressBlock(src, dst)
	if err == nil && n != len(dst) {
		err = fmt.Errorf("%d bytes, expected %d: %w", n, len(dst), errBlock)
	}
	return err
}

func unzstdBlock(dst, src []byte) error {
	out, err := unzstd(dst, src, nil, len(dst), true)
	if err == nil && len(out) > 0 && &out[0] != &dst[0] {
		copy(dst, out)
	}
	return err
}

// unbitshuffle undoes the filter of the bitshuffle library. Values: two of version, bytes of an
// element, elements of a block, codec (0 none, 2 LZ4, 3 zstd). With a codec the data is: bytes of
// the result 8, bytes of a block 4, then for each block its length 4 (all big-endian) and data.
// Elements after the last whole eight follow plainly.
func unbitshuffle(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	if len(f.Params) < 3 || f.Params[2] == 0 || f.Params[2] > 1<<20 || !exact {
		return nil, fmt.Errorf("parameters %d", f.Params)
	}
	size := int(f.Params[2])
	var codec func(dst, src []byte) error
	if len(f.Params) > 4 {
		codecs := map[uint32]func(dst, src []byte) error{2: unlz4Block, 3: unzstdBlock}
		if codec = codecs[f.Params[4]]; codec == nil && f.Params[4] != 0 {
			return nil, fmt.Errorf("bitshuffle codec %d is not supported", f.Params[4])
		}
	}
	// The library's default: about 8192 bytes, a multiple of eight elements.
	block := max(8192/size/8*8, 128) * size
	if len(f.Params) > 3 && f.Params[3] != 0 {
		block = int(f.Params[3]) * size
	}
	if codec != nil {
		if len(src) < 12 {
			return nil, io.ErrUnexpectedEOF
		}
		if n := binary.BigEndian.Uint64(src); n != uint64(want) {
			return nil, fmt.Errorf("unpacks to %d bytes, expected %d", n, want)
		}
		block = int(binary.BigEndian.Uint32(src[8:]))
		src = src[12:]
	}
	if block <= 0 || block%(8*size) != 0 {
		return nil, fmt.Errorf("blocks of %d bytes for elements of %d", block, size)
	}
	out := room(dst, want)
	scratch := make([]byte, min(block, want))
	for rest := out; ; {
		n := min(block, len(rest)/size/8*8*size)
		if n == 0 {
			if len(src) != len(rest) {
				return nil, fmt.Errorf("%d bytes at the end, expected %d", len(src), len(rest))
			}
			copy(rest, src)
			return out, nil
		}
		var err error
		if src, err = bitshuffleBlock(rest[:n], scratch[:n], src, size, codec); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
}

func bitshuffleBlock(dst, scratch, src []byte, size int, codec func(dst, src []byte) error) ([]byte, error) {
	n := len(dst)
	if codec == nil {
		if len(src) < n {
			return nil, io.ErrUnexpectedEOF
		}
		return src[n:], shuffle.DecodeBits(dst, src[:n], size)
	}
	if len(src) < 4 || uint64(binary.BigEndian.Uint32(src)) > uint64(len(src)-4) {
		return nil, io.ErrUnexpectedEOF
	}
	end := 4 + int(binary.BigEndian.Uint32(src))
	if err := codec(scratch, src[4:end]); err != nil {
		return nil, err
	}
	return src[end:], shuffle.DecodeBits(dst, scratch, size)
}
