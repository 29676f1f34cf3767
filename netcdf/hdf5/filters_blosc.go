package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/pierrec/lz4/v4"

	"github.com/tgmconv/tgmconv/codec/inflate"
	"github.com/tgmconv/tgmconv/codec/shuffle"
)

// blosc is a buffer of version 1 of that format:
//
//	version, version of the codec, flags, bytes of an element,
//	bytes of the result 4, bytes of a block 4, bytes of the buffer 4,
//	where each block begins 4 …
//
// A block is one stream, or one for each byte of an element; a stream is its length 4 and data,
// which is stored plainly when the length is that of the result.
type blosc struct {
	src      []byte
	flags    byte
	element  int
	size     int
	block    int
	scratch  []byte
	codecFor func(dst, src []byte) error
}

// Flags of a blosc buffer.
const (
	bloscShuffle    = 0x01
	bloscPlain      = 0x02
	bloscBitshuffle = 0x04
	bloscUnsplit    = 0x10
)

// unblosc unpacks a buffer of Blosc 1.
func unblosc(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	const header = 16
	if len(src) < header {
		return nil, io.ErrUnexpectedEOF
	}
	b := blosc{src: src, flags: src[2], element: max(1, int(src[3])),
		size: int(binary.LittleEndian.Uint32(src[4:])), block: int(binary.LittleEndian.Uint32(src[8:]))}
	if src[0] < 1 || src[0] > 2 {
		return nil, fmt.Errorf("blosc buffer of version %d, expected 1 or 2", src[0])
	}
	if b.size > want || exact && b.size != want {
		return nil, fmt.Errorf("unpacks to %d bytes, expected %d", b.size, want)
	}
	if b.flags&bloscPlain != 0 {
		if len(src)-header < b.size {
			return nil, io.ErrUnexpectedEOF
		}
		return src[header : header+b.size], nil
	}
	if b.block <= 0 {
		return nil, fmt.Errorf("blocks of %d bytes", b.block)
	}
	blocks := (b.size + b.block - 1) / b.block
	if blocks > (len(src)-header)/4 {
		return nil, fmt.Errorf("%d blocks in %d bytes", blocks, len(src))
	}
	codecs := []func(dst, src []byte) error{unblosclz, unlz4Block, nil, inflate.Zlib, unzstdBlock}
	if c := int(b.flags >> 5); c < len(codecs) {
		b.codecFor = codecs[c]
	}
	if b.codecFor == nil {
		return nil, fmt.Errorf("blosc codec %d is not supported", b.flags>>5)
	}
	out := room(dst, b.size)
	b.scratch = make([]byte, min(b.block, b.size))
	for i := range blocks {
		begin := binary.LittleEndian.Uint32(src[header+4*i:])
		part := out[i*b.block : min((i+1)*b.block, b.size)]
		if err := b.unpack(part, begin); err != nil {
			return nil, fmt.Errorf("block %d of %d: %w", i, blocks, err)
		}
	}
	return out, nil
}

