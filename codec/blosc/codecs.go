package blosc

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/inflate"
)

// decompress decodes the data of one stream, which must give exactly len(dst) bytes.
func (d *chunkDecoder) decompress(dst, src []byte) error {
	switch d.flags >> 5 {
	case streamBloscLZ:
		return decodeBloscLZ(dst, src)
	case streamLZ4:
		n, err := lz4.UncompressBlock(src, dst)
		if err == nil && n != len(dst) {
			err = fmt.Errorf("lz4: %w: %d bytes, expected %d", ErrSize, n, len(dst))
		}
		return err
	case streamZlib:
		return inflate.Zlib(dst, src)
	default:
		if d.dict != nil {
			return decodeWithDictionary(dst, src, d.dict)
		}
		out, err := compress.DecodeZstdRoomy(dst, src, len(dst))
		return inPlace(dst, out, err)
	}
}

// inPlace copies decoded bytes to dst if they are not there already.
func inPlace(dst, out []byte, err error) error {
	switch {
	case err != nil:
		return err
	case len(out) != len(dst):
		return fmt.Errorf("%w: %d bytes, expected %d", ErrSize, len(out), len(dst))
	case len(dst) > 0 && &out[0] != &dst[0]:
		copy(dst, out)
	}
	return nil
}

func decodeWithDictionary(dst, src, dict []byte) error {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderDicts(dict))
	if err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	defer r.Close()
	out, err := r.DecodeAll(src, dst[:0:len(dst)])
	return inPlace(dst, out, err)
}
