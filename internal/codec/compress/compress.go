// Package compress holds the byte compressors of Tensogram payloads and masks, each in the exact
// form the format stores: a standard zstd frame, and an lz4 block after its uncompressed length as
// four little-endian bytes.
//
// A decoder is given the number of bytes it must return. It fails when there are fewer or more, and
// takes no more memory than that.
package compress

import (
	"errors"
	"fmt"
)

// ErrCorrupt is wrapped by every error about compressed data that is damaged or does not hold the
// expected bytes.
var ErrCorrupt = errors.New("corrupt compressed data")

func sizeError(codec string, got any, want int) error {
	return fmt.Errorf("compress: %s: %w: holds %v bytes, expected %d", codec, ErrCorrupt, got, want)
}

// room returns a slice of n bytes, dst's memory if that is large enough.
func room(dst []byte, n int) []byte {
	if cap(dst) >= n {
		return dst[:n]
	}
	return make([]byte, n)
}

// grow extends dst by n bytes of unspecified content.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst[:len(dst)+n]
	}
	out := make([]byte, len(dst)+n)
	copy(out, dst)
	return out
}
