package hdf5

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/checksum"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/inflate"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
)

// room returns n bytes, in b's memory if it is large enough.
func room(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	return make([]byte, n)
}

// maxDeflateRatio is the most that deflate can expand a byte to.
const maxDeflateRatio = inflate.MaxRatio

// undeflate unpacks a zlib stream.
func undeflate(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	if !exact {
		return inflate.ZlibUpTo(src, want)
	}
	if want/maxDeflateRatio > len(src) {
		return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(src), want)
	}
	out := room(dst, want)
	return out, inflate.Zlib(out, src)
}

// readExactly reads all of r: want bytes, or up to want when exact is false.
func readExactly(r io.Reader, dst []byte, want int, exact bool) ([]byte, error) {
	if !exact {
		var b bytes.Buffer
		n, err := b.ReadFrom(io.LimitReader(r, int64(want)+1))
		if err == nil && n > int64(want) {
			err = fmt.Errorf("unpacks to more than %d bytes", want)
		}
		return b.Bytes(), err
	}
	out := room(dst, want)
	n, err := io.ReadFull(r, out)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("after %d of %d bytes: %w", n, want, err)
	}
	var one [1]byte
	switch n, err := r.Read(one[:]); {
	case n > 0:
		return nil, fmt.Errorf("unpacks to more than %d bytes", want)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	}
	return out, nil
}

// unshuffle puts the bytes of each element together again, in place when dst is the memory of src.
// Bytes after the last whole element were not moved.
func unshuffle(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	if len(f.Params) < 1 || f.Params[0] == 0 || f.Params[0] > 1<<30 {
		return nil, fmt.Errorf("element size %d", f.Params)
	}
	if exact && len(src) != want {
		return nil, fmt.Errorf("%d bytes, expected %d", len(src), want)
	}
	size := int(f.Params[0])
	whole := len(src) / size * size
	if size == 1 || whole == 0 {
		return src, nil
	}
	if len(dst) > 0 && &dst[0] == &src[0] {
		return src, shuffle.DecodeInPlace(src[:whole], size)
	}
	out := room(dst, len(src))
	copy(out[whole:], src[whole:])
	return out, shuffle.Decode(out[:whole], src[:whole], size)
}

// checkFletcher32 verifies and drops the checksum after the data.
func checkFletcher32(_, src []byte, _ *Filter, _ int, _ bool) ([]byte, error) {
	n := len(src) - 4
	if n < 0 {
		return nil, fmt.Errorf("%d bytes, expected a checksum of 4", len(src))
	}
	got, sum := binary.LittleEndian.Uint32(src[n:]), checksum.Fletcher32(src[:n])
	// Releases before 1.6.3 stored the checksum with the bytes of each half swapped.
	if swapped := sum<<8&0xff00ff00 | sum>>8&0x00ff00ff; got != sum && got != swapped {
		return nil, fmt.Errorf("checksum %#08x, computed %#08x", got, sum)
	}
	return src[:n], nil
}

// unszip decodes an AEC stream as the szip library lays it out: its unpacked size 4, then the
// stream. Values: options, samples of a block, bits of a sample, samples of a scan line.
//
// Scan lines are padded to whole blocks. Samples of 32 and 64 bits are coded as bytes, all first
// bytes first.
func unszip(dst, src []byte, f *Filter, want int, exact bool) ([]byte, error) {
	const optionMSB, optionNN = 16, 32
	if len(f.Params) < 4 || len(src) < 4 {
		return nil, fmt.Errorf("%d parameters and %d bytes", len(f.Params), len(src))
	}
	options, block, width, line := f.Params[0], int(f.Params[1]), int(f.Params[2]), int(f.Params[3])
	size := uint64(binary.LittleEndian.Uint32(src))
	if size > uint64(want) || exact && size != uint64(want) {
		return nil, fmt.Errorf("unpacks to %d bytes, expected %d", size, want)
	}
	p := aec.Params{BitsPerSample: width, BlockSize: block}
	if options&optionMSB != 0 {
		p.Flags |= aec.MSB
	}
	if options&optionNN != 0 {
		p.Flags |= aec.Preprocess
	}
	planes := 1
	if width == 32 || width == 64 {
		p.BitsPerSample, planes = 8, width/8
	}
	if block < 1 || block > 1<<16 || line < 1 || line > 1<<24 {
		return nil, fmt.Errorf("blocks of %d and lines of %d samples", block, line)
	}
	p.RSI = (line + block - 1) / block
	return unszipLines(dst, src[4:], p, int(size), line, planes)
}

