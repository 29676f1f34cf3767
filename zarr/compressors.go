package zarr

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/inflate"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
	"github.com/tgmconv/tgmconv/internal/fault"
)

func newZstd(c Codec, in spec) (stage, spec, error) {
	return zstdBytes{level: configInt(c, "level", compress.DefaultZstdLevel)}, in.compressed(), nil
}

type zstdBytes struct{ level int }

func (zstdBytes) decode(dst, src []byte, limit int64) ([]byte, error) {
	var head zstd.Header
	if head.Decode(src) == nil && head.HasFCS && head.FrameContentSize <= uint64(limit) {
		if out, err := compress.DecodeZstd(dst, src, int(head.FrameContentSize)); err == nil { // one frame
			return out, nil
		}
	}
	d, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow(limit)))
	if err != nil {
		return nil, fmt.Errorf("codec zstd: %w", err)
	}
	defer d.Close()
	return readLimited("zstd", d, limit)
}

func (z zstdBytes) encode(src []byte) ([]byte, error) { return compress.EncodeZstd(nil, src, z.level) }

func newGzip(c Codec, in spec) (stage, spec, error) {
	return gzipBytes{level: configInt(c, "level", 5)}, in.compressed(), nil
}

type gzipBytes struct{ level int }

func (gzipBytes) decode(_, src []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("codec gzip: %w", err)
	}
	defer r.Close()
	return readLimited("gzip", r, limit)
}

func (g gzipBytes) encode(src []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, g.level)
	if err != nil {
		return nil, fmt.Errorf("codec gzip: %w", err)
	}
	w.Write(src) // a bytes.Buffer never fails
	w.Close()
	return out.Bytes(), nil
}

func newZlib(c Codec, in spec) (stage, spec, error) {
	return zlibBytes{level: configInt(c, "level", 1)}, in.compressed(), nil
}

type zlibBytes struct{ level int }

func (zlibBytes) decode(_, src []byte, limit int64) ([]byte, error) {
	if limit > math.MaxInt {
		limit = math.MaxInt
	}
	out, err := inflate.ZlibUpTo(src, int(limit))
	if err != nil {
		return nil, fmt.Errorf("codec zlib: %w", err)
	}
	return out, nil
}

func (z zlibBytes) encode(src []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, z.level)
	if err != nil {
		return nil, fmt.Errorf("codec zlib: %w", err)
	}
	w.Write(src)
	w.Close()
	return out.Bytes(), nil
}

// limitedFirst is the memory that readLimited takes before it has read anything.
const limitedFirst = 1 << 20

// readLimited reads r to its end. Memory grows with the bytes read, not with the size claimed, and
// not beyond the limit.
func readLimited(codec string, r io.Reader, limit int64) ([]byte, error) {
	limit = min(limit, math.MaxInt-1)
	most := int(limit) + 1 // a byte more shows that there is too much
	out := make([]byte, 0, min(most, limitedFirst))
	for {
		if len(out) == cap(out) {
			room := most
			if cap(out) < most/4 {
				room = 4 * cap(out)
			}
			grown := make([]byte, len(out), room)
			copy(grown, out)
			out = grown
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case len(out) == most:
			return nil, fmt.Errorf("codec %s: more than the expected %d bytes", codec, limit)
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("codec %s: after %d bytes: %w", codec, len(out), err)
		}
	}
}

func newShuffle(c Codec, in spec) (stage, spec, error) {
	element := configInt(c, "elementsize", 4)
	if element < 1 || element > 1<<16 {
		return nil, spec{}, fault.Errorf("zarr", "codec %s: elementsize is %d, expected 1 to %d", c.Name, element, 1<<16)
	}
	return shuffleBytes{element: element}, in, nil
}

// shuffleBytes is the filter of HDF5. Bytes after the last whole element stay where they are.
type shuffleBytes struct{ element int }

func (s shuffleBytes) decode(dst, src []byte, _ int64) ([]byte, error) {
	return s.apply(dst, src, shuffle.Decode)
}

func (s shuffleBytes) encode(src []byte) ([]byte, error) { return s.apply(nil, src, shuffle.Encode) }

func (s shuffleBytes) apply(dst, src []byte, do func(dst, src []byte, size int) error) ([]byte, error) {
	out := roomFor(dst, len(src))
	whole := len(src) - len(src)%s.element
	copy(out[whole:], src[whole:])
	if whole == 0 {
		return out, nil
	}
	if err := do(out[:whole], src[:whole], s.element); err != nil {
		return nil, fmt.Errorf("codec %s: %w", ShuffleName, err)
	}
	return out, nil
}
