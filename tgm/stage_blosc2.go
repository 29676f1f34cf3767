package tgm

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/codec/blosc"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

const (
	nameBlosc2     = "blosc2"
	keyBlosc2Codec = "blosc2_codec"
	keyBlosc2Level = "blosc2_clevel"
	maxBlosc2Level = 9
)

// blosc2Stage is the compression blosc2: a contiguous frame as C-Blosc2 writes it.
func blosc2Stage() stage {
	return stage{
		kind: CompressionStage,
		name: nameBlosc2,
		params: []Param{
			{Name: keyBlosc2Codec, Kind: TextParam, Words: []string{"lz4", "lz4hc", "blosclz", "zlib", "zstd"}, Usage: "lz4 if not given"},
			{Name: keyBlosc2Level, Kind: IntParam, Min: 0, Max: maxBlosc2Level, Usage: "speed against size, 5 if not given"},
		},
		takes: func(in form) error {
			if in.element < 1 {
				return takesNot("whole bytes", in.dtype.String())
			}
			return nil
		},
		encode: encodeBlosc2,
		open:   openBlosc2,
		mask:   &maskMethod{encode: encodeBlosc2Mask, decode: maskOf(blosc.Decode)},
	}
}

func encodeBlosc2(w *encoder, s stored) (stored, error) {
	if len(s.data) == 0 {
		// The reference implementation has no frame for empty data.
		w.object.desc.Compression = nameNone
		return s, nil
	}
	return s.compressed(nameBlosc2, func(dst []byte, s *stored) ([]byte, error) {
		p := blosc.DefaultParams(s.element)
		if level := w.pipeline.Level; level != 0 {
			p.Level = min(level, maxBlosc2Level)
		}
		p.Level = w.intParam(keyBlosc2Level, p.Level)
		var err error
		if p.Codec, err = blosc.ParseCodec(param(w, keyBlosc2Codec, p.Codec.String())); err != nil {
			return dst, err
		}
		w.set(keyBlosc2Codec, p.Codec.String())
		w.set(keyBlosc2Level, p.Level)
		return blosc.Encode(dst, s.data, p)
	})
}

// openBlosc2 needs no parameter: a frame says how it is to be read.
func openBlosc2(_ *Descriptor, in form) (layer, error) {
	z := &blosc2Decoder{size: int64(in.bytes)}
	return layer{
		in: in,
		decode: func(dst, src []byte) error {
			_, err := blosc.Decode(dst, src, len(dst))
			return blosc2Error(err)
		},
		check:  func(src []byte) error { return checkBlosc2(src, in.bytes) },
		readAt: z.readAt,
		grain:  z.grain,
	}, nil
}

// blosc2Decoder reads parts of a frame. It is for one goroutine.
type blosc2Decoder struct {
	size  int64
	frame *blosc.Frame // once it is open
}

func (z *blosc2Decoder) open(src section) (err error) {
	if z.frame == nil {
		z.frame, err = openBlosc2Frame(src, z.size)
	}
	return err
}

func (z *blosc2Decoder) readAt(dst []byte, off int64, src section) error {
	err := z.open(src)
	if err == nil {
		_, err = z.frame.ReadAt(dst, off)
	}
	return blosc2Error(err)
}

// grain is the size of a block.
func (z *blosc2Decoder) grain(_ int64, src section) int64 {
	if z.open(src) != nil {
		return 1 // readAt has the error
	}
	return int64(z.frame.BlockSize())
}

// blosc2Error tells frames that are valid and cannot be decoded here from damaged ones.
func blosc2Error(err error) error {
	var missing *blosc.UnsupportedError
	if errors.As(err, &missing) {
		return unsupported("compression blosc2 with " + missing.Feature)
	}
	return wrapCompression(err, nameBlosc2)
}

// openBlosc2Frame opens a frame that must hold the given bytes.
func openBlosc2Frame(src section, want int64) (*blosc.Frame, error) {
	f, err := blosc.OpenFrame(src, src.Size(), want)
	if err != nil {
		return nil, err
	}
	if f.Size() != want {
		return nil, fmt.Errorf("frame holds %d bytes, expected %d", f.Size(), want)
	}
	return f, nil
}

// checkBlosc2 decodes a frame piece by piece.
func checkBlosc2(src []byte, want int) error {
	f, err := openBlosc2Frame(bytes.NewReader(src), int64(want))
	if err != nil {
		return blosc2Error(err)
	}
	buf := getBuffer(min(want, checkBytes))
	defer putBuffer(buf)
	for off := 0; off < want; off += len(*buf) {
		if _, err := f.ReadAt((*buf)[:min(len(*buf), want-off)], int64(off)); err != nil {
			return blosc2Error(err)
		}
	}
	return nil
}

// checkBytes is how much a check decodes at a time.
const checkBytes = 4 << 20

// encodeBlosc2Mask compresses the bits of a mask, transposed bit by bit.
func encodeBlosc2Mask(dst []byte, m *Mask, level int) ([]byte, map[string]any, error) {
	p := blosc.DefaultParams(1)
	p.Filter = blosc.BitShuffle
	if level != 0 {
		p.Level = min(max(level, 1), maxBlosc2Level)
	}
	raw, err := bitmask.Encode(nil, m, bitmask.None)
	if err != nil {
		return dst, nil, err
	}
	dst, err = blosc.Encode(dst, raw, p)
	return dst, map[string]any{"codec": p.Codec.String(), "level": p.Level}, err
}
