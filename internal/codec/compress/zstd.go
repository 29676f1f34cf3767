package compress

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/codec/compress/unzstd"
)

// DefaultZstdLevel is the level used for level 0.
const DefaultZstdLevel = 3

// A zstd block gives at most 128 KiB and takes at least its 3-byte header and one byte.
const (
	zstdMaxBlock = 128 << 10
	zstdMinBlock = 4
)

// zstdUnsized is the length below which a frame must be a single segment to have its length in the header.
const zstdUnsized = 256

// Coders are expensive to create and hold large tables, so idle ones are pooled, one pool per
// speed. Data shorter than zstdUnsized have encoders of their own. EncodeAll and DecodeAll with a
// concurrency of one start no goroutines.
var (
	zstdEncoders [zstd.SpeedBestCompression + 1]sync.Pool
	zstdShort    [zstd.SpeedBestCompression + 1]sync.Pool
	zstdDecoders sync.Pool
)

// EncodeZstd appends a zstd frame that holds src to dst. Levels are as in the zstd command, 1 to
// 22, mapped to the nearest one this implementation has; 0 is DefaultZstdLevel. A level above 5
// never gives more than the default. The header of the frame has the length of src, which the zstd
// filter of HDF5 and other readers require.
func EncodeZstd(dst, src []byte, level int) ([]byte, error) {
	return encodeZstd(dst, src, level, false)
}

// EncodeZstdPadded is [EncodeZstd] with a skippable frame after a very small one. This is a frame of
// 16 MiB or more of content that takes less than a 1024th of it; both frames together take that much.
// It is for readers that bound the decoded size by the size of their input.
func EncodeZstdPadded(dst, src []byte, level int) ([]byte, error) {
	return encodeZstd(dst, src, level, true)
}

func encodeZstd(dst, src []byte, level int, pad bool) ([]byte, error) {
	speed := zstdSpeed(level)
	if len(src) >= zstdStreamBytes {
		w := &appender{b: dst, src: src}
		err := zstdStream(w, int64(len(src)), zstdSampled(src, speed), pad, w.feed)
		return w.b, err
	}
	out, err := encodeZstdAll(dst, src, speed)
	if err != nil || speed != zstd.SpeedBetterCompression {
		return out, err
	}
	fast, err := encodeZstdAll(nil, src, zstd.SpeedDefault)
	if err == nil && len(fast) < len(out)-len(dst) {
		out = append(out[:len(dst)], fast...)
	}
	return out, err
}

// zstdSample is the size of the samples of large data, from three places.
const zstdSample = 1 << 20

// zstdSampled returns the speed to compress large data with. The library's better compression makes
// more of many arrays of numbers than its default: where samples do not gain one in a hundred, the
// default is used.
func zstdSampled(src []byte, speed zstd.EncoderLevel) zstd.EncoderLevel {
	speed, _ = zstdSampledFrom(int64(len(src)), speed, func(at int64) ([]byte, error) { return src[at : at+zstdSample], nil })
	return speed
}

// zstdSampledFrom is zstdSampled for data that are read only in samples.
func zstdSampledFrom(size int64, speed zstd.EncoderLevel, sample func(at int64) ([]byte, error)) (zstd.EncoderLevel, error) {
	if speed != zstd.SpeedBetterCompression {
		return speed, nil
	}
	better, fast := 0, 0
	for _, at := range []int64{0, size/2 - zstdSample/2, size - zstdSample} {
		sample, err := sample(at)
		if err != nil {
			return speed, err
		}
		b, errBetter := encodeZstdAll(nil, sample, speed)
		f, errFast := encodeZstdAll(nil, sample, zstd.SpeedDefault)
		if errBetter != nil || errFast != nil {
			return speed, nil
		}
		better, fast = better+len(b), fast+len(f)
	}
	if better > fast-fast/100 {
		return zstd.SpeedDefault, nil
	}
	return speed, nil
}