// unszipLines decodes size bytes, drops the padding of scan lines and puts the bytes of samples
// together.
func unszipLines(dst, src []byte, p aec.Params, size, line, planes int) ([]byte, error) {
	sample := p.SampleBytes()
	samples := size / sample
	padded := p.RSI * p.BlockSize
	coded := samples/line*padded + samples%line
	// A block of zeros takes a bit at least; runs of them are at most an interval long.
	if coded/padded > 8*len(src)+8 {
		return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(src), size)
	}
	out := room(dst, size)
	buf := out
	inPlace := planes > 1 && padded == line && size >= inPlaceBytes
	if padded != line || planes > 1 && !inPlace {
		buf = make([]byte, coded*sample)
	}
	if err := aec.Decode(buf[:coded*sample], src, p); err != nil {
		return nil, err
	}
	if padded != line {
		for i, n := 0, 0; n < size; i++ {
			n += copy(buf[n:size], buf[i*padded*sample:][:min(line*sample, size-n)])
		}
	}
	switch {
	case inPlace:
		return out, shuffle.DecodeInPlace(out, planes)
	case planes > 1:
		return out, shuffle.Decode(out, buf[:size], planes)
	case padded != line:
		copy(out, buf)
	}
	return out, nil
}

// unzstd unpacks zstd frames.
func unzstd(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	if exact {
		return compress.DecodeZstd(dst, src, want)
	}
	r, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readExactly(r, nil, want, false)
}

func unbzip2(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	return readExactly(bzip2.NewReader(bytes.NewReader(src)), dst, want, exact)
}

// unlz4 unpacks LZ4 blocks. The data is bytes of the result 8, bytes of a block 4, then for each
// block its packed size 4 (all big-endian) and its data, stored plainly when the packed size is
// the size of the block.
func unlz4(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	if len(src) < 12 {
		return nil, io.ErrUnexpectedEOF
	}
	size, block := binary.BigEndian.Uint64(src), int(binary.BigEndian.Uint32(src[8:]))
	if size > uint64(want) || exact && size != uint64(want) {
		return nil, fmt.Errorf("unpacks to %d bytes, expected %d", size, want)
	}
	if size/255 > uint64(len(src)) || block <= 0 {
		return nil, fmt.Errorf("%d bytes in blocks of %d cannot unpack to %d", len(src), block, size)
	}
	out := room(dst, int(size))
	src = src[12:]
	for rest := out; len(rest) > 0; {
		n := min(block, len(rest))
		if len(src) < 4 {
			return nil, io.ErrUnexpectedEOF
		}
		packed := int(binary.BigEndian.Uint32(src))
		if packed > len(src)-4 {
			return nil, fmt.Errorf("block of %d bytes, %d left: %w", packed, len(src)-4, io.ErrUnexpectedEOF)
		}
		data := src[4 : 4+packed]
		src = src[4+packed:]
		if packed == n {
			copy(rest, data)
		} else if m, err := lz4.UncompressBlock(data, rest[:n]); err != nil || m != n {
			return nil, fmt.Errorf("block of %d bytes unpacks to %d, expected %d: %w", packed, m, n, errors.Join(err, errBlock))
		}
		rest = rest[n:]
	}
	return out, nil
}

var errBlock = errors.New("corrupt block")

// unlzf unpacks LZF. A control byte c < 32 stands for c+1 bytes that follow; any other for a copy
// of c>>5 + 2 bytes (7: one more length byte) from (c&31)<<8 + next byte + 1 bytes back.
func unlzf(dst, src []byte, _ *Filter, want int, exact bool) ([]byte, error) {
	const maxRatio = 264 // the longest copy, from the two or three bytes it takes
	if want/maxRatio > len(src) {
		if exact {
			return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(src), want)
		}
		want = len(src) * maxRatio
	}
	out := room(dst, want)[:0]
	for i := 0; i < len(src); {
		c := int(src[i])
		i++
		if c < 32 {
			n := c + 1
			if n > len(src)-i || n > want-len(out) {
				return nil, fmt.Errorf("run of %d bytes: %w", n, errBlock)
			}
			out = append(out, src[i:i+n]...)
			i += n
			continue
		}
		n := c >> 5
		if n == 7 && i < len(src) {
			n += int(src[i])
			i++
		}
		if i >= len(src) {
			return nil, io.ErrUnexpectedEOF
		}
		back := (c&31)<<8 + int(src[i]) + 1
		i++
		n += 2
		if back > len(out) || n > want-len(out) {
			return nil, fmt.Errorf("copy of %d bytes from %d bytes back: %w", n, back, errBlock)
		}
		for ; n > 0; n-- {
			out = append(out, out[len(out)-back])
		}
	}
	if exact && len(out) != want {
		return nil, fmt.Errorf("unpacks to %d bytes, expected %d", len(out), want)
	}
	return out, nil
}
