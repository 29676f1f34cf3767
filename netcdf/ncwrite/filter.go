package ncwrite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
	"github.com/tgmconv/tgmconv/internal/codec/compress"
	"github.com/tgmconv/tgmconv/internal/codec/shuffle"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
)

// filter is a stage of a chunk's filters.
type filter struct {
	file h5enc.Filter

	// apply returns the filtered bytes, in the memory of dst if it is large enough. It returns
	// false when the filter is of no use to them. The function is nil when the filter is not
	// implemented.
	apply func(dst, src []byte) ([]byte, bool, error)
}

// Applied reports whether a filter can be applied. For other filters only chunks that are already
// filtered can be written, see [Writer.WriteChunk].
func Applied(f netcdf.Filter) bool {
	switch f.ID {
	case netcdf.FilterShuffle, netcdf.FilterDeflate, netcdf.FilterZstd, netcdf.FilterFletcher32:
		return true
	}
	return false
}

// maxFilters is the limit of HDF5.
const maxFilters = 32

// newFilters returns the filters of a variable with elements of size bytes.
func newFilters(list []netcdf.Filter, size int) ([]filter, error) {
	if len(list) > maxFilters {
		return nil, fmt.Errorf("%d filters, expected at most %d", len(list), maxFilters)
	}
	out := make([]filter, len(list))
	for i, f := range list {
		var err error
		if out[i], err = newFilter(f, size); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func newFilter(f netcdf.Filter, size int) (filter, error) {
	file := h5enc.Filter{ID: f.ID, Name: f.Name, Optional: true, Params: f.Params}
	level := f.Level
	if len(f.Params) > 0 && level < 0 {
		level = int(int32(f.Params[0]))
	}
	switch f.ID {
	case netcdf.FilterShuffle:
		file.Params = []uint32{uint32(size)}
		return filter{file, shuffler(size)}, nil
	case netcdf.FilterDeflate:
		if level < 0 || level > 9 {
			return filter{}, fmt.Errorf("deflate level %d, expected 0 to 9", level)
		}
		file.Params = []uint32{uint32(level)}
		return filter{file, deflater(level)}, nil
	case netcdf.FilterZstd:
		if level < -7 || level > 22 {
			return filter{}, fmt.Errorf("zstd level %d, expected -7 to 22", level)
		}
		file.Params = []uint32{uint32(int32(level))}
		return filter{file, zstder(level)}, nil
	case netcdf.FilterFletcher32:
		file.Params, file.Optional = nil, false
		return filter{file, fletcher32}, nil
	}
	if f.ID < 1 || f.ID > 1<<16-1 {
		return filter{}, fmt.Errorf("filter number %d, expected 1 to 65535", f.ID)
	}
	return filter{file: file}, nil
}

// shuffler returns the filter that puts the first bytes of all elements first. Bytes after the last
// whole element stay.
func shuffler(size int) func(dst, src []byte) ([]byte, bool, error) {
	return func(dst, src []byte) ([]byte, bool, error) {
		whole := len(src) / size * size
		if size == 1 || whole == 0 {
			return src, true, nil
		}
		out := room(dst, len(src))
		copy(out[whole:], src[whole:])
		return out, true, shuffle.Encode(out[:whole], src[:whole], size)
	}
}

// deflateLevels are the levels of the compressor by the levels of zlib. The compressor's levels 1
// to 3 trade size for speed where zlib's do not, and are 5 to 20 % larger for fields.
var deflateLevels = [10]int{0, 4, 5, 6, 6, 6, 6, 7, 8, 9}

// deflater returns the filter that makes a zlib stream, of about the size that zlib's level gives.
func deflater(level int) func(dst, src []byte) ([]byte, bool, error) {
	writers := sync.Pool{}
	return func(dst, src []byte) ([]byte, bool, error) {
		out := bytes.NewBuffer(dst[:0])
		w, ok := writers.Get().(*zlib.Writer)
		if !ok {
			var err error
			if w, err = zlib.NewWriterLevel(out, deflateLevels[level]); err != nil {
				return nil, false, err
			}
		} else {
			w.Reset(out)
		}
		if _, err := w.Write(src); err != nil {
			return nil, false, err
		}
		if err := w.Close(); err != nil {
			return nil, false, err
		}
		writers.Put(w)
		return out.Bytes(), out.Len() < len(src), nil
	}
}

// zstdSmall is the size from which every frame states its content's size, which HDF5's filter
// needs.
const zstdSmall = 256

// zstder returns the filter that makes a zstd frame.
func zstder(level int) func(dst, src []byte) ([]byte, bool, error) {
	small := sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithSingleSegment(true), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	})
	return func(dst, src []byte) ([]byte, bool, error) {
		if len(src) < zstdSmall {
			enc, err := small()
			if err != nil {
				return nil, false, err
			}
			out := enc.EncodeAll(src, dst[:0])
			return out, len(out) < len(src), nil
		}
		out, err := compress.EncodeZstd(dst[:0], src, max(1, level))
		return out, len(out) < len(src), err
	}
}

// fletcher32 appends the checksum.
func fletcher32(dst, src []byte) ([]byte, bool, error) {
	out := append(dst[:0], src...)
	return binary.LittleEndian.AppendUint32(out, checksum.Fletcher32(src)), true, nil
}

// room returns n bytes, in b's memory if it is large enough.
func room(b []byte, n int) []byte {
	if cap(b) >= n {
		return b[:n]
	}
	return make([]byte, n)
}

// buffers are the two that filters write to in turns.
type buffers [2][]byte

// filterChunk applies filters; the result lies in the buffers or is raw. A bit of skipped is set
// for each filter that was of no use.
func filterChunk(filters []filter, raw []byte, bufs *buffers) (out []byte, skipped uint32, err error) {
	out = raw
	for i, f := range filters {
		next, ok, err := f.apply(bufs[0], out)
		if err != nil {
			return nil, 0, fmt.Errorf("filter %d (%s): %w", f.file.ID, f.file.Name, err)
		}
		if !ok {
			skipped |= 1 << i
			bufs[0] = next[:0]
			continue
		}
		if len(next) > 0 && &next[0] != &out[0] {
			bufs[0], bufs[1] = bufs[1], next
		}
		out = next
	}
	return out, skipped, nil
}

// missing returns why a chunk cannot be filtered, nil if it can.
func missing(filters []filter) error {
	for _, f := range filters {
		if f.apply == nil {
			return fmt.Errorf("filter %d (%s) is not supported, expected deflate, shuffle, fletcher32 or zstd", f.file.ID, f.file.Name)
		}
	}
	return nil
}
