package compress

import (
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// DefaultZstdLevel is the level used for level 0.
const DefaultZstdLevel = 3

// A zstd block gives at most 128 KiB and takes at least its 3-byte header and one byte.
const (
	zstdMaxBlock = 128 << 10
	zstdMinBlock = 4
)

// Coders are expensive to create and hold large tables, so idle ones are pooled, one pool per
// speed. EncodeAll and DecodeAll with a concurrency of one start no goroutines.
var (
	zstdEncoders [zstd.SpeedBestCompression + 1]sync.Pool
	zstdDecoders sync.Pool
)

// EncodeZstd appends a zstd frame that holds src to dst. Levels are those of the zstd command, 1 to
// 22, mapped to the nearest one this implementation has; 0 is DefaultZstdLevel.
func EncodeZstd(dst, src []byte, level int) ([]byte, error) {
	speed := zstdSpeed(level)
	if len(src) >= zstdStreamBytes {
		w := &appender{dst}
		err := zstdStream(w, int64(len(src)), speed, func(enc io.Writer) error {
			_, err := enc.Write(src)
			return err
		})
		return w.b, err
	}
	enc, _ := zstdEncoders[speed].Get().(*zstd.Encoder)
	if enc == nil {
		var err error
		if enc, err = newZstdEncoder(speed); err != nil {
			return dst, fmt.Errorf("compress: zstd: %w", err)
		}
	}
	defer zstdEncoders[speed].Put(enc)
	return enc.EncodeAll(src, dst), nil
}

func zstdSpeed(level int) zstd.EncoderLevel {
	if level == 0 {
		level = DefaultZstdLevel
	}
	return zstd.EncoderLevelFromZstd(level)
}

func newZstdEncoder(speed zstd.EncoderLevel) (*zstd.Encoder, error) {
	// Entropy coding of literals is what compresses the bytes of floating point numbers; without
	// the option the encoder stores blocks in which it finds no matches.
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(speed), zstd.WithEncoderConcurrency(1),
		zstd.WithAllLitEntropyCompression(true), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
}

// DecodeZstd returns the want bytes that the frames of src hold, in dst's memory if that is large
// enough.
func DecodeZstd(dst, src []byte, want int) ([]byte, error) {
	if want/zstdMaxBlock > len(src)/zstdMinBlock {
		return nil, sizeError("zstd", fmt.Sprintf("at most %d", len(src)/zstdMinBlock*zstdMaxBlock), want)
	}
	dec, _ := zstdDecoders.Get().(*zstd.Decoder)
	if dec == nil {
		var err error
		dec, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, fmt.Errorf("compress: zstd: %w", err)
		}
	}
	defer zstdDecoders.Put(dec)
	out, err := dec.DecodeAll(src, room(dst, want)[:0:want])
	if err != nil {
		return nil, fmt.Errorf("compress: zstd: %w: %w", ErrCorrupt, err)
	}
	if len(out) != want {
		return nil, sizeError("zstd", len(out), want)
	}
	return out, nil
}