// unpack decodes one block.
func (b *blosc) unpack(dst []byte, begin uint32) error {
	const smallest, widest = 128, 16
	if uint64(begin) > uint64(len(b.src)) {
		return fmt.Errorf("begins at byte %d of %d", begin, len(b.src))
	}
	streams := 1
	if b.flags&bloscUnsplit == 0 && b.element <= widest && b.block/b.element >= smallest && len(dst) == b.block {
		streams = b.element
	}
	shuffled := b.flags&bloscShuffle != 0 && b.element > 1 || b.flags&bloscBitshuffle != 0
	out := dst
	if shuffled {
		out = b.scratch[:len(dst)]
	}
	src := b.src[begin:]
	each := len(dst) / streams
	for i := range streams {
		if len(src) < 4 {
			return io.ErrUnexpectedEOF
		}
		n := int64(int32(binary.LittleEndian.Uint32(src)))
		src = src[4:]
		if n < 0 || n > int64(len(src)) {
			return fmt.Errorf("stream of %d bytes, %d left: %w", n, len(src), io.ErrUnexpectedEOF)
		}
		part := out[i*each : (i+1)*each]
		if int(n) == each {
			copy(part, src[:n])
		} else if err := b.codecFor(part, src[:n]); err != nil {
			return err
		}
		src = src[n:]
	}
	whole := len(dst) / b.element * b.element
	switch {
	case !shuffled:
		return nil
	case b.flags&bloscBitshuffle != 0:
		// Version 2 leaves the bits of a block alone unless its elements fill whole bytes.
		if len(dst)/b.element%8 != 0 {
			whole = 0
		}
		bitUnshuffle(dst[:whole], out[:whole], b.element)
	default:
		if err := shuffle.Decode(dst[:whole], out[:whole], b.element); err != nil {
			return err
		}
	}
	copy(dst[whole:], out[whole:])
	return nil
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

// unblosclz unpacks BloscLZ: a control byte c < 32 stands for c+1 bytes that follow; another one
// for a copy of c>>5 + 2 bytes (7: more length bytes, up to one that is not 255) from (c&31)<<8 +
// next byte + 1 bytes back; when all these bits are ones, from 8192 and the next two bytes, high
// one first, back. The first control byte is a run.
func unblosclz(dst, src []byte) error {
	r := bytes.NewReader(src)
	out := dst[:0]
	for first := true; r.Len() > 0; first = false {
		b, _ := r.ReadByte()
		c := int(b)
		if first {
			c &= 31
		}
		if c < 32 {
			n := c + 1
			if n > r.Len() || n > len(dst)-len(out) {
				return fmt.Errorf("run of %d bytes: %w", n, errBlock)
			}
			r.Read(out[len(out) : len(out)+n])
			out = out[:len(out)+n]
			continue
		}
		n, back, err := blosclzCopy(r, c)
		if err != nil {
			return err
		}
		if back > len(out) || n > len(dst)-len(out) {
			return fmt.Errorf("copy of %d bytes from %d bytes back: %w", n, back, errBlock)
		}
		for ; n > 0; n-- {
			out = append(out, out[len(out)-back])
		}
	}
	if len(out) != len(dst) {
		return fmt.Errorf("%d bytes, expected %d: %w", len(out), len(dst), errBlock)
	}
	return nil
}

func blosclzCopy(r *bytes.Reader, c int) (n, back int, err error) {
	next := func() int {
		b, e := r.ReadByte()
		if e != nil {
			err = io.ErrUnexpectedEOF
		}
		return int(b)
	}
	n = c>>5 + 2
	if c>>5 == 7 {
		for more := 255; more == 255 && err == nil; {
			more = next()
			n += more
		}
	}
	low := next()
	back = (c&31)<<8 + low + 1
	if low == 255 && c&31 == 31 {
		back = next()<<8 + 8192
		back += next()
	}
	return n, back, err
}

// bitUnshuffle puts the bits of elements together again. The first len(src)/size/8 bytes hold the
// lowest bit of the first byte of all elements, and so on. The number of elements is a multiple of
// eight.
func bitUnshuffle(dst, src []byte, size int) {
	row := len(src) / size / 8
	for i := range row {
		for j := range size {
			// Eight bytes, one for each bit, become eight bytes, one for each element.
			var x uint64
			for k := range 8 {
				x |= uint64(src[(8*j+k)*row+i]) << (8 * k)
			}
			x = transpose8(x)
			for k := range 8 {
				dst[(8*i+k)*size+j] = byte(x >> (8 * k))
			}
		}
	}
}

// transpose8 swaps rows and columns of an 8×8 matrix of bits, by swapping ever larger blocks off
// the diagonal.
func transpose8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// unbitshuffle undoes the filter of the bitshuffle library. Values: two of version, bytes of an
// element, elements of a block, codec (0 none, 2 LZ4, 3 zstd). With a codec the data is: bytes of
// the result 8, bytes of a block 4, then for each block its length 4 (all big-endian) and data.
// What does not fill eight elements follows plainly.
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
		bitUnshuffle(dst, src[:n], size)
		return src[n:], nil
	}
	if len(src) < 4 || uint64(binary.BigEndian.Uint32(src)) > uint64(len(src)-4) {
		return nil, io.ErrUnexpectedEOF
	}
	end := 4 + int(binary.BigEndian.Uint32(src))
	if err := codec(scratch, src[4:end]); err != nil {
		return nil, err
	}
	bitUnshuffle(dst, scratch, size)
	return src[end:], nil
}
