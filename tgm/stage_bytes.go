package tgm

import (
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

const (
	nameZstd     = "zstd"
	nameLZ4      = "lz4"
	keyZstdLevel = "zstd_level"
)

// zstdStage is the compression zstd: a standard frame.
func zstdStage() stage {
	return stage{
		kind: CompressionStage,
		name: nameZstd,
		params: []Param{
			{Name: keyZstdLevel, Kind: IntParam, Min: -7, Max: 22, Usage: "speed against size, 3 if not given"},
		},
		encode: func(w *encoder, s stored) (stored, error) {
			level := w.intParam(keyZstdLevel, w.pipeline.Level)
			if level != 0 {
				w.set(keyZstdLevel, level)
			}
			if s.inPlace() {
				return zstdInPlace(s, level)
			}
			return s.compressed(nameZstd, func(dst []byte, s *stored) ([]byte, error) {
				return compress.EncodeZstdPadded(dst, s.data, level)
			})
		},
		open: func(_ *Descriptor, in form) (layer, error) {
			return layer{
				in:     in,
				decode: func(dst, src []byte) error { return decodeInto(compress.DecodeZstd, nameZstd, dst, src) },
				check:  func(src []byte) error { return streamError(compress.StreamZstd(io.Discard, src, in.bytes), nameZstd) },
				stream: func(w io.Writer, src []byte) error {
					return streamError(compress.StreamZstd(w, src, in.bytes), nameZstd)
				},
			}, nil
		},
		transform: func(d *Descriptor) (Transform, error) {
			level, err := d.intRange(keyZstdLevel, -131072, 22)
			if err != nil {
				level = compress.DefaultZstdLevel // a reader does not need it
			}
			return Transform{Level: int(level)}, nil
		},
		mask: &maskMethod{
			encode: func(dst []byte, m *Mask, level int) ([]byte, map[string]any, error) {
				var params map[string]any
				if level != 0 {
					params = map[string]any{"level": level}
				}
				dst, err := compress.EncodeZstd(dst, m.Bits, level)
				return dst, params, err
			},
			decode: maskOf(compress.DecodeZstd),
		},
	}
}

func zstdInPlace(s stored, level int) (stored, error) {
	var err error
	if s.data, err = compress.EncodeZstdInPlace(s.data, level); err != nil {
		s.release()
		return stored{}, compressionError(err, "%s", nameZstd)
	}
	return s, nil
}

// lz4Stage is the compression lz4: a block after its length.
func lz4Stage() stage {
	return stage{
		kind: CompressionStage,
		name: nameLZ4,
		encode: func(_ *encoder, s stored) (stored, error) {
			return s.compressed(nameLZ4, func(dst []byte, s *stored) ([]byte, error) {
				return compress.EncodeLZ4(dst, s.data)
			})
		},
		open: func(_ *Descriptor, in form) (layer, error) {
			return layer{
				in:     in,
				decode: func(dst, src []byte) error { return decodeInto(compress.DecodeLZ4, nameLZ4, dst, src) },
				stream: func(w io.Writer, src []byte) error { return streamError(compress.StreamLZ4(w, src, in.bytes), nameLZ4) },
			}, nil
		},
		mask: &maskMethod{
			encode: func(dst []byte, m *Mask, _ int) ([]byte, map[string]any, error) {
				dst, err := compress.EncodeLZ4(dst, m.Bits)
				return dst, nil, err
			},
			decode: maskOf(compress.DecodeLZ4),
		},
	}
}

// byteDecoder returns the want bytes that src holds, in dst's memory if that is large enough.
type byteDecoder func(dst, src []byte, want int) ([]byte, error)

// decodeInto fills dst.
func decodeInto(decode byteDecoder, name string, dst, src []byte) error {
	_, err := decode(dst, src, len(dst))
	return wrapCompression(err, name)
}

// streamError is the error of a decoder that writes to a writer, whose own errors come back as they
// are.
func streamError(err error, name string) error {
	if errors.Is(err, errPieces) {
		return errPieces
	}
	return wrapCompression(err, name)
}

// maskOf makes a mask decoder of a decoder of bytes: the raw bits were compressed.
func maskOf(decode byteDecoder) func(blob []byte, n int) (*Mask, error) {
	return func(blob []byte, n int) (*Mask, error) {
		raw, err := decode(nil, blob, bitmask.Size(n))
		if err != nil {
			return nil, err
		}
		return bitmask.FromBits(raw, n)
	}
}
