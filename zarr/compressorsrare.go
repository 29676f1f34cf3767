package zarr

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

func newLZ4(_ Codec, in spec) (stage, spec, error) { return lz4Bytes{}, in.compressed(), nil }

// lz4Bytes is a block after its length, four bytes.
type lz4Bytes struct{}

func (lz4Bytes) decode(dst, src []byte, limit int64) ([]byte, error) {
	if len(src) < 4 {
		return nil, fmt.Errorf("codec lz4: %d bytes, expected at least 4", len(src))
	}
	n := binary.LittleEndian.Uint32(src)
	const ratio = 256 // a byte stands for at most 255
	if int64(n) > limit || uint64(n) > ratio*uint64(len(src)) || n > math.MaxInt32 {
		return nil, fmt.Errorf("codec lz4: %d bytes of %d, expected at most %d", n, len(src), limit)
	}
	out, err := compress.DecodeLZ4(dst, src, int(n))
	if err != nil {
		return nil, fmt.Errorf("codec lz4: %w", err)
	}
	return out, nil
}

func (lz4Bytes) encode(src []byte) ([]byte, error) { return compress.EncodeLZ4(nil, src) }

func newBZ2(c Codec, in spec) (stage, spec, error) {
	return bz2Bytes{readOnly(c.Name)}, in.compressed(), nil
}

type bz2Bytes struct{ readOnly }

func (bz2Bytes) decode(_, src []byte, limit int64) ([]byte, error) {
	return readLimited("bz2", bzip2.NewReader(bytes.NewReader(src)), limit)
}

// The containers of lzma, as Python numbers them.
const (
	lzmaXZ    = 1
	lzmaAlone = 2
)

func newLZMA(c Codec, in spec) (stage, spec, error) {
	format := configInt(c, "format", lzmaXZ)
	filters, _ := c.Configuration["filters"].([]any)
	if format != lzmaXZ && format != lzmaAlone || len(filters) > 1 {
		return nil, spec{}, &UnsupportedError{What: fmt.Sprintf("codec lzma of format %d with %d filters", format, len(filters))}
	}
	return lzmaBytes{readOnly(c.Name), format}, in.compressed(), nil
}

type lzmaBytes struct {
	readOnly
	format int
}

// maxDictionary bounds the memory that a decoder takes beside the result.
const maxDictionary = 64 << 20

func (l lzmaBytes) decode(_, src []byte, limit int64) ([]byte, error) {
	var r io.Reader
	var err error
	dictionary := maxDictionary
	if l.format == lzmaAlone {
		r, err = lzma.ReaderConfig{DictCap: dictionary}.NewReader(bytes.NewReader(src))
	} else {
		r, err = xz.ReaderConfig{DictCap: dictionary}.NewReader(bytes.NewReader(src))
	}
	if err != nil {
		return nil, fmt.Errorf("codec lzma: %w", err)
	}
	return readLimited("lzma", r, limit)
}
