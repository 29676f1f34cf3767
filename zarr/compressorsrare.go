package zarr

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
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

// maxDictionary bounds the memory that a decoder takes beside the result: the highest preset needs it.
const maxDictionary = 64 << 20

func (l lzmaBytes) decode(_, src []byte, limit int64) ([]byte, error) {
	dictionary, err := l.dictionary(src)
	if err == nil && dictionary > maxDictionary {
		err = fmt.Errorf("a dictionary of %d bytes, expected at most %d", dictionary, maxDictionary)
	}
	var r io.Reader
	most := int(max(dictionary, lzma.MinDictCap)) // which is taken at once
	switch {
	case err != nil:
	case l.format == lzmaAlone:
		r, err = lzma.ReaderConfig{DictCap: most}.NewReader(bytes.NewReader(src))
	default:
		r, err = xz.ReaderConfig{DictCap: most, SingleStream: true}.NewReader(bytes.NewReader(src))
	}
	if err != nil {
		return nil, fmt.Errorf("codec lzma: %w", err)
	}
	return readLimited("lzma", r, limit)
}

// dictionary is the size of the dictionary that the data ask for.
//
//	alone: properties, uint32 dictionary, uint64 size
//	xz:    stream header of 12 bytes, blocks, index, footer of 12 bytes
//	block: size/4-1, flags, [size], [size], id 0x21, 1, dictionary, …
func (l lzmaBytes) dictionary(src []byte) (int64, error) {
	const header, footer, lzma2 = 12, 12, 0x21
	if l.format == lzmaAlone {
		if len(src) < 13 {
			return 0, io.ErrUnexpectedEOF
		}
		return int64(binary.LittleEndian.Uint32(src[1:])), nil
	}
	if len(src) < header+footer+8 {
		return 0, io.ErrUnexpectedEOF
	}
	index := int64(len(src)) - footer - 4*(int64(binary.LittleEndian.Uint32(src[len(src)-8:]))+1)
	if index < header || src[index] != 0 {
		return 0, errors.New("no index at the end")
	}
	at := src[header:index]
	blocks, n := binary.Uvarint(src[index+1 : len(src)-footer])
	if n <= 0 || blocks > 1 {
		return 0, fmt.Errorf("%d blocks, expected one", blocks)
	}
	if blocks == 0 {
		return 0, nil
	}
	if len(at) < 2 || at[1]&3 != 0 {
		return 0, errors.New("several filters")
	}
	sizes, filter := at[1], at[2:]
	var values [3]uint64 // the first two may be absent
	for i, there := range []bool{sizes&0x40 != 0, sizes&0x80 != 0, true} {
		if !there {
			continue
		}
		v, n := binary.Uvarint(filter)
		if n <= 0 {
			return 0, io.ErrUnexpectedEOF
		}
		values[i], filter = v, filter[n:]
	}
	if values[2] != lzma2 || len(filter) < 2 || filter[0] != 1 || filter[1] > 40 {
		return 0, fmt.Errorf("the filter %#x, expected %#x", values[2], lzma2)
	}
	bits := filter[1]
	return int64(2|bits&1) << (bits/2 + 11), nil
}