// encodeZstdAll appends a frame that holds src to dst.
func encodeZstdAll(dst, src []byte, speed zstd.EncoderLevel) ([]byte, error) {
	pool, opts := &zstdEncoders[speed], []zstd.EOption(nil)
	if len(src) < zstdUnsized {
		pool, opts = &zstdShort[speed], []zstd.EOption{zstd.WithSingleSegment(true)}
	}
	enc, _ := pool.Get().(*zstd.Encoder)
	if enc == nil {
		var err error
		if enc, err = newZstdEncoder(speed, 1, opts...); err != nil {
			return dst, fmt.Errorf("compress: zstd: %w", err)
		}
	}
	defer pool.Put(enc)
	out := enc.EncodeAll(src, dst)
	if packsLiterals(speed) {
		out = packLiterals(out, len(dst))
	}
	return out, nil
}

func zstdSpeed(level int) zstd.EncoderLevel {
	if level == 0 {
		level = DefaultZstdLevel
	}
	return zstd.EncoderLevelFromZstd(level)
}

// newZstdEncoder returns an encoder. With more than one core a stream is compressed while earlier
// blocks are coded; the bytes are the same.
func newZstdEncoder(speed zstd.EncoderLevel, cores int, more ...zstd.EOption) (*zstd.Encoder, error) {
	// Entropy coding of literals compresses the bytes of floating point numbers. Without the option the encoder
	// stores blocks in which it finds no matches.
	opts := []zstd.EOption{zstd.WithEncoderLevel(speed), zstd.WithEncoderConcurrency(cores),
		zstd.WithAllLitEntropyCompression(true), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true)}
	return zstd.NewWriter(nil, append(opts, more...)...)
}

// ZstdRoom is the spare capacity after the result with which [DecodeZstdRoomy] is fastest.
const ZstdRoom = 16

// DecodeZstd returns the want bytes that the frames of src hold, in dst's memory if that is large
// enough. Bytes of dst after these do not change.
func DecodeZstd(dst, src []byte, want int) ([]byte, error) {
	if cap(dst) >= want {
		dst = dst[:want:want]
	}
	return DecodeZstdRoomy(dst, src, want)
}

// DecodeZstdRoomy is like DecodeZstd, but may also overwrite ZstdRoom bytes after the result, which takes
// less time. It does so if dst has them.
func DecodeZstdRoomy(dst, src []byte, want int) ([]byte, error) {
	if want/zstdMaxBlock > len(src)/zstdMinBlock {
		return nil, sizeError("zstd", fmt.Sprintf("at most %d", len(src)/zstdMinBlock*zstdMaxBlock), want)
	}
	if cap(dst) < want {
		dst = make([]byte, want, want+ZstdRoom)
	}
	if want >= zstdStreamBytes && runtime.GOMAXPROCS(0) > 1 {
		if out, ok := decodeZstdFrames(dst, src, want); ok {
			return out, nil
		}
	}
	return decodeZstdAll(dst, src, want)
}

// decodeZstdAll is DecodeZstd after its checks.
func decodeZstdAll(dst, src []byte, want int) ([]byte, error) {
	dst = room(dst, want)
	if unzstd.Decode(dst, src) {
		return dst, nil
	}
	// The library finds the kind of the frame, or the error in it.
	dec, _ := zstdDecoders.Get().(*zstd.Decoder)
	if dec == nil {
		var err error
		dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, fmt.Errorf("compress: zstd: %w", err)
		}
	}
	defer zstdDecoders.Put(dec)
	out, err := dec.DecodeAll(src, dst[:0:min(cap(dst), want+ZstdRoom)])
	if err != nil {
		return nil, fmt.Errorf("compress: zstd: %w: %w", ErrCorrupt, err)
	}
	if len(out) != want {
		return nil, sizeError("zstd", len(out), want)
	}
	return out, nil
}
