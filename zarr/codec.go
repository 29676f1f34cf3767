package zarr

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// An UnsupportedError is for what is valid Zarr and not implemented here.
type UnsupportedError struct {
	What string
}

func (e *UnsupportedError) Error() string { return "zarr: " + e.What + " is not supported" }

// A chain decodes the stored bytes of a chunk ("Codecs"): bytes-to-bytes codecs from the last to
// the first, then the codec bytes, which makes elements of them.
type chain struct {
	bytesToBytes []bytesCodec // in the order of the document
	bigEndian    bool         // the elements are stored big-endian
	component    int          // bytes swapped as one
}

// A bytesCodec undoes a bytes-to-bytes codec. The result is at most limit bytes, or an error.
type bytesCodec func(src []byte, limit int64) ([]byte, error)

// newChain makes the chain of an array's codecs. The order the specification asks for,
// array-to-bytes before bytes-to-bytes, is checked.
func newChain(codecs []Codec, dtype DataType) (*chain, error) {
	c := &chain{component: dtype.component()}
	if len(codecs) == 0 || codecs[0].Name != "bytes" {
		for _, codec := range codecs {
			if codec.Name != "bytes" {
				return nil, &UnsupportedError{What: fmt.Sprintf("codec %q before the codec bytes", codec.Name)}
			}
		}
		return nil, errors.New("zarr: codecs: expected the codec bytes first, found none")
	}
	if err := c.setEndian(codecs[0].Configuration["endian"]); err != nil {
		return nil, err
	}
	for _, codec := range codecs[1:] {
		switch codec.Name {
		case "zstd":
			c.bytesToBytes = append(c.bytesToBytes, decodeZstd)
		case "gzip":
			c.bytesToBytes = append(c.bytesToBytes, decodeGzip)
		case "crc32c":
			c.bytesToBytes = append(c.bytesToBytes, decodeCRC32C)
		default:
			return nil, &UnsupportedError{What: fmt.Sprintf("codec %q", codec.Name)}
		}
	}
	return c, nil
}

func (c *chain) setEndian(endian any) error {
	switch {
	case endian == "big":
		c.bigEndian = true
	case endian == "little", endian == nil && c.component == 1:
	default:
		return fmt.Errorf("zarr: codec bytes: endian is %v, expected little or big", endian)
	}
	return nil
}

// stageSlack is what a compressor may add to data it cannot compress, beside a sixteenth of its
// size.
const stageSlack = 64 << 10

// decode gives the little-endian elements of a chunk, exactly size bytes.
func (c *chain) decode(stored []byte, size int64) ([]byte, error) {
	data := stored
	for i, undo := range slices.Backward(c.bytesToBytes) {
		limit := size
		for range i { // what the codecs in front of this one may have added to the elements
			limit += limit/16 + stageSlack
		}
		var err error
		if data, err = undo(data, limit); err != nil {
			return nil, err
		}
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("chunk decodes to %d bytes, expected %d", len(data), size)
	}
	if c.bigEndian && c.component > 1 {
		data = swapped(data, c.component)
	}
	return data, nil
}

// swapped is data with the bytes of every component reversed; data itself stays as it is.
func swapped(data []byte, component int) []byte {
	out := make([]byte, len(data))
	for i := 0; i+component <= len(data); i += component {
		switch component {
		case 2:
			binary.LittleEndian.PutUint16(out[i:], binary.BigEndian.Uint16(data[i:]))
		case 4:
			binary.LittleEndian.PutUint32(out[i:], binary.BigEndian.Uint32(data[i:]))
		case 8:
			binary.LittleEndian.PutUint64(out[i:], binary.BigEndian.Uint64(data[i:]))
		}
	}
	return out
}

func decodeZstd(src []byte, limit int64) ([]byte, error) {
	d, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("codec zstd: %w", err)
	}
	defer d.Close()
	return readLimited("zstd", d, limit)
}

func decodeGzip(src []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("codec gzip: %w", err)
	}
	defer r.Close()
	return readLimited("gzip", r, limit)
}

// readLimited reads r to its end. Memory grows with what is really there, not with what is claimed.
func readLimited(codec string, r io.Reader, limit int64) ([]byte, error) {
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("codec %s: after %d bytes: %w", codec, n, err)
	}
	if n > limit {
		return nil, fmt.Errorf("codec %s: more than the expected %d bytes", codec, limit)
	}
	return out.Bytes(), nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// decodeCRC32C checks and strips the four bytes, little-endian, after the data.
func decodeCRC32C(src []byte, _ int64) ([]byte, error) {
	n := len(src) - 4
	if n < 0 {
		return nil, fmt.Errorf("codec crc32c: %d bytes, expected at least 4", len(src))
	}
	stored, computed := binary.LittleEndian.Uint32(src[n:]), crc32.Checksum(src[:n], castagnoli)
	if stored != computed {
		return nil, fmt.Errorf("codec crc32c: checksum is %08x, the data give %08x", stored, computed)
	}
	return src[:n], nil
}
