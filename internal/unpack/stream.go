package unpack

import (
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A method is a way to compress one file.
type method struct {
	matches func(head []byte) bool
	open    func(io.Reader) (io.ReadCloser, error)
}

// methods are told by the first bytes: RFC 1952, RFC 8878 (a frame, or a skippable frame before it), and
// bzip2 with the header of its first block, or of its end where it has none.
var methods = []method{
	{func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x1f\x8b\x08")) }, openGzip},
	{isZstd, openZstd},
	{isBzip2, openBzip2},
}

// signature is how many bytes the methods are told by.
const signature = 10

func isZstd(b []byte) bool {
	if bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) {
		return true
	}
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
}

func isBzip2(b []byte) bool {
	if len(b) < signature || string(b[:3]) != "BZh" || b[3] < '1' || b[3] > '9' {
		return false
	}
	block := string(b[4:signature])
	return block == "1AY&SY" || block == "\x17\x72\x45\x38\x50\x90"
}

// methodOf returns the method that a file which begins so is compressed with, or nil.
func methodOf(head []byte) *method {
	for i := range methods {
		if methods[i].matches(head) {
			return &methods[i]
		}
	}
	return nil
}

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

// maxWindow is the memory that a zstd stream may ask for, as the zstd command has it.
const maxWindow = 128 << 20

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func openBzip2(r io.Reader) (io.ReadCloser, error) {
	return io.NopCloser(bzip2.NewReader(r)), nil
}

// readSize is the size of the pieces in which a compressed file is read.
const readSize = 128 << 10
